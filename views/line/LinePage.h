// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"

#include <QWidget>

#include <memory>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace tmx {

class Banner;
class CoverageModel;
class FamilyTable;
struct LineVerdict;
class ToolkitTable;

/// What a branch builds, to be looked at and changed: families with versions and templates, toolkits, Pythons, nixpkgs,
/// coverage. Whoever hears edited() says whether it can be saved; nothing is written here.
class LinePage : public QWidget
{
    Q_OBJECT
public:
    explicit LinePage(std::shared_ptr<const Catalog> catalog, QWidget *parent = nullptr);

    void setTemplates(const QHash<QString, QStringList> &templates);
    /// `saved`: what the branch holds; `line`: the same, or what the user has made of it.
    void setLine(const Line &saved, const Line &line);
    [[nodiscard]] const Line &line() const { return m_line; }
    [[nodiscard]] bool isEdited() const { return m_line != m_saved; }

    /// What somebody finds who looks at line().
    void setVerdict(const LineVerdict &verdict);
    /// Why the branch's file cannot be read, a sentence; empty when it can, or there is none. What is shown is the line
    /// without it then.
    void setFileTrouble(const QString &sentence);

Q_SIGNALS:
    void edited();
    void saveRequested();

private:
    [[nodiscard]] QVBoxLayout *addSection(QVBoxLayout *page, const QString &title, const QString &explanation = {});
    void addBasics(QVBoxLayout *page);
    void addDetails(QVBoxLayout *page);
    void addCoverage(QVBoxLayout *page);
    [[nodiscard]] QWidget *makeFooter();
    void read(); ///< the controls into m_line
    void tellEdited();
    void showLine(const Line &line);
    void showSource();
    void showScopes();
    void updateButtons();

    std::shared_ptr<const Catalog> m_catalog;
    Line m_saved;
    Line m_line;
    QString m_fileTrouble;
    bool m_sound = false;
    QLabel *m_source;
    FamilyTable *m_families;
    ToolkitTable *m_toolkits;
    QWidget *m_pythonBox = nullptr;
    QList<QCheckBox *> m_pythons;
    QLineEdit *m_pin;
    QLineEdit *m_pinHash;
    QComboBox *m_torch;
    QLineEdit *m_torchCatalog;
    QComboBox *m_notation;
    QSpinBox *m_metadata;
    QComboBox *m_scope;
    CoverageModel *m_coverage;
    Banner *m_problem;
    QLabel *m_summary;
    QPushButton *m_revert;
    QPushButton *m_save;
};

} // namespace tmx
