// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/preferences/PreferencesDialog.h"

#include "views/widgets/Buttons.h"
#include "views/widgets/FormArea.h"
#include "views/widgets/Label.h"
#include "views/widgets/SizeBox.h"
#include "views/widgets/Tips.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFontDatabase>
#include <QFormLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int mostPoints = 72;
constexpr int mostCoresChosen = 4096;
constexpr int mostAtATime = 1024;
constexpr qint64 mostLogs = qint64(1) << 53;
constexpr int savedName = Qt::UserRole;

} // namespace

PreferencesDialog::PreferencesDialog(const Values &values, const QStringList &machines, QWidget *parent)
    : QDialog(parent)
    , m_applied(values)
    , m_tabs(new QTabWidget)
    , m_problem(new Banner(tr("What failed"), Banner::Problem))
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Apply | QDialogButtonBox::Cancel))
{
    setWindowTitle(tr("Application settings"));
    addAppearance();
    addBuilds();
    addFolders();
    addMachines();
    QPushButton *all = m_buttons->addButton(tr("Reset all"), QDialogButtonBox::ResetRole);
    all->setAutoDefault(false); // Return must press OK, whichever widget has the focus.
    m_buttons->button(QDialogButtonBox::Apply)->setAutoDefault(false);
    describe(all, tr("Reset all"), tr("Set every setting to its default. Saved machines stay."));
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(new Label(tr("These settings apply to every repository. What a branch builds is set in the "
                                   "Settings tab beside the grid."),
                                Label::Quiet | Label::Wrapped));
    layout->addWidget(m_tabs, 1);
    layout->addWidget(m_problem);
    layout->addWidget(m_buttons);
    connect(all, &QPushButton::clicked, this, &PreferencesDialog::resetAll);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_buttons, &QDialogButtonBox::accepted, this, [this] { Q_EMIT applyRequested(true); });
    connect(m_buttons->button(QDialogButtonBox::Apply), &QPushButton::clicked, this,
            [this] { Q_EMIT applyRequested(false); });
    setMachines(machines);
    m_tabs->currentWidget()->setFocus();
    resize(QSize(640, 460).expandedTo(minimumSizeHint()));
}

QFormLayout *PreferencesDialog::addTab(const QString &title)
{
    auto *fields = new QWidget;
    auto *form = new QFormLayout(fields);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    m_tabs->addTab(new FormArea(fields), title);
    return form;
}

void PreferencesDialog::add(QFormLayout *form, const QString &label, QWidget *field, const Setting &setting)
{
    const QString name = field->accessibleName();
    auto *reset =
        makeTool(tr("Reset"), tr("Reset: %1", "name of a setting").arg(name), tr("Set this setting to its default."));
    auto *row = new QHBoxLayout;
    row->addWidget(field, 1);
    row->addWidget(reset);
    if (label.isEmpty())
        form->addRow(row);
    else
        form->addRow(new Label(label, field), row);
    connect(reset, &QToolButton::clicked, this, [this, field, reset = setting.reset] {
        reset();
        field->setFocus(); // The reset button gets disabled.
        update();
    });
    m_settings.append({setting.isDefault, setting.reset, reset});
}

