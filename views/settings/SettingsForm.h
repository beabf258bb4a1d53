// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/SettingsFields.h"

#include <QMap>
#include <QWidget>

#include <memory>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QSpinBox;

namespace tmx {

class Label;

/// Branch settings to view and edit: families with versions and templates, toolkits, Pythons, nixpkgs. Used by the
/// settings page and by the dialogs of derive and migrate.
class SettingsForm : public QWidget
{
    Q_OBJECT
public:
    enum class Extent {
        Everything,
        Versions, ///< without the choice of families, toolkits and Pythons
    };
    explicit SettingsForm(std::shared_ptr<const Catalog> catalog, Extent extent, QWidget *parent = nullptr);

    void setTemplates(const QHash<QString, QStringList> &templates); ///< by family id
    /// Shows `fields`. Typing another version or revision clears the hash of the old one.
    void setFields(const SettingsFields &fields);
    [[nodiscard]] SettingsFields fields() const;

    /// Fields that rarely change: details of the toolkits, torch of companions, notation, metadata revision. The caller
    /// adds them to a layout.
    [[nodiscard]] QWidget *details() const { return m_details; }

    /// Revisions to choose from, each with a line of text, for the list that asked with pinsRequested().
    void setPins(const QList<std::pair<QString, QString>> &pins);

    /// The state of a hash that hashRequested() asked for: what is going on, the hash, or why there is none.
    void setHashProgress(const QString &id, const QString &text);
    void setHash(const QString &id, const QString &hash);
    void setHashProblem(const QString &id, const QString &sentence);

Q_SIGNALS:
    /// `id`: a family, or "nixpkgs"; `version`: its version or revision.
    void hashRequested(const QString &id, const QString &version);
    void hashStopRequested(const QString &id);
    void edited();        ///< by the user
    void pinsRequested(); ///< the list of known revisions was opened

private:
    using ValueFields = QList<std::pair<QString, QWidget *>>; ///< by Setting::key, in Tab order
    struct FamilyRow {
        QString id;
        QCheckBox *built;
        ValueFields fields;
    };
    struct ToolkitRow {
        QCheckBox *box;
        QLabel *label;
        ValueFields fields;
    };
    static QLineEdit *editOf(const FamilyRow &row, const QString &key);
    static QComboBox *choiceOf(const FamilyRow &row, const QString &key);
    /// Shows the values; the choices of templates get their names.
    void showValues(const ValueFields &fields, const SettingsValues &values, const QString &family = {}) const;
    static void takeValues(const ValueFields &fields, SettingsValues &values);
    void addFamily(const QString &id);
    void addToolkit(const QString &version);
    void addPython(const QString &python);
    [[nodiscard]] QCheckBox *addBox(QWidget *row, const QString &id, const QString &text, const QString &name);
    void makeDetails();
    void orderTabs();
    /// The field of a hash with a button that fetches it. `version`: the field of what it is the hash of.
    [[nodiscard]] QWidget *withFetch(const QString &id, QLineEdit *hash, const QLineEdit *version, const QString &name);
    [[nodiscard]] QHBoxLayout *makePinRow();
    void showFetch(const QString &id, const QString &text, bool runs);
    void offerTemplates(QComboBox *box, const QString &family, const QString &chosen) const;
    void takeVersion(const FamilyRow &row);
    void takePin();
    void showToolkits();
    void showTorch();
    void watch(const QList<QWidget *> &fields);

    std::shared_ptr<const Catalog> m_catalog;
    Extent m_extent;
    SettingsFields m_shown; ///< set by setFields()
    QHash<QString, QStringList> m_templates;
    QGridLayout *m_families;
    QWidget *m_cudaBox;
    QWidget *m_pythonBox;
    QLineEdit *m_pin;
    QPushButton *m_known; ///< opens the list of known ones
    QMenu *m_pins;
    QLineEdit *m_pinHash;
    /// A hash, and the button that fetches it or stops that.
    struct Fetch {
        QLineEdit *hash;
        QPushButton *button;
        bool runs = false;
    };
    QMap<QString, Fetch> m_fetches;
    Label *m_fetchNote; ///< how far it is, or why it failed
    QWidget *m_details;
    QWidget *m_toolkitBox;
    QGridLayout *m_toolkits;
    QComboBox *m_torch;
    QLineEdit *m_torchCatalog;
    QWidget *m_fetched; ///< contains the next three
    QLineEdit *m_torchAddress;
    QLineEdit *m_torchRevision;
    QLineEdit *m_torchHash;
    QComboBox *m_blas;
    QComboBox *m_notation;
    QSpinBox *m_metadata;
    ValueFields m_values; ///< of the branch
    QList<FamilyRow> m_familyRows;
    QList<ToolkitRow> m_toolkitRows;
    QList<QCheckBox *> m_pythons;
};

} // namespace tmx
