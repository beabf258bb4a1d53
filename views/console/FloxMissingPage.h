// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

namespace tmx {

class CopyButton;
class Label;

/// Shown instead of the console if flox is not installed: why nothing was built, and where to get flox.
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
