// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/change/SettingsChange.h"
#include "views/work/WorkForm.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;

namespace tmx {

class ElidedLabel;

/// What is to be different about a line: of one that is derived from a branch, or of the branch itself.
class LineChangeForm : public WorkForm
{
    Q_OBJECT
public:
    enum class Kind { Derive, Migrate };

    /// `branches`: those to begin with; `branch`: the one that is shown.
    LineChangeForm(Kind kind, std::shared_ptr<const Catalog> catalog, const QStringList &branches,
                   const QString &branch, QWidget *parent = nullptr);

    /// The line that the fields begin with; those that were edited stay.
    void setLine(const Line &line);
    void setTemplates(const QHash<QString, QStringList> &templates); ///< by family

    [[nodiscard]] const QString &branch() const { return m_branch; } ///< that it begins with
    [[nodiscard]] ChangeRequest request() const override;
    [[nodiscard]] bool isReady() const override { return m_known; }
    [[nodiscard]] QString missing() const override;
    void setChanges(const QList<ChangeSet> &changes) override;

Q_SIGNALS:
    void lineWanted(const QString &branch); ///< whoever hears it calls setLine() with that branch's settings

private:
    struct FamilyRow {
        QString id;
        QLineEdit *version = nullptr;
        QLineEdit *hash = nullptr;
        QComboBox *gpu = nullptr; ///< of Migrate alone, as the next
        QComboBox *cpu = nullptr;
    };
    void addFamilies(const QStringList &families);
    void addFamily(const QString &family);
    void addNames(const QStringList &branches, const QString &branch);
    void addToolkits();
    void addPin();
    void showLine(const SettingsChange &before, const SettingsChange &now);
    void takePyTorch();
    void fillTemplates();
    void orderTabs();
    [[nodiscard]] SettingsChange wish() const;
    [[nodiscard]] QString explanation() const;

    Kind m_kind;
    std::shared_ptr<const Catalog> m_catalog;
    Line m_line;
    bool m_known = false;
    QHash<QString, QStringList> m_templates;
    QFormLayout *m_left;
    QFormLayout *m_right;
    QComboBox *m_from = nullptr;
    QLineEdit *m_name = nullptr;
    ElidedLabel *m_nameProblem = nullptr;
    QList<FamilyRow> m_families;
    QList<QCheckBox *> m_cudas;
    QList<QCheckBox *> m_pythons;
    QLineEdit *m_pin;
    QLineEdit *m_pinHash;
    QString m_branch;
    QLabel *m_note;
};

} // namespace tmx
