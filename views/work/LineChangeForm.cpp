// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/work/LineChangeForm.h"

#include "views/widgets/Label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// A row of widgets as one field of a form.
QWidget *inARow(const QList<std::pair<QWidget *, int>> &widgets)
{
    auto *box = new QWidget;
    auto *row = new QHBoxLayout(box);
    row->setContentsMargins({});
    for (const auto &[widget, stretch] : widgets)
        row->addWidget(widget, stretch);
    return box;
}

/// Checks what `now` says; what somebody has set to other than `before` stays.
void check(const QList<QCheckBox *> &boxes, const QStringList &before, const QStringList &now)
{
    for (QCheckBox *box : boxes) {
        if (box->isChecked() == before.contains(box->objectName()))
            box->setChecked(now.contains(box->objectName()));
    }
}

void fill(QLineEdit *edit, const QString &before, const QString &now)
{
    if (edit->text().trimmed() != before || before == now)
        return;
    edit->setText(now);
    edit->setCursorPosition(0);
}

/// In the order of `first`, then as the boxes stand.
QStringList checkedOf(const QList<QCheckBox *> &boxes, const QStringList &first)
{
    QStringList checked;
    for (const QCheckBox *box : boxes) {
        if (box->isChecked())
            checked.append(box->objectName());
    }
    std::ranges::stable_sort(
        checked, {}, [&first](const QString &id) { return first.contains(id) ? first.indexOf(id) : first.size(); });
    return checked;
}

} // namespace

LineChangeForm::LineChangeForm(Kind kind, std::shared_ptr<const Catalog> catalog, const QStringList &branches,
                               const QString &branch, QWidget *parent)
    : WorkForm(parent)
    , m_kind(kind)
    , m_catalog(std::move(catalog))
    , m_left(new QFormLayout)
    , m_right(new QFormLayout)
    , m_pin(new QLineEdit)
    , m_pinHash(new QLineEdit)
    , m_branch(branch)
    , m_note(new Label({}, Label::Wrapped | Label::Quiet))
{
    for (QFormLayout *form : {m_left, m_right}) {
        form->setContentsMargins({});
        form->setHorizontalSpacing(10);
        form->setVerticalSpacing(6);
        form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    }
    auto *columns = new QHBoxLayout;
    columns->setSpacing(24);
    for (QFormLayout *form : {m_left, m_right}) {
        // Rows keep together at the top, whichever column has more of them.
        auto *column = new QVBoxLayout;
        column->addLayout(form);
        column->addStretch(1);
        columns->addLayout(column, 1);
    }
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addLayout(columns);
    layout->addWidget(m_note);
    if (kind == Kind::Derive) {
        addNames(branches, branch);
        addToolkits();
    }
    m_note->setText(explanation());
    addPin();
}

void LineChangeForm::addNames(const QStringList &branches, const QString &branch)
{
    m_from = new QComboBox;
    m_from->addItems(branches);
    m_from->setCurrentText(branch);
    m_from->setAccessibleName(tr("Branch to begin with"));
    m_name = new QLineEdit;
    m_name->setAccessibleName(tr("Name of the new branch"));
    // One line, so that what is below it does not jump.
    m_nameProblem = new ElidedLabel(Label::Quiet, tr("What is wrong with the name"));
    m_left->addRow(tr("&From branch"), m_from);
    m_left->addRow(tr("&New branch"), m_name);
    m_left->addRow({}, m_nameProblem);
    connect(m_from, &QComboBox::currentTextChanged, this, [this](const QString &from) {
        m_branch = from;
        m_known = false;
        Q_EMIT lineWanted(from);
    });
    connect(m_name, &QLineEdit::textEdited, this, &LineChangeForm::edited);
    setFocusProxy(m_name);
}

void LineChangeForm::addToolkits()
{
    QList<std::pair<QWidget *, int>> cudas;
    for (const Toolkit &toolkit : m_catalog->toolkits) {
        auto *box = new QCheckBox(toolkit.version);
        box->setObjectName(toolkit.version);
        box->setAccessibleName(tr("CUDA %1").arg(toolkit.version));
        m_cudas.append(box);
        cudas.append({box, 0});
    }
    QList<std::pair<QWidget *, int>> pythons;
    for (const auto &[python] : m_catalog->pythons) {
        auto *box = new QCheckBox(pythonVersion(python));
        box->setObjectName(python);
        box->setAccessibleName(tr("Python %1").arg(box->text()));
        m_pythons.append(box);
        pythons.append({box, 0});
    }
    for (auto *row : {&cudas, &pythons})
        row->append({new QWidget, 1});
    for (QCheckBox *box : m_cudas + m_pythons)
        connect(box, &QCheckBox::clicked, this, &LineChangeForm::edited);
    m_right->addRow(tr("CUDA"), inARow(cudas));
    m_right->addRow(tr("Python"), inARow(pythons));
}

