// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/line/LinePage.h"

#include "model/change/SaveSettings.h"
#include "views/line/CoverageGrid.h"
#include "views/line/CoverageModel.h"
#include "views/line/FamilyTable.h"
#include "views/line/ToolkitTable.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace tmx {

LinePage::LinePage(std::shared_ptr<const Catalog> catalog, QWidget *parent)
    : QWidget(parent)
    , m_catalog(std::move(catalog))
    , m_source(new Label({}, Label::Wrapped | Label::Quiet, tr("Where the line comes from")))
    , m_families(new FamilyTable(m_catalog))
    , m_toolkits(new ToolkitTable(m_catalog))
    , m_pin(new QLineEdit)
    , m_pinHash(new QLineEdit)
    , m_torch(new QComboBox)
    , m_torchCatalog(new QLineEdit)
    , m_notation(new QComboBox)
    , m_metadata(new QSpinBox)
    , m_scope(new QComboBox)
    , m_coverage(new CoverageModel(m_catalog, this))
    , m_problem(new Banner(tr("What is wrong with the line")))
    , m_summary(new Label({}, Label::Quiet, tr("What the line promises")))
    , m_revert(new QPushButton(tr("Discard changes")))
    , m_save(new QPushButton(tr("Save…")))
{
    auto *content = new QWidget;
    auto *page = new QVBoxLayout(content);
    page->setContentsMargins(16, 12, 16, 16);
    page->setSpacing(18);
    page->addWidget(m_source);
    addBasics(page);
    addCoverage(page);
    addDetails(page);
    page->addStretch(1);
    auto *area = new QScrollArea;
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(area, 1);
    layout->addWidget(m_problem);
    layout->addWidget(makeFooter());

    connect(m_families, &FamilyTable::edited, this, &LinePage::read);
    connect(m_toolkits, &ToolkitTable::edited, this, &LinePage::read);
    connect(m_coverage, &CoverageModel::edited, this, [this] {
        m_line.coverage = m_coverage->coverage();
        tellEdited();
    });
    for (QLineEdit *edit : {m_pin, m_pinHash, m_torchCatalog})
        connect(edit, &QLineEdit::textEdited, this, &LinePage::read);
    for (QComboBox *box : {m_torch, m_notation})
        connect(box, &QComboBox::activated, this, &LinePage::read);
    connect(m_metadata, &QSpinBox::valueChanged, this, &LinePage::read);
    connect(m_scope, &QComboBox::activated, this,
            [this](int index) { m_coverage->setScope(m_coverage->scopes().value(index)); });
    connect(m_revert, &QPushButton::clicked, this, [this] {
        setLine(m_saved, m_saved);
        Q_EMIT edited();
    });
    connect(m_save, &QPushButton::clicked, this, &LinePage::saveRequested);
    updateButtons();
}

QVBoxLayout *LinePage::addSection(QVBoxLayout *page, const QString &title, const QString &explanation)
{
    auto *section = new QVBoxLayout;
    section->setSpacing(6);
    section->addWidget(new Label(title, Label::Bold));
    if (!explanation.isEmpty())
        section->addWidget(new Label(explanation, Label::Wrapped | Label::Quiet));
    page->addLayout(section);
    return section;
}

void LinePage::addBasics(QVBoxLayout *page)
{
    addSection(page, tr("Families"))->addWidget(m_families);
    addSection(page, tr("CUDA toolkits"))->addWidget(m_toolkits);
    auto *form = new QFormLayout;
    form->setContentsMargins({});
    m_pythonBox = new QWidget;
    auto *row = new QHBoxLayout(m_pythonBox);
    row->setContentsMargins({});
    row->setSpacing(14);
    for (const auto &[python] : m_catalog->pythons) {
        auto *box = new QCheckBox(pythonVersion(python));
        box->setObjectName(python);
        box->setAccessibleName(tr("Python %1").arg(box->text()));
        connect(box, &QCheckBox::clicked, this, &LinePage::read);
        row->addWidget(box);
        m_pythons.append(box);
    }
    row->addStretch();
    m_pin->setPlaceholderText(tr("none: the caller's nixpkgs is used"));
    m_pinHash->setPlaceholderText(tr("of the tarball; may be left out"));
    m_pin->setAccessibleName(tr("nixpkgs revision"));
    m_pinHash->setAccessibleName(tr("sha256 of the nixpkgs tarball"));
    form->addRow(new Label(tr("Python")), m_pythonBox);
    form->addRow(new Label(tr("nixpkgs revision")), m_pin);
    form->addRow(new Label(tr("sha256")), m_pinHash);
    addSection(page, tr("Python and nixpkgs"))->addLayout(form);
}

