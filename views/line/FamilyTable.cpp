// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/line/FamilyTable.h"

#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QSignalBlocker>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

// Data of an entry that leaves each toolkit its own template.
const QString mixed = u"*"_s;

/// The template of a family's GPU recipes: that of the line, of all toolkits, or `mixed` where they differ.
QString gpuTemplateOf(const Line &line, const QString &family)
{
    QStringList templates;
    for (const CudaProfile &cuda : line.cudas)
        templates.append(cuda.templates.value(family, line.gpuTemplates.value(family)));
    templates.removeDuplicates();
    return templates.isEmpty()     ? line.gpuTemplates.value(family)
           : templates.size() == 1 ? templates.constFirst()
                                   : mixed;
}

void setOrRemove(QHash<QString, QString> &values, const QString &key, const QString &value)
{
    if (value.isEmpty())
        values.remove(key);
    else
        values.insert(key, value);
}

} // namespace

FamilyTable::FamilyTable(const std::shared_ptr<const Catalog> &catalog, QWidget *parent)
    : QWidget(parent)
{
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins({});
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    const QString heads[] = {tr("Family"),       tr("Version"),         tr("GPU template"),
                             tr("CPU template"), tr("Prefix of pname"), tr("Hash of the source")};
    for (int column = 0; column < int(std::size(heads)); ++column)
        grid->addWidget(new Label(heads[column]), 0, column);
    grid->setColumnStretch(2, 3);
    grid->setColumnStretch(3, 3);
    grid->setColumnStretch(4, 2);
    grid->setColumnStretch(5, 3);
    for (const Family &family : catalog->families) {
        Row row{family.id,    new QCheckBox(family.title), new QLineEdit, new QComboBox, new QComboBox, new QLineEdit,
                new QLineEdit};
        row.version->setMaximumWidth(100);
        row.version->setPlaceholderText(tr("none"));
        row.prefix->setPlaceholderText(tr("the canonical name"));
        row.hash->setPlaceholderText(tr("nixpkgs' source"));
        setPlainToolTip(row.promised, tr("The line promises this family"));
        row.version->setAccessibleName(tr("Version of %1").arg(family.title));
        row.gpu->setAccessibleName(tr("Template of %1's GPU recipes").arg(family.title));
        row.cpu->setAccessibleName(tr("Template of %1's CPU recipes").arg(family.title));
        row.prefix->setAccessibleName(tr("Prefix of %1's pname").arg(family.title));
        describe(row.hash, tr("Hash of %1's source").arg(family.title),
                 tr("SRI hash of the fetched source, where the line upgrades what its nixpkgs has"));
        const int at = grid->rowCount();
        int column = 0;
        for (QWidget *widget :
             std::initializer_list<QWidget *>{row.promised, row.version, row.gpu, row.cpu, row.prefix, row.hash})
            grid->addWidget(widget, at, column++);
        connect(row.gpu, &QComboBox::activated, this, [this, id = row.id] { m_gpuChosen.insert(id); });
        for (QComboBox *box : {row.gpu, row.cpu}) {
            box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
            box->setMinimumContentsLength(10);
            connect(box, &QComboBox::activated, this, &FamilyTable::edited);
        }
        for (QLineEdit *edit : {row.version, row.prefix, row.hash})
            connect(edit, &QLineEdit::textEdited, this, &FamilyTable::edited);
        connect(row.promised, &QCheckBox::clicked, this, &FamilyTable::edited);
        m_rows.append(row);
    }
}

void FamilyTable::setTemplates(const QHash<QString, QStringList> &templates)
{
    m_templates = templates;
}

void FamilyTable::offer(QComboBox *box, const QString &family, const QString &chosen) const
{
    box->clear();
    box->addItem(tr("the family's own"), QString());
    QStringList names = m_templates.value(family);
    if (!chosen.isEmpty() && chosen != mixed && !names.contains(chosen))
        names.append(chosen);
    for (const QString &name : std::as_const(names))
        box->addItem(name.section(u'/', -1), name);
    if (chosen == mixed)
        box->addItem(tr("by toolkit"), mixed);
    box->setCurrentIndex(qMax(0, box->findData(chosen)));
}

void FamilyTable::setLine(const Line &line)
{
    const QStringList promised = line.familyIds();
    m_gpuChosen.clear();
    for (const Row &row : std::as_const(m_rows)) {
        row.promised->setChecked(promised.contains(row.id));
        const std::pair<QLineEdit *, QString> texts[] = {{row.version, line.versions.value(row.id)},
                                                         {row.prefix, line.pnamePrefixes.value(row.id)},
                                                         {row.hash, line.hashes.value(row.id)}};
        for (const auto &[edit, text] : texts) {
            if (edit->text() == text)
                continue; // the caret stays where the user types
            edit->setText(text);
            edit->setCursorPosition(0); // a long one shows its beginning
        }
        offer(row.gpu, row.id, gpuTemplateOf(line, row.id));
        offer(row.cpu, row.id, line.cpuTemplates.value(row.id));
    }
}

void FamilyTable::writeTo(Line &line) const
{
    QStringList promised;
    for (const Row &row : m_rows) {
        setOrRemove(line.versions, row.id, row.version->text().trimmed());
        setOrRemove(line.pnamePrefixes, row.id, row.prefix->text().trimmed());
        setOrRemove(line.hashes, row.id, row.hash->text().trimmed());
        setOrRemove(line.cpuTemplates, row.id, row.cpu->currentData().toString());
        if (const QString gpu = row.gpu->currentData().toString(); gpu != mixed && m_gpuChosen.contains(row.id)) {
            setOrRemove(line.gpuTemplates, row.id, gpu);
            for (CudaProfile &cuda : line.cudas)
                cuda.templates.remove(row.id);
        }
        if (row.promised->isChecked())
            promised.append(row.id);
    }
    // Families that the catalog does not know stay as they are.
    const auto known = [this](const QString &id) {
        return std::ranges::any_of(m_rows, [&id](const Row &row) { return row.id == id; });
    };
    for (const QString &id : line.familyIds()) {
        if (!known(id))
            promised.append(id);
    }
    QStringList versioned = line.versions.keys();
    QStringList sorted = promised;
    versioned.sort();
    sorted.sort();
    line.families = sorted == versioned ? QStringList() : promised;
}

} // namespace tmx