void LineChangeForm::addPin()
{
    m_pin->setPlaceholderText(tr("none: the caller's nixpkgs is used"));
    m_pin->setAccessibleName(tr("nixpkgs revision"));
    m_pinHash->setPlaceholderText(tr("of a new revision's tarball; may be left out"));
    m_pinHash->setAccessibleName(tr("sha256 of the nixpkgs tarball"));
    m_right->addRow(tr("n&ixpkgs revision"), m_pin);
    m_right->addRow(tr("sha256"), m_pinHash);
    for (QLineEdit *edit : {m_pin, m_pinHash})
        connect(edit, &QLineEdit::textEdited, this, &LineChangeForm::edited);
}

void LineChangeForm::addFamily(const QString &family)
{
    FamilyRow row{family, new QLineEdit, new QLineEdit};
    const Family *known = m_catalog->family(family);
    const QString title = known ? known->title : family;
    row.version->setMaximumWidth(90);
    row.version->setAccessibleName(tr("Version of %1").arg(title));
    row.hash->setPlaceholderText(tr("hash of a new version's source, where asked for"));
    row.hash->setAccessibleName(tr("Hash of %1's source").arg(title));
    connect(row.version, &QLineEdit::textEdited, this, [this, pytorch = family == "pytorch"_L1] {
        if (pytorch)
            takePyTorch();
        Q_EMIT edited();
    });
    connect(row.hash, &QLineEdit::textEdited, this, &LineChangeForm::edited);
    m_left->addRow(new Label(title), inARow({{row.version, 0}, {row.hash, 1}}));
    if (m_kind == Kind::Migrate) {
        row.gpu = new QComboBox;
        row.cpu = new QComboBox;
        row.gpu->setAccessibleName(tr("Template of %1's GPU recipes").arg(title));
        row.cpu->setAccessibleName(tr("Template of %1's CPU recipes").arg(title));
        for (QComboBox *box : {row.gpu, row.cpu}) {
            box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
            box->setMinimumContentsLength(12);
            connect(box, &QComboBox::activated, this, &LineChangeForm::edited);
        }
        m_left->addRow(tr("GPU, CPU template"), inARow({{row.gpu, 1}, {row.cpu, 1}}));
        if (!focusProxy())
            setFocusProxy(row.version);
    }
    m_families.append(row);
}

void LineChangeForm::setLine(const Line &line)
{
    const SettingsChange before = m_known || !m_families.isEmpty() ? unchanged(m_line) : SettingsChange{};
    m_line = line;
    m_branch = line.branch;
    m_known = true;
    for (const QString &family : line.familyIds()) {
        if (std::ranges::find(m_families, family, &FamilyRow::id) == m_families.end())
            addFamily(family);
    }
    showLine(before, unchanged(line));
    fillTemplates();
    orderTabs();
    Q_EMIT edited();
}

/// As it is read; the rows of families came last.
void LineChangeForm::orderTabs()
{
    QWidgetList fields{m_from, m_name};
    for (const FamilyRow &row : std::as_const(m_families))
        fields += QWidgetList{row.version, row.hash, row.gpu, row.cpu};
    for (QCheckBox *box : m_cudas + m_pythons)
        fields.append(box);
    fields += QWidgetList{m_pin, m_pinHash};
    fields.removeAll(nullptr);
    for (qsizetype i = 1; i < fields.size(); ++i)
        setTabOrder(fields.at(i - 1), fields.at(i));
}

void LineChangeForm::showLine(const SettingsChange &before, const SettingsChange &now)
{
    for (const FamilyRow &row : std::as_const(m_families)) {
        const bool there = now.versions.contains(row.id);
        fill(row.version, before.versions.value(row.id), now.versions.value(row.id));
        m_left->setRowVisible(row.version->parentWidget(), there);
        if (row.gpu)
            m_left->setRowVisible(row.gpu->parentWidget(), there);
    }
    check(m_cudas, before.cudas.value_or(QStringList()), *now.cudas);
    check(m_pythons, before.pythons.value_or(QStringList()), *now.pythons);
    fill(m_pin, before.pin.value_or(QString()), *now.pin);
}

