// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/work/WorkForm.h"

namespace tmx {

class Label;

/// Says what saving the settings of a branch does; it has no fields.
class SaveForm : public WorkForm
{
    Q_OBJECT
public:
    SaveForm(const QString &branch, const Settings &settings);

    [[nodiscard]] ChangeRequest request() const override;
    void setChanges(const QList<ChangeSet> &changes) override;

private:
    void say(int lostComments);

    QString m_branch;
    Settings m_settings;
    Label *m_sentence;
};

} // namespace tmx