QComboBox *PreferencesDialog::choice(QFormLayout *form, const QString &label, const QString &name,
                                     const QList<std::pair<QString, QString>> &words, const QString &now)
{
    QComboBox *box = makeChoice(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(16);
    for (const auto &[word, text] : words)
        box->addItem(text, word);
    if (box->findData(now) < 0)
        box->addItem(now, now);
    box->setCurrentIndex(box->findData(now));
    connect(box, &QComboBox::currentIndexChanged, this, &PreferencesDialog::update);
    add(form, label, box, {[box] { return box->currentIndex() == 0; }, [box] { box->setCurrentIndex(0); }, nullptr});
    return box;
}

void PreferencesDialog::addAppearance()
{
    const Preferences &now = m_applied.preferences;
    QFormLayout *form = addTab(tr("&General"));
    m_appearance = choice(form, tr("A&ppearance"), tr("Appearance"),
                          {{u"desktop"_s, tr("As the desktop")},
                           {u"light"_s, tr("Light")},
                           {u"dark"_s, tr("Dark")},
                           {u"contrast"_s, tr("High contrast")}},
                          now.appearance);
    QList<std::pair<QString, QString>> fonts{{QString(), tr("As the desktop")}};
    const QStringList families = QFontDatabase::families();
    for (const QString &family : families) {
        if (QFontDatabase::isFixedPitch(family) && !QFontDatabase::isPrivateFamily(family))
            fonts.append({family, family});
    }
    m_codeFont = choice(form, tr("F&ont of code"), tr("Font of recipes, differences and logs"), fonts, now.codeFont);
    m_codeSize = makeNumber(0, mostPoints, tr("Size of code"), tr("Size of the font of code, in points"));
    m_codeSize->setSpecialValueText(tr("As the desktop"));
    m_codeSize->setSuffix(tr(" pt"));
    m_codeSize->setValue(now.codeSize);
    connect(m_codeSize, &QSpinBox::valueChanged, this, &PreferencesDialog::update);
    add(form, tr("&Size of code"), m_codeSize,
        {[this] { return m_codeSize->value() == 0; }, [this] { m_codeSize->setValue(0); }, nullptr});
    m_editor = new QLineEdit(now.editor);
    m_editor->setPlaceholderText(tr("The desktop's program for text"));
    describe(m_editor, tr("Editor command"), tr("A command such as kate --new; the path of the recipe is added."));
    connect(m_editor, &QLineEdit::textChanged, this, &PreferencesDialog::update);
    add(form, tr("&Editor command"), m_editor,
        {[this] { return m_editor->text().isEmpty(); }, [this] { m_editor->clear(); }, nullptr});
    m_notifications = new QCheckBox(tr("&Notify when builds end"));
    describe(m_notifications, tr("Notify when builds end"),
             tr("The desktop shows a notification when a build ends and the window is not active."));
    m_notifications->setChecked(now.notifications);
    connect(m_notifications, &QCheckBox::toggled, this, &PreferencesDialog::update);
    add(form, {}, m_notifications,
        {[this] { return m_notifications->isChecked(); }, [this] { m_notifications->setChecked(true); }, nullptr});
}

void PreferencesDialog::addBuilds()
{
    const Preferences &now = m_applied.preferences;
    QFormLayout *form = addTab(tr("&Builds"));
    m_engine = choice(form, tr("&Engine"), tr("What builds"),
                      {{QString(), tr("flox build, or nix-build without Flox")},
                       {u"flox"_s, tr("flox build")},
                       {u"nix"_s, tr("nix-build")}},
                      now.engine);
    m_place = new QLineEdit(now.place.startsWith("ssh:"_L1) ? now.place.sliced(4) : now.place);
    m_place->setPlaceholderText(tr("This machine"));
    describe(m_place, tr("Where it is built"),
             tr("A host, user@host or a name from your ssh configuration, or \"slurm\". Empty: this machine."));
    connect(m_place, &QLineEdit::textChanged, this, &PreferencesDialog::update);
    add(form, tr("&Where"), m_place,
        {[this] { return m_place->text().isEmpty(); }, [this] { m_place->clear(); }, nullptr});
    m_cores = makeNumber(0, mostCoresChosen, tr("Cores for each build"),
                         tr("Cores that each derivation may use. Compilers for GPUs take about 5 GB of memory each."));
    m_cores->setSpecialValueText(tr("As the machine is set up"));
    m_cores->setValue(now.cores);
    connect(m_cores, &QSpinBox::valueChanged, this, &PreferencesDialog::update);
    add(form, tr("&Cores for each build"), m_cores,
        {[this] { return m_cores->value() == 0; }, [this] { m_cores->setValue(0); }, nullptr});
    m_parallel = makeNumber(0, mostAtATime, tr("Builds at a time"),
                            tr("How many builds run at a time on each machine. Automatic: as many as Nix's remote "
                               "builders take, one without them."));
    m_parallel->setSpecialValueText(tr("Automatic"));
    m_parallel->setValue(m_applied.parallel);
    connect(m_parallel, &QSpinBox::valueChanged, this, &PreferencesDialog::update);
    add(form, tr("Builds at a &time"), m_parallel,
        {[this] { return m_parallel->value() == 0; }, [this] { m_parallel->setValue(0); }, nullptr});
    m_stopAtFailure = new QCheckBox(tr("Pause the &queue at the first failure"));
    describe(m_stopAtFailure, tr("Pause the queue at the first failure"),
             tr("Running builds continue. If this is off, a failure does not stop the other builds."));
    m_stopAtFailure->setChecked(m_applied.stopAtFailure);
    connect(m_stopAtFailure, &QCheckBox::toggled, this, &PreferencesDialog::update);
    add(form, {}, m_stopAtFailure,
        {[this] { return !m_stopAtFailure->isChecked(); }, [this] { m_stopAtFailure->setChecked(false); }, nullptr});
    m_logLimit = new SizeBox(mostLogs, tr("Size limit of logs"),
                             tr("When a build ends, old logs are compressed, then removed, until they fit."));
    m_logLimit->setSpecialValueText(tr("no limit"));
    m_logLimit->setValue(double(m_applied.logLimit));
    connect(m_logLimit, &QDoubleSpinBox::valueChanged, this, &PreferencesDialog::update);
    add(form, tr("Size &limit of logs"), m_logLimit,
        {[this] { return qint64(m_logLimit->value()) == usualLogLimit; },
         [this] { m_logLimit->setValue(double(usualLogLimit)); }, nullptr});
}

QLineEdit *PreferencesDialog::folder(QFormLayout *form, const QString &label, const QString &name, const QString &now,
                                     const QString &usual)
{
    auto *line = new QLineEdit(QDir::toNativeSeparators(now));
    line->setPlaceholderText(QDir::toNativeSeparators(usual));
    line->setAccessibleName(name);
    auto *choose = new QPushButton(tr("Choose\u2026"));
    choose->setAccessibleName(tr("Choose: %1", "name of a folder").arg(name));
    choose->setAutoDefault(false);
    auto *field = new QWidget;
    field->setAccessibleName(name);
    field->setFocusProxy(line);
    auto *row = new QHBoxLayout(field);
    row->setContentsMargins({});
    row->addWidget(line, 1);
    row->addWidget(choose);
    connect(choose, &QPushButton::clicked, this, [this, line, name] {
        auto *dialog = new QFileDialog(this, name, line->text().isEmpty() ? line->placeholderText() : line->text());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setOption(QFileDialog::ShowDirsOnly);
        connect(dialog, &QFileDialog::fileSelected, line,
                [line](const QString &path) { line->setText(QDir::toNativeSeparators(path)); });
        dialog->open();
    });
    connect(line, &QLineEdit::textChanged, this, &PreferencesDialog::update);
    add(form, label, field, {[line] { return line->text().isEmpty(); }, [line] { line->clear(); }, nullptr});
    return line;
}

void PreferencesDialog::addFolders()
{
    const Preferences &now = m_applied.preferences;
    const Preferences usual;
    QFormLayout *form = addTab(tr("&Folders"));
    m_catalog =
        folder(form, tr("&Catalog"), tr("Folder of your catalog"), now.catalogFolder, usual.usedCatalogFolder());
    m_templates =
        folder(form, tr("&Templates"), tr("Folder of your templates"), now.templateFolder, usual.usedTemplateFolder());
    form->addRow(new Label(tr("The window reads these folders when it is opened, the verbs each time."),
                           Label::Quiet | Label::Wrapped));
}

void PreferencesDialog::addMachines()
{
    m_machines = new QListWidget;
    m_machines->setAccessibleName(tr("Saved machines"));
    m_machines->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_rename = new QPushButton(tr("&Rename"));
    m_remove = new QPushButton(tr("Remo&ve"));
    for (QPushButton *button : {m_rename, m_remove})
        button->setAutoDefault(false);
    describe(m_rename, tr("Rename the machine"), tr("Rename the machine (F2)"));
    describe(m_remove, tr("Remove the machine"), tr("Delete the saved report of this machine."));
    auto *page = new QWidget;
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_rename);
    buttons->addWidget(m_remove);
    buttons->addStretch(1);
    auto *layout = new QVBoxLayout(page);
    layout->addWidget(
        new Label(tr("Machines that were saved in the panel This machine."), Label::Quiet | Label::Wrapped));
    layout->addWidget(m_machines, 1);
    layout->addLayout(buttons);
    m_tabs->addTab(page, tr("&Machines"));
    connect(m_rename, &QPushButton::clicked, this, [this] { m_machines->editItem(m_machines->currentItem()); });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        const std::unique_ptr<QListWidgetItem> item(m_machines->takeItem(m_machines->currentRow()));
        if (item)
            m_removed.insert(item->data(savedName).toString(), QString());
        update();
    });
    connect(m_machines, &QListWidget::itemChanged, this, &PreferencesDialog::update);
    connect(m_machines, &QListWidget::currentRowChanged, this, &PreferencesDialog::update);
}

