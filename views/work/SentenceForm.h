// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/work/WorkForm.h"

namespace tmx {

class Label;

/// Work with no options besides the files: a sentence describes it.
class SentenceForm : public WorkForm
{
    Q_OBJECT
public:
    SentenceForm(ChangeRequest request, const QString &sentence, QWidget *parent = nullptr);

    [[nodiscard]] ChangeRequest request() const override { return m_request; }
    void setChanges(const QList<ChangeSet> &changes) override; ///< a fix tells which changes are equal

private:
    ChangeRequest m_request;
    Label *m_equal;
};

} // namespace tmx
