// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

namespace tmx {

class CopyButton;
class Label;

/// What is shown in place of a console when there is no flox: why nothing was built, and where to get it.
class FloxMissingPage : public QWidget
{
    Q_OBJECT
public:
    explicit FloxMissingPage(QWidget *parent = nullptr);

    void setSentence(const QString &sentence); ///< the first web address in it can be opened and copied

private:
    Label *m_sentence = nullptr;
    CopyButton *m_copy = nullptr;
};

} // namespace tmx