void PreferencesDialog::setMachines(const QStringList &machines)
{
    const int row = std::max(0, m_machines->currentRow());
    {
        const QSignalBlocker quiet(m_machines);
        m_saved = machines;
        m_machines->clear();
        m_removed.clear();
        for (const QString &name : machines) {
            auto *item = new QListWidgetItem(name, m_machines);
            item->setData(savedName, name);
            item->setFlags(item->flags() | Qt::ItemIsEditable);
        }
        m_machines->setCurrentRow(std::min(row, m_machines->count() - 1));
    }
    update();
}

PreferencesDialog::Values PreferencesDialog::values() const
{
    const auto folder = [](const QLineEdit *line) { return QDir::fromNativeSeparators(line->text().trimmed()); };
    Values values;
    Preferences &chosen = values.preferences;
    chosen.appearance = m_appearance->currentData().toString();
    chosen.codeFont = m_codeFont->currentData().toString();
    chosen.codeSize = m_codeSize->value();
    chosen.editor = m_editor->text().trimmed();
    chosen.notifications = m_notifications->isChecked();
    chosen.engine = m_engine->currentData().toString();
    const QString place = m_place->text().trimmed();
    chosen.place = place.isEmpty() || place == "slurm"_L1 ? place : u"ssh:"_s + place;
    chosen.cores = m_cores->value();
    chosen.catalogFolder = folder(m_catalog);
    chosen.templateFolder = folder(m_templates);
    values.parallel = m_parallel->value();
    values.stopAtFailure = m_stopAtFailure->isChecked();
    values.logLimit = qint64(m_logLimit->value());
    return values;
}

