// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/start/NewRepositoryDialog.h"

#include "model/base/TextForm.h"
#include "model/toml/Patterns.h"
#include "views/audit/CellMapView.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/FlowLayout.h"
#include "views/widgets/Label.h"
#include "views/widgets/Views.h"

#include <QCheckBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QLayout *makeChecks(QList<QCheckBox *> &boxes, const QList<std::pair<QString, QString>> &choices, const QString &name)
{
    auto *flow = new FlowLayout(12);
    for (const auto &[id, text] : choices) {
        auto *box = new QCheckBox(text);
        box->setObjectName(id);
        box->setAccessibleName(name.arg(text));
        boxes.append(box);
        flow->addWidget(box);
    }
    return flow;
}

QStringList checkedIds(const QList<QCheckBox *> &boxes)
{
    QStringList ids;
    for (const QCheckBox *box : boxes) {
        if (box->isChecked())
            ids.append(box->objectName());
    }
    return ids;
}

} // namespace

NewRepositoryDialog::NewRepositoryDialog(const Catalog &catalog, const Settings &defaults, const QString &folder,
                                         QWidget *parent)
    : QDialog(parent)
    , m_folder(new QLineEdit(QDir::toNativeSeparators(folder)))
    , m_browse(new QPushButton(tr("Choose\u2026")))
    , m_pytorch(new QLineEdit)
    , m_count(new Label({}, Label::Bold, tr("Number of recipes")))
    , m_map(new CellMapView)
    , m_problem(new Banner(tr("Problem"), Banner::Problem))
    , m_progress(makeBusyBar(tr("Progress"), 4))
    , m_make(new QPushButton(tr("Create")))
{
    setWindowTitle(tr("New repository"));
    m_folder->setAccessibleName(tr("Folder"));
    m_pytorch->setAccessibleName(tr("PyTorch version"));
    m_pytorch->setPlaceholderText(tr("built-in version for the toolkit"));
    m_browse->setAutoDefault(false);
    QList<std::pair<QString, QString>> toolkits;
    for (const Toolkit &toolkit : catalog.toolkits)
        toolkits.append({toolkit.version, toolkit.version});
    QList<std::pair<QString, QString>> pythons;
    for (const Python &python : catalog.pythons)
        pythons.append({python.id, pythonVersion(python.id)});
    auto *place = new QHBoxLayout;
    place->addWidget(m_folder, 1);
    place->addWidget(m_browse);
    auto *form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->addRow(new Label(tr("Folder"), m_folder), place);
    form->addRow(new Label(tr("CUDA")), makeChecks(m_toolkits, toolkits, tr("CUDA %1")));
    form->addRow(new Label(tr("Python")), makeChecks(m_pythons, pythons, tr("Python: %1")));
    form->addRow(new Label(tr("PyTorch"), m_pytorch), m_pytorch);
    for (QCheckBox *box : m_toolkits + m_pythons) {
        box->setChecked(defaults.toolkits().contains(box->objectName()) ||
                        defaults.pythons().contains(box->objectName()));
        connect(box, &QCheckBox::toggled, this, &NewRepositoryDialog::edited);
    }
    auto *cancel = new QPushButton(tr("Cancel"));
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(new Label(tr("Creates a Git repository with a Flox environment, branch settings, a README "
                                   "and all recipes of these settings, in one commit. You can change the settings "
                                   "later in the Settings view."),
                                Label::Wrapped | Label::Quiet));
    layout->addLayout(form);
    layout->addWidget(m_count);
    m_map->setFocusPolicy(Qt::NoFocus); // it shows, and is no field
    layout->addWidget(m_map);
    layout->addWidget(m_problem);
    layout->addStretch(1);
    layout->addWidget(m_progress);
    layout->addLayout(makeFooter({}, cancel, m_make));
    resizeWithin(this, {600, 440});
    connect(m_browse, &QPushButton::clicked, this, [this] {
        auto *dialog = new QFileDialog(this, tr("Folder of the new repository"), QDir::homePath());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setOption(QFileDialog::ShowDirsOnly);
        connect(dialog, &QFileDialog::fileSelected, m_folder, &QLineEdit::setText);
        dialog->open();
    });
    connect(m_folder, &QLineEdit::textChanged, this, &NewRepositoryDialog::updateButtons);
    connect(m_pytorch, &QLineEdit::textChanged, this, &NewRepositoryDialog::updateButtons);
    connect(m_make, &QPushButton::clicked, this, &NewRepositoryDialog::makeRequested);
    connect(cancel, &QPushButton::clicked, this, &NewRepositoryDialog::reject);
    updateButtons();
}

NewRepository NewRepositoryDialog::wanted() const
{
    NewRepository wanted;
    wanted.folder =
        QDir::cleanPath(QDir::home().absoluteFilePath(QDir::fromNativeSeparators(m_folder->text().trimmed())));
    if (const QStringList toolkits = checkedIds(m_toolkits); !toolkits.isEmpty())
        wanted.change.cudas = toolkits;
    if (const QStringList pythons = checkedIds(m_pythons); !pythons.isEmpty())
        wanted.change.pythons = pythons;
    if (const QString version = m_pytorch->text().trimmed(); !version.isEmpty())
        wanted.change.versions.insert(u"pytorch"_s, version);
    return wanted;
}

void NewRepositoryDialog::setPreview(const CellMap &map, int recipes)
{
    m_count->setText(tr("%n recipes", nullptr, recipes));
    m_map->setMap(map, RecipeState::Current);
}

void NewRepositoryDialog::updateButtons()
{
    const bool version = hasForm(m_pytorch->text().trimmed(), pattern::optionalRelease);
    m_make->setEnabled(!m_busy && version && !m_folder->text().trimmed().isEmpty());
    setProblem(version ? QString() : tr("Enter a PyTorch version such as 2.9.1."));
}

void NewRepositoryDialog::setBusy(bool busy)
{
    m_busy = busy;
    m_progress->setRange(0, 0);
    m_progress->setVisible(busy);
    for (QWidget *field :
         {static_cast<QWidget *>(m_folder), static_cast<QWidget *>(m_browse), static_cast<QWidget *>(m_pytorch)})
        field->setEnabled(!busy);
    updateButtons();
}

void NewRepositoryDialog::setProblem(const QString &sentence)
{
    m_problem->setSentence(sentence);
}

void NewRepositoryDialog::reject()
{
    if (!m_busy)
        QDialog::reject();
}

} // namespace tmx
