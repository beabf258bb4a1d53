// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/SettingsFields.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QPushButton;
class QVBoxLayout;

namespace tmx {

class Banner;
class CoverageModel;
class Label;
struct SettingsVerdict;
class SettingsForm;

/// The settings of a branch, to view and edit: the form and the coverage. The receiver of edited() answers whether they
/// can be saved; the page writes nothing.
class SettingsPage : public QWidget
{
    Q_OBJECT
public:
    explicit SettingsPage(std::shared_ptr<const Catalog> catalog, QWidget *parent = nullptr);

    [[nodiscard]] SettingsForm *form() const { return m_form; }
    /// `saved`: the branch's settings; `settings`: the same, or with the user's edits.
    void setSettings(const Settings &saved, const Settings &settings);
    [[nodiscard]] const Settings &settings() const { return m_settings; }
    [[nodiscard]] bool isEdited() const { return m_settings != m_saved; }

    /// The result of checking settings().
    void setVerdict(const SettingsVerdict &verdict);
    /// Why the branch's file cannot be read, one sentence; empty if it can be read or does not exist. With a sentence
    /// the page shows the settings without that file.
    void setFileTrouble(const QString &sentence);
    /// What the settings were inferred from, in sentences.
    void setEvidence(const QString &sentences);

Q_SIGNALS:
    void edited();
    void saveRequested();

private:
    [[nodiscard]] QVBoxLayout *addSection(QVBoxLayout *page, const QString &title, const QString &explanation = {});
    void addCoverage(QVBoxLayout *page);
    [[nodiscard]] QWidget *makeFooter();
    void takeFields();
    void tellEdited();
    void showSource();
    void showScopes();
    void updateButtons();

    std::shared_ptr<const Catalog> m_catalog;
    Settings m_saved;
    Settings m_settings;
    WrittenSettings m_shown;   ///< set by setSettings()
    WrittenSettings m_written; ///< m_settings as the user edits it
    SettingsFields m_fields;   ///< the fields of m_shown
    QString m_fileTrouble;
    QString m_evidence;
    bool m_sound = false;
    Label *m_source;
    SettingsForm *m_form;
    QComboBox *m_scope;
    CoverageModel *m_coverage;
    Banner *m_problem;
    Label *m_summary;
    QPushButton *m_revert;
    QPushButton *m_save;
};

} // namespace tmx