void LinePage::addCoverage(QVBoxLayout *page)
{
    QVBoxLayout *section =
        addSection(page, tr("Coverage"),
                   tr("What the line promises. Click a cell, or press Space on it; a click on a row's or a column's "
                      "name takes all of it. Hatched cells cannot exist; a line may insist, and the audit says so."));
    m_scope->setAccessibleName(tr("For which families and toolkits"));
    m_scope->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_scope->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    section->addWidget(m_scope);
    section->addWidget(new CoverageGrid(m_coverage));
}

void LinePage::addDetails(QVBoxLayout *page)
{
    auto *form = new QFormLayout;
    form->setContentsMargins({});
    m_torch->addItem(tr("built in place"), int(TorchOrigin::InPlace));
    m_torch->addItem(tr("the recipe beside it"), int(TorchOrigin::Sibling));
    m_torch->addItem(tr("a published package"), int(TorchOrigin::Published));
    m_torch->setAccessibleName(tr("Where companions find torch"));
    m_torchCatalog->setPlaceholderText(tr("organisation that publishes it"));
    m_torchCatalog->setAccessibleName(tr("Organisation that publishes torch"));
    m_notation->addItem(tr("as the PyTorch recipes have it"), int(ArchNotation::Automatic));
    m_notation->addItem(tr("dotted: 9.0"), int(ArchNotation::Dotted));
    m_notation->addItem(tr("sm_90 (PyTorch does not build with it)"), int(ArchNotation::Sm));
    m_notation->setAccessibleName(tr("Notation of the architecture"));
    m_metadata->setRange(0, 9999);
    m_metadata->setSpecialValueText(tr("none"));
    m_metadata->setAccessibleName(tr("Metadata revision"));
    setPlainToolTip(m_metadata,
                    tr("Written into the package, so that a change of its description alone gives another store path"));
    m_metadata->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto *torch = new QHBoxLayout;
    torch->addWidget(m_torch);
    torch->addWidget(m_torchCatalog, 1);
    form->addRow(new Label(tr("Torch of companions")), torch);
    form->addRow(new Label(tr("Architectures are written")), m_notation);
    form->addRow(new Label(tr("Metadata revision")), m_metadata);
    addSection(page, tr("Details"))->addLayout(form);
}

QWidget *LinePage::makeFooter()
{
    auto *footer = new QWidget;
    auto *row = new QHBoxLayout(footer);
    row->setContentsMargins(16, 8, 8, 8);
    row->setSpacing(6);
    m_summary->setMinimumWidth(1);
    setPlainToolTip(m_revert, tr("Shows the line as the branch has it"));
    setPlainToolTip(m_save, tr("Shows what torch-matrix.toml would be, then commits it"));
    m_save->setDefault(true);
    row->addWidget(m_summary, 1);
    row->addWidget(m_revert);
    row->addWidget(m_save);
    return footer;
}

void LinePage::setTemplates(const QHash<QString, QStringList> &templates)
{
    m_families->setTemplates(templates);
    m_families->setLine(m_line);
}

void LinePage::setLine(const Line &saved, const Line &line)
{
    if (saved == m_saved && line == m_line)
        return; // a list that hangs open stays
    m_saved = saved;
    m_line = line;
    showLine(line);
    showSource();
    updateButtons();
}

void LinePage::showLine(const Line &line)
{
    m_families->setLine(line);
    m_toolkits->setLine(line);
    for (QCheckBox *box : std::as_const(m_pythons))
        box->setChecked(line.pythons.contains(box->objectName()));
    const std::pair<QLineEdit *, QString> texts[] = {
        {m_pin, line.pin.revision}, {m_pinHash, line.pin.sha256}, {m_torchCatalog, line.torchCatalog}};
    for (const auto &[edit, text] : texts) {
        if (edit->text() == text)
            continue;
        edit->setText(text);
        edit->setCursorPosition(0);
    }
    m_torch->setCurrentIndex(m_torch->findData(int(line.torchOrigin)));
    m_notation->setCurrentIndex(m_notation->findData(int(line.archNotation)));
    {
        const QSignalBlocker quiet(m_metadata);
        m_metadata->setValue(line.metadataRev);
    }
    m_coverage->setLine(line);
    showScopes();
}