void LineChangeForm::takePyTorch()
{
    const SettingsChange now = wish();
    // Versions that somebody has chosen stay; the others follow PyTorch's.
    const SettingsChange wanted = withPyTorch(*m_catalog, unchanged(m_line), now.versions.value(u"pytorch"_s));
    for (const FamilyRow &row : std::as_const(m_families)) {
        if (!row.version->isModified())
            row.version->setText(wanted.versions.value(row.id));
    }
}

void LineChangeForm::setTemplates(const QHash<QString, QStringList> &templates)
{
    m_templates = templates;
    fillTemplates();
}

void LineChangeForm::fillTemplates()
{
    for (const FamilyRow &row : std::as_const(m_families)) {
        if (!row.gpu)
            continue;
        for (const auto &[box, asItIs] :
             {std::pair(row.gpu, tr("GPU: as it is")), std::pair(row.cpu, tr("CPU: as it is"))}) {
            const QString chosen = box->currentData().toString();
            box->clear();
            box->addItem(asItIs, QString());
            for (const QString &name : m_templates.value(row.id))
                box->addItem(name.section(u'/', 1), name);
            box->setCurrentIndex(qMax(0, box->findData(chosen)));
        }
    }
}

SettingsChange LineChangeForm::wish() const
{
    SettingsChange wish = unchanged(m_line);
    for (const FamilyRow &row : m_families) {
        if (!wish.versions.contains(row.id))
            continue;
        wish.versions.insert(row.id, row.version->text().trimmed());
        wish.hashes.insert(row.id, row.hash->text().trimmed());
        if (row.gpu && !row.gpu->currentData().toString().isEmpty())
            wish.gpuTemplates.insert(row.id, row.gpu->currentData().toString());
        if (row.cpu && !row.cpu->currentData().toString().isEmpty())
            wish.cpuTemplates.insert(row.id, row.cpu->currentData().toString());
    }
    if (m_kind == Kind::Derive) {
        wish.cudas = checkedOf(m_cudas, *wish.cudas);
        wish.pythons = checkedOf(m_pythons, *wish.pythons);
    }
    wish.pin = m_pin->text().trimmed();
    wish.pinHash = m_pinHash->text().trimmed();
    return wish;
}

ChangeRequest LineChangeForm::request() const
{
    const SettingsChange change = differing(m_line, wish());
    if (m_kind == Kind::Derive)
        return DeriveRequest{m_branch, m_name->text().trimmed(), change};
    return MigrateRequest{m_branch, change};
}

QString LineChangeForm::explanation() const
{
    return m_kind == Kind::Derive ? tr("The coverage is kept, but for cells that cannot exist with the new toolkits; "
                                       "the Line page changes it afterwards.")
                                  : tr("Recipes that are as their template gives them are rendered anew; customised "
                                       "ones stay unless you tick them.");
}

QString LineChangeForm::missing() const
{
    return m_kind == Kind::Migrate && differing(m_line, wish()) == SettingsChange{}
               ? tr("Nothing is to change yet: choose another version, nixpkgs or template.")
               : QString();
}

void LineChangeForm::setChanges(const QList<ChangeSet> &changes)
{
    const ChangeSet change = changes.value(0);
    if (m_nameProblem) {
        // Beside the name only the reason is needed.
        QString why =
            change.refusal ? u"%1. %2"_s.arg(change.refusal->why, change.refusal->remedy).trimmed() : QString();
        if (!why.isEmpty())
            why[0] = why.at(0).toUpper();
        m_nameProblem->setFullText(why);
    }
    const QString asked = m_pin->text().trimmed();
    // Not what the field says, and nobody typed it: built-in settings bring theirs.
    const QString pin = change.settings && !change.files.isEmpty() ? change.settings->pin.revision : asked;
    m_note->setText(pin != asked ? tr("%1 Built-in settings build this version with this toolkit: their nixpkgs (%2), "
                                      "templates and hashes are taken.")
                                       .arg(explanation(), pin.left(10))
                                 : explanation());
}

} // namespace tmx
