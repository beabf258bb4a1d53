// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/KnownBuilds.h"
#include "views/work/WorkForm.h"

class QComboBox;
class QLineEdit;

namespace tmx {

/// Chooses the pipeline to export for the shown branch, and what it builds.
class ExportForm : public WorkForm
{
    Q_OBJECT
public:
    explicit ExportForm(const QString &branch, QWidget *parent = nullptr);

    void setBuilds(const KnownBuilds &builds); ///< the form is not ready without them
    [[nodiscard]] ChangeRequest request() const override;
    [[nodiscard]] bool isReady() const override { return m_builds.has_value(); }

private:
    [[nodiscard]] QComboBox *chooser(const QString &name);
    [[nodiscard]] QLineEdit *field(const QString &name, const QString &placeholder);

    QString m_branch;
    std::optional<KnownBuilds> m_builds;
    QComboBox *m_host;
    QComboBox *m_only;
    QLineEdit *m_since;
    QLineEdit *m_runners;
    QLineEdit *m_organisation;
};

} // namespace tmx
