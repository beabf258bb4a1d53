// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/line/ToolkitTable.h"

#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

ToolkitTable::ToolkitTable(std::shared_ptr<const Catalog> catalog, QWidget *parent)
    : QWidget(parent)
    , m_catalog(std::move(catalog))
    , m_grid(new QGridLayout)
    , m_add(new QPushButton(tr("Add a toolkit")))
{
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(6);
    const QString heads[] = {tr("CUDA"), tr("Release"), tr("nixpkgs attribute"), tr("nixpkgs of its own")};
    for (int column = 0; column < int(std::size(heads)); ++column)
        m_grid->addWidget(new Label(heads[column]), 0, column);
    m_grid->setColumnStretch(2, 2);
    m_grid->setColumnStretch(3, 3);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(6);
    layout->addLayout(m_grid);
    layout->addWidget(m_add, 0, Qt::AlignLeft);
    connect(m_add, &QPushButton::clicked, this, [this] {
        const QList<CudaProfile> present = profiles();
        for (const Toolkit &toolkit : m_catalog->toolkits) {
            const auto same = [&toolkit](const CudaProfile &profile) { return profile.version == toolkit.version; };
            if (std::ranges::any_of(present, same))
                continue;
            // Rendered as the others are, until somebody says otherwise.
            addRow({toolkit.version, toolkit.version, toolkit.attribute,
                    present.isEmpty() ? QHash<QString, QString>() : present.constFirst().templates});
            m_rows.constLast().version->setFocus(Qt::OtherFocusReason);
            break;
        }
        Q_EMIT edited();
    });
}

void ToolkitTable::setLine(const Line &line)
{
    if (line.cudas == profiles())
        return; // the caret stays where the user types
    for (const Row &row : std::as_const(m_rows)) {
        for (QWidget *widget :
             std::initializer_list<QWidget *>{row.version, row.release, row.attribute, row.pin, row.remove})
            widget->deleteLater();
    }
    m_rows.clear();
    for (const CudaProfile &cuda : line.cudas)
        addRow(cuda);
}

void ToolkitTable::addRow(const CudaProfile &profile)
{
    Row row{profile,
            new QComboBox,
            new QLineEdit(profile.release),
            new QLineEdit(profile.attribute),
            new QLineEdit(profile.pin.revision),
            new QPushButton(tr("Remove"))};
    for (const Toolkit &toolkit : m_catalog->toolkits)
        row.version->addItem(toolkit.version);
    if (row.version->findText(profile.version) < 0)
        row.version->addItem(profile.version);
    row.version->setCurrentText(profile.version);
    row.release->setMaximumWidth(90);
    row.pin->setPlaceholderText(tr("the line's"));
    const QString which = profile.version;
    row.version->setAccessibleName(tr("Toolkit"));
    describe(row.release, tr("Release of CUDA %1").arg(which), tr("What people say: 12.9.1"));
    row.attribute->setAccessibleName(tr("nixpkgs attribute of CUDA %1").arg(which));
    describe(row.pin, tr("nixpkgs revision of CUDA %1").arg(which),
             tr("A revision of nixpkgs for this toolkit alone, 40 hexadecimal digits"));
    row.remove->setAccessibleName(tr("Remove CUDA %1").arg(which));
    const int at = m_grid->rowCount();
    int column = 0;
    for (QWidget *widget :
         std::initializer_list<QWidget *>{row.version, row.release, row.attribute, row.pin, row.remove})
        m_grid->addWidget(widget, at, column++);
    // Tab goes through the rows before it comes to the button below them.
    QWidget *before = m_rows.isEmpty() ? nullptr : m_rows.constLast().remove;
    for (QWidget *widget :
         std::initializer_list<QWidget *>{row.version, row.release, row.attribute, row.pin, row.remove}) {
        if (before)
            setTabOrder(before, widget);
        before = widget;
    }
    setTabOrder(row.remove, m_add);
    connect(row.version, &QComboBox::activated, this,
            [this, version = row.version, release = row.release, attribute = row.attribute] {
                // Another toolkit is another release and attribute; what was typed for the old one is not its.
                release->setText(version->currentText());
                const Toolkit *toolkit = m_catalog->toolkit(version->currentText());
                attribute->setText(toolkit ? toolkit->attribute : QString());
                Q_EMIT edited();
            });
    for (QLineEdit *edit : {row.release, row.attribute, row.pin})
        connect(edit, &QLineEdit::textEdited, this, &ToolkitTable::edited);
    connect(row.remove, &QPushButton::clicked, this, [this, remove = row.remove] {
        Line line;
        for (const Row &each : std::as_const(m_rows)) {
            if (each.remove != remove)
                line.cudas.append(profileOf(each));
        }
        setLine(line);
        m_add->setFocus(Qt::OtherFocusReason);
        Q_EMIT edited();
    });
    m_rows.append(row);
}

CudaProfile ToolkitTable::profileOf(const Row &row) const
{
    CudaProfile profile = row.profile;
    profile.version = row.version->currentText();
    profile.release = row.release->text().trimmed();
    profile.attribute = row.attribute->text().trimmed();
    const QString pin = row.pin->text().trimmed();
    if (pin != profile.pin.revision)
        profile.pin = {pin, {}, {}}; // hash and Python are those of the old one
    return profile;
}

QList<CudaProfile> ToolkitTable::profiles() const
{
    QList<CudaProfile> profiles;
    for (const Row &row : m_rows)
        profiles.append(profileOf(row));
    return profiles;
}

void ToolkitTable::writeTo(Line &line) const
{
    line.cudas = profiles();
}

} // namespace tmx
