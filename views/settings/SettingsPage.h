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
struct LineVerdict;
class SettingsForm;

/// The settings of a branch, to be looked at and changed: the form, and the coverage. Whoever hears edited() says
/// whether they can be saved; nothing is written here.
class SettingsPage : public QWidget
{
    Q_OBJECT
public:
    explicit SettingsPage(std::shared_ptr<const Catalog> catalog, QWidget *parent = nullptr);

    [[nodiscard]] SettingsForm *form() const { return m_form; }
    /// `saved`: what the branch holds; `line`: the same, or what the user has made of it.
    void setLine(const Settings &saved, const Settings &line);
    [[nodiscard]] const Settings &line() const { return m_line; }
    [[nodiscard]] bool isEdited() const { return m_line != m_saved; }

    /// What somebody finds who looks at line().
    void setVerdict(const LineVerdict &verdict);
    /// Why the branch's file cannot be read, a sentence; empty when it can, or there is none. The page shows the
    /// settings without that file then.
    void setFileTrouble(const QString &sentence);
    /// From what settings were inferred, in sentences.
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
    Settings m_line;
    WrittenSettings m_shown;   ///< by setLine()
    WrittenSettings m_written; ///< m_line as it is edited
    SettingsFields m_fields;   ///< of m_shown
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