QHash<QString, QString> PreferencesDialog::newNames() const
{
    QHash<QString, QString> names = m_removed;
    for (int row = 0; row < m_machines->count(); ++row) {
        const QListWidgetItem *item = m_machines->item(row);
        const QString was = item->data(savedName).toString();
        if (const QString name = item->text().trimmed(); name != was && !name.isEmpty())
            names.insert(was, name);
    }
    return names;
}

void PreferencesDialog::setApplying(bool applying)
{
    m_applying = applying;
    update();
}

void PreferencesDialog::setApplied(const QStringList &machines)
{
    m_applied = values();
    m_applying = false;
    m_problem->setSentence({});
    setMachines(machines);
}

void PreferencesDialog::setProblem(const QString &sentence, const QStringList &machines)
{
    m_applying = false;
    m_problem->setSentence(sentence);
    if (machines != m_saved)
        setMachines(machines);
    update();
}

void PreferencesDialog::resetAll()
{
    for (const Setting &setting : std::as_const(m_settings))
        setting.reset();
    update();
}

void PreferencesDialog::update()
{
    if (!m_machines)
        return; // Called while the constructor still builds the dialog.
    for (const Setting &setting : std::as_const(m_settings))
        setting.button->setEnabled(!setting.isDefault());
    for (QPushButton *button : {m_rename, m_remove})
        button->setEnabled(m_machines->currentItem());
    m_tabs->setEnabled(!m_applying);
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(!m_applying);
    m_buttons->button(QDialogButtonBox::Apply)
        ->setEnabled(!m_applying && (values() != m_applied || !newNames().isEmpty()));
}

} // namespace tmx
