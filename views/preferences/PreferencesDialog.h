// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Preferences.h"
#include "model/job/LogKeeping.h"

#include <QDialog>
#include <QHash>

#include <functional>

class QAbstractButton;
class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QFormLayout;
class QLineEdit;
class QListWidget;
class QPushButton;
class QSpinBox;
class QTabWidget;

namespace tmx {

class Banner;
class SizeBox;

/// The settings of the program, which apply to every repository; a branch's settings have their own page
/// (SettingsPage). Nothing changes before OK or Apply. Each setting has a button that resets it to its default.
class PreferencesDialog : public QDialog
{
    Q_OBJECT
public:
    /// All settings that have a default.
    struct Values {
        Preferences preferences;
        int parallel = 0; ///< jobs at a time in the queue, like the following
        bool stopAtFailure = false;
        qint64 logLimit = usualLogLimit;
        bool operator==(const Values &) const = default;
    };
    PreferencesDialog(const Values &values, const QStringList &machines, QWidget *parent = nullptr);

    [[nodiscard]] Values values() const;
    /// Saved machines to rename or remove, by old name; an empty new name removes.
    [[nodiscard]] QHash<QString, QString> newNames() const;
    void setApplying(bool applying);
    /// The shown settings have been applied. `machines`: the machines that are saved now.
    void setApplied(const QStringList &machines);
    /// Why the settings could not be applied. Machines that were already renamed or removed stay so.
    void setProblem(const QString &sentence, const QStringList &machines);

Q_SIGNALS:
    void applyRequested(bool close); ///< `close`: close the dialog after applying

private:
    struct Setting {
        std::function<bool()> isDefault;
        std::function<void()> reset;
        QAbstractButton *button;
    };
    void addAppearance();
    void addBuilds();
    void addFolders();
    void addMachines();
    QFormLayout *addTab(const QString &title);
    void add(QFormLayout *form, const QString &label, QWidget *field, const Setting &setting);
    QComboBox *choice(QFormLayout *form, const QString &label, const QString &name,
                      const QList<std::pair<QString, QString>> &words, const QString &now);
    QLineEdit *folder(QFormLayout *form, const QString &label, const QString &name, const QString &now,
                      const QString &usual);
    void setMachines(const QStringList &machines);
    void resetAll();
    void update();

    Values m_applied;
    QList<Setting> m_settings;
    QTabWidget *m_tabs;
    QComboBox *m_appearance = nullptr;
    QComboBox *m_codeFont = nullptr;
    QSpinBox *m_codeSize = nullptr;
    QLineEdit *m_editor = nullptr;
    QCheckBox *m_notifications = nullptr;
    QComboBox *m_engine = nullptr;
    QLineEdit *m_place = nullptr;
    QSpinBox *m_cores = nullptr;
    QSpinBox *m_parallel = nullptr;
    QCheckBox *m_stopAtFailure = nullptr;
    SizeBox *m_logLimit = nullptr;
    QLineEdit *m_catalog = nullptr;
    QLineEdit *m_templates = nullptr;
    QListWidget *m_machines = nullptr;
    QPushButton *m_rename = nullptr;
    QPushButton *m_remove = nullptr;
    QStringList m_saved; ///< the machines given to setMachines()
    QHash<QString, QString> m_removed;
    Banner *m_problem;
    QDialogButtonBox *m_buttons;
    bool m_applying = false;
};

} // namespace tmx