void LinePage::setFileTrouble(const QString &sentence)
{
    m_fileTrouble = sentence;
    showSource();
}

void LinePage::showSource()
{
    if (!m_fileTrouble.isEmpty()) {
        m_source->setText(tr("%1 Below is the line of branch %2 as it is without that file. Mend the file, or save "
                             "this line in its place.")
                              .arg(m_fileTrouble, m_saved.branch));
        return;
    }
    switch (m_saved.source) {
    case Line::Source::BuiltIn:
        m_source->setText(tr("Branch %1 follows the line of that name that the program knows. Saving writes "
                             "torch-matrix.toml to the branch, which goes "
                             "before it from then on.")
                              .arg(m_saved.branch));
        return;
    case Line::Source::File:
        m_source->setText(tr("The line of branch %1 is described by its torch-matrix.toml.").arg(m_saved.branch));
        return;
    case Line::Source::Inferred:
        m_source->setText(tr("Nothing says what branch %1 builds: this was inferred from its recipes. Check it, and "
                             "save it as torch-matrix.toml.")
                              .arg(m_saved.branch));
        return;
    }
}

void LinePage::showScopes()
{
    m_scope->clear();
    for (const CoverageModel::Scope &scope : m_coverage->scopes()) {
        const QStringList parts = scope.families + scope.cudas;
        m_scope->addItem(parts.isEmpty() ? tr("For all families and toolkits")
                                         : tr("Only for %1").arg(parts.join(", "_L1)));
    }
    m_scope->setCurrentIndex(int(m_coverage->scopes().indexOf(m_coverage->scope())));
    m_scope->setVisible(m_scope->count() > 1);
}

void LinePage::read()
{
    const QList<CudaProfile> before = m_line.cudas;
    m_toolkits->writeTo(m_line);
    m_families->writeTo(m_line); // after the toolkits, whose templates it may take away
    QStringList pythons;
    for (const QString &python :
         std::as_const(m_line.pythons)) { // the order is the line's: the first is the one that is taken first
        const auto box = std::find_if(m_pythons.cbegin(), m_pythons.cend(),
                                      [&python](const QCheckBox *one) { return one->objectName() == python; });
        if (box == m_pythons.cend() || (*box)->isChecked())
            pythons.append(python);
    }
    for (const QCheckBox *box : std::as_const(m_pythons)) {
        if (box->isChecked() && !pythons.contains(box->objectName()))
            pythons.append(box->objectName());
    }
    m_line.pythons = pythons;
    const QString revision = m_pin->text().trimmed();
    if (revision != m_line.pin.revision)
        m_line.pin.python3.clear(); // of another nixpkgs it is not known
    m_line.pin.revision = revision;
    m_line.pin.sha256 = m_pinHash->text().trimmed();
    m_line.torchOrigin = TorchOrigin(m_torch->currentData().toInt());
    m_line.torchCatalog = m_torchCatalog->text().trimmed();
    m_line.archNotation = ArchNotation(m_notation->currentData().toInt());
    m_line.metadataRev = m_metadata->value();
    if (m_line.cudas != before) {
        m_coverage->setLine(m_line); // another toolkit makes other cells possible
        showScopes();
    }
    tellEdited();
}

void LinePage::tellEdited()
{
    m_sound = false; // until somebody has looked at it
    updateButtons();
    Q_EMIT edited();
}

void LinePage::setVerdict(const LineVerdict &verdict)
{
    m_sound = verdict.problem.isEmpty();
    m_problem->setSentence(m_sound && !verdict.warning.isEmpty() ? tr("Warning: %1").arg(verdict.warning)
                                                                 : verdict.problem);
    QString text = verdict.promised == 1 ? tr("Promises 1 variant") : tr("Promises %1 variants").arg(verdict.promised);
    if (verdict.impossible > 0)
        text = tr("%1, %2 of which cannot exist").arg(text).arg(verdict.impossible);
    m_summary->setText(m_sound ? text + u'.' : QString());
    updateButtons();
}

void LinePage::updateButtons()
{
    m_torchCatalog->setEnabled(m_line.torchOrigin == TorchOrigin::Published);
    m_revert->setEnabled(isEdited());
    m_save->setEnabled(m_sound && (isEdited() || m_saved.source != Line::Source::File));
}

} // namespace tmx
