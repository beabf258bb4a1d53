// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/SettingsFields.h"
#include "views/work/WorkForm.h"

#include <memory>
#include <optional>

class QCheckBox;
class QComboBox;
class QLineEdit;

namespace tmx {

class ElidedLabel;
class Label;
class SettingsForm;

/// Chooses the settings of a new branch, or how those of a branch change.
class SettingsChangeForm : public WorkForm
{
    Q_OBJECT
public:
    enum class Kind { Derive, Migrate };

    /// `branches`: possible start branches; `branch`: the shown one.
    SettingsChangeForm(Kind kind, std::shared_ptr<const Catalog> catalog, const QStringList &branches,
                       const QString &branch, QWidget *parent = nullptr);

    [[nodiscard]] SettingsForm *form() const { return m_form; }
    /// The settings that the fields start with; edited fields stay.
    void setSettings(const Settings &settings);

    [[nodiscard]] const QString &branch() const { return m_branch; } ///< the start branch
    [[nodiscard]] ChangeRequest request() const override;
    [[nodiscard]] bool isReady() const override { return m_known; }
    [[nodiscard]] QString missing() const override;
    void setChanges(const QList<ChangeSet> &changes) override;

Q_SIGNALS:
    void settingsWanted(const QString &branch); ///< the receiver calls setSettings() with that branch's settings

private:
    [[nodiscard]] QLayout *makeNames(const QStringList &branches);
    [[nodiscard]] SettingsChange change() const;
    [[nodiscard]] QString explanation() const;
    void offerPins(const QList<ReplacedPin> &pins);

    Kind m_kind;
    std::shared_ptr<const Catalog> m_catalog;
    SettingsForm *m_form;
    std::optional<SettingsFields> m_fields; ///< set by setSettings()
    bool m_known = false;                   ///< m_fields are those of m_branch
    QString m_branch;
    QLineEdit *m_name = nullptr;
    ElidedLabel *m_nameProblem = nullptr;
    QCheckBox *m_allow = nullptr;
    QCheckBox *m_render;  ///< whether customised recipes of a new branch may get the template's text
    QComboBox *m_pinFrom; ///< which nixpkgs is replaced, if there are several
    Label *m_note;
};

} // namespace tmx
