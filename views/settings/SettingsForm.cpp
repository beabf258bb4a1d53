// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/settings/SettingsForm.h"

#include "views/widgets/Buttons.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFocusEvent>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// Check boxes side by side. The label's buddy is the first box: a focus proxy would be an extra Tab stop.
class BoxRow : public QWidget
{
public:
    BoxRow()
    {
        setFocusPolicy(Qt::ClickFocus);
        auto *row = new QHBoxLayout(this);
        row->setContentsMargins({});
        row->setSpacing(14);
        row->addStretch();
    }

protected:
    void focusInEvent(QFocusEvent *event) override
    {
        if (auto *first = findChild<QCheckBox *>())
            first->setFocus(event->reason());
    }
};

QFormLayout *makeForm()
{
    auto *form = new QFormLayout;
    form->setContentsMargins({});
    form->setHorizontalSpacing(10);
    form->setVerticalSpacing(6);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    return form;
}

void addHeads(QGridLayout *grid, const QStringList &heads)
{
    grid->setContentsMargins({});
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    for (int column = 0; column < heads.size(); ++column) {
        auto *head = new ElidedLabel(Label::Quiet, {}, Qt::ElideRight); // it must not widen the form
        head->setFullText(heads.at(column));
        grid->addWidget(head, 0, column);
    }
}

void addCells(QGridLayout *grid, const QList<QWidget *> &cells)
{
    const int row = grid->rowCount();
    for (int column = 0; column < cells.size(); ++column)
        grid->addWidget(cells.at(column), row, column);
}

/// Escapes "&", so that nothing becomes a mnemonic.
QString literal(QString text)
{
    return text.replace(u'&', u"&&"_s);
}

/// Keeps the caret while the user types; a long text shows its beginning.
void setText(QLineEdit *edit, const QString &text)
{
    if (edit->text() == text)
        return;
    edit->setText(text);
    edit->setCursorPosition(0);
}

template <class Fields>
QWidgetList widgetsOf(const Fields &fields)
{
    QWidgetList widgets;
    for (const auto &[key, widget] : fields)
        widgets.append(widget);
    return widgets;
}

/// The checked ones, in the order of `first`, then in the order of the boxes.
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

SettingsForm::SettingsForm(std::shared_ptr<const Catalog> catalog, Extent extent, QWidget *parent)
    : QWidget(parent)
    , m_catalog(std::move(catalog))
    , m_extent(extent)
    , m_families(new QGridLayout)
    , m_cudaBox(new BoxRow)
    , m_pythonBox(new BoxRow)
    , m_pin(new QLineEdit)
    , m_known(new QPushButton(tr("Known")))
    , m_pins(new QMenu(this))
    , m_pinHash(new QLineEdit)
    , m_fetchNote(new Label({}, Label::Narrow | Label::Quiet | Label::Selectable, tr("Fetched hash")))
    , m_details(new QWidget(this))
    , m_toolkitBox(new QWidget)
    , m_toolkits(new QGridLayout(m_toolkitBox))
    , m_torch(new QComboBox)
    , m_torchCatalog(new QLineEdit)
    , m_fetched(new QWidget)
    , m_torchAddress(new QLineEdit)
    , m_torchRevision(new QLineEdit)
    , m_torchHash(new QLineEdit)
    , m_blas(new QComboBox)
    , m_notation(new QComboBox)
    , m_metadata(new QSpinBox)
    , m_values{{u"nixpkgs"_s, m_pin},
               {u"nixpkgs_sha256"_s, m_pinHash},
               {u"blas"_s, m_blas},
               {u"torch_source"_s, m_torch},
               {u"torch_catalog"_s, m_torchCatalog},
               {u"torch_repository"_s, m_torchAddress},
               {u"torch_rev"_s, m_torchRevision},
               {u"torch_sha256"_s, m_torchHash},
               {u"arch_notation"_s, m_notation},
               {u"metadata_rev"_s, m_metadata}}
{
    addHeads(m_families,
             {tr("Family"), tr("Version"), tr("Hash"), tr("GPU template"), tr("CPU template"), tr("pname")});
    for (const auto &[column, stretch] : {std::pair(2, 3), std::pair(3, 3), std::pair(4, 3), std::pair(5, 3)})
        m_families->setColumnStretch(column, stretch);
    QFormLayout *form = makeForm();
    form->addRow(new Label(tr("CU&DA"), m_cudaBox), m_cudaBox);
    form->addRow(new Label(tr("&Python"), m_pythonBox), m_pythonBox);
    form->addRow(new Label(tr("ni&xpkgs revision"), m_pin), makePinRow());
    m_blas->addItem(tr("the template's default: OpenBLAS"), toString(Blas::Default));
    m_blas->addItem(tr("OpenBLAS, in NumPy too"), toString(Blas::OpenBlas));
    m_blas->addItem(tr("Intel MKL (x86_64 only; unfree)"), toString(Blas::Mkl));
    describe(m_blas, tr("Linear algebra on the CPU"),
             tr("Set with an overlay on nixpkgs' blas and lapack. With MKL, recipes for ARM keep OpenBLAS."));
    m_blas->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    form->addRow(new Label(tr("B&LAS"), m_blas), m_blas);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(10);
    layout->addLayout(m_families);
    layout->addLayout(form);
    layout->addWidget(m_fetchNote);
    m_fetchNote->hide();
    for (QWidget *row : {m_cudaBox, m_pythonBox}) {
        if (extent == Extent::Versions)
            form->setRowVisible(row, false);
    }
    makeDetails();
    for (const QString &family : m_catalog->familyIds())
        addFamily(family);
    for (const Toolkit &toolkit : m_catalog->toolkits)
        addToolkit(toolkit.version);
    for (const auto &[python] : m_catalog->pythons)
        addPython(python);
    connect(m_pin, &QLineEdit::textEdited, this, &SettingsForm::takePin);
    watch(widgetsOf(m_values));
    connect(m_torch, &QComboBox::currentIndexChanged, this, &SettingsForm::showTorch);
    setFields({});
}

QHBoxLayout *SettingsForm::makePinRow()
{
    m_pin->setPlaceholderText(tr("none: the caller's nixpkgs"));
    m_pin->setAccessibleName(tr("nixpkgs revision"));
    m_pin->setWhatsThis(
        tr("The pin: the commit of nixpkgs that each recipe fetches and builds with. The same pin gives the same "
           "compiler and libraries on every machine. Without a pin, a recipe uses the caller's nixpkgs."));
    describe(m_pinHash, tr("sha256 of the nixpkgs tarball"), tr("Hash of the revision's tarball; optional"));
    m_pinHash->setPlaceholderText(tr("optional"));
    auto *nixpkgs = new QHBoxLayout;
    nixpkgs->setSpacing(8);
    m_known->setMenu(m_pins);
    m_known->setAutoDefault(false);
    describe(m_known, tr("Known nixpkgs revisions"), tr("Choose a revision that a branch of your repositories has"));
    connect(m_pins, &QMenu::aboutToShow, this, [this] {
        if (m_pins->isEmpty())
            m_pins->addAction(tr("Reading the branches\u2026"))->setEnabled(false);
        Q_EMIT pinsRequested();
    });
    nixpkgs->addWidget(m_pin, 1);
    nixpkgs->addWidget(m_known);
    nixpkgs->addWidget(new Label(tr("sha25&6"), m_pinHash));
    nixpkgs->addWidget(withFetch(u"nixpkgs"_s, m_pinHash, m_pin, tr("Fetch the hash of the nixpkgs tarball")), 1);
    return nixpkgs;
}

void SettingsForm::makeDetails()
{
    m_details->hide();
    addHeads(m_toolkits, {tr("CUDA"), tr("Release"), tr("nixpkgs attribute"), tr("Own nixpkgs revision")});
    m_toolkits->setColumnStretch(2, 2);
    m_toolkits->setColumnStretch(3, 3);
    m_torch->addItem(tr("built in place"), toString(TorchOrigin::InPlace));
    m_torch->addItem(tr("the recipe beside it"), toString(TorchOrigin::Sibling));
    m_torch->addItem(tr("a published package"), toString(TorchOrigin::Published));
    m_torch->addItem(tr("a recipe of another repository"), toString(TorchOrigin::Fetched));
    m_torch->setAccessibleName(tr("Where companions find torch"));
    m_torchCatalog->setPlaceholderText(tr("organisation that publishes it"));
    m_torchCatalog->setAccessibleName(tr("Organisation that publishes torch"));
    m_notation->addItem(tr("as in the PyTorch recipes"), toString(ArchNotation::Automatic));
    m_notation->addItem(tr("dotted: 9.0"), toString(ArchNotation::Dotted));
    m_notation->addItem(tr("sm_90 (PyTorch does not build with it)"), toString(ArchNotation::Sm));
    m_notation->setAccessibleName(tr("Notation of the architecture"));
    m_metadata->setRange(0, 9999);
    m_metadata->setSpecialValueText(tr("none"));
    describe(m_metadata, tr("Metadata revision"),
             tr("Part of the package's output. Increase it to get a new store path after you change the "
                "description."));
    m_metadata->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto *torch = new QHBoxLayout;
    torch->addWidget(m_torch);
    torch->addWidget(m_torchCatalog, 1);
    QFormLayout *form = makeForm();
    m_torchAddress->setPlaceholderText(tr("OWNER/NAME or URL"));
    describe(m_torchAddress, tr("Repository of the PyTorch recipes"),
             tr("OWNER/NAME on GitHub, the URL of a repository, or the URL of an archive with {rev} in it."));
    m_torchRevision->setPlaceholderText(tr("commit, 40 digits"));
    m_torchRevision->setAccessibleName(tr("Commit of the PyTorch recipes"));
    m_torchHash->setPlaceholderText(tr("optional"));
    m_torchHash->setAccessibleName(tr("sha256 of the PyTorch recipes"));
    auto *fetched = new QHBoxLayout(m_fetched);
    fetched->setContentsMargins({});
    fetched->setSpacing(8);
    fetched->addWidget(m_torchAddress, 2);
    fetched->addWidget(m_torchRevision, 2);
    fetched->addWidget(new Label(tr("sha256"), m_torchHash));
    fetched->addWidget(m_torchHash, 1);
    form->addRow(new Label(tr("&Torch of companions"), m_torch), torch);
    form->addRow(QString(), m_fetched);
    form->addRow(new Label(tr("Archit&ecture notation"), m_notation), m_notation);
    form->addRow(new Label(tr("&Metadata revision"), m_metadata), m_metadata);
    auto *layout = new QVBoxLayout(m_details);
    layout->setContentsMargins({});
    layout->setSpacing(10);
    layout->addWidget(m_toolkitBox);
    layout->addLayout(form);
}

void SettingsForm::addFamily(const QString &id)
{
    const QString title = m_catalog->titleOf(id);
    auto *version = new QLineEdit, *hash = new QLineEdit, *prefix = new QLineEdit;
    QComboBox *gpu = makeChoice(tr("Template of %1's GPU recipes").arg(title));
    QComboBox *cpu = makeChoice(tr("Template of %1's CPU recipes").arg(title));
    const FamilyRow row{id,
                        new QCheckBox(literal(title)),
                        {{u"version"_s, version},
                         {u"hash"_s, hash},
                         {u"gpu_template"_s, gpu},
                         {u"cpu_template"_s, cpu},
                         {u"pname_prefix"_s, prefix}}};
    row.built->setEnabled(m_extent == Extent::Everything);
    version->setMaximumWidth(80);
    version->setPlaceholderText(tr("none"));
    hash->setPlaceholderText(tr("default"));
    prefix->setPlaceholderText(tr("name of the variant"));
    describe(row.built, title, tr("The branch builds %1").arg(title));
    version->setAccessibleName(tr("Version of %1").arg(title));
    describe(hash, tr("Hash of %1's source").arg(title),
             tr("SRI hash of the fetched source. Empty: the hash in nixpkgs; needed if nixpkgs has a different "
                "version."));
    prefix->setAccessibleName(tr("Prefix of %1's pname").arg(title));
    for (QComboBox *box : {gpu, cpu}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(5);
    }
    const QWidgetList cells = QWidgetList{row.built} + widgetsOf(row.fields);
    QWidgetList shown = cells;
    shown[shown.indexOf(hash)] = withFetch(id, hash, version, tr("Fetch the hash of %1's source").arg(title));
    addCells(m_families, shown);
    connect(version, &QLineEdit::textEdited, this, [this, row] { takeVersion(row); });
    watch(cells);
    m_familyRows.append(row);
}

QCheckBox *SettingsForm::addBox(QWidget *row, const QString &id, const QString &text, const QString &name)
{
    auto *box = new QCheckBox(literal(text));
    box->setObjectName(id);
    box->setAccessibleName(name);
    auto *layout = static_cast<QHBoxLayout *>(row->layout());
    layout->insertWidget(layout->count() - 1, box);
    return box;
}

void SettingsForm::addToolkit(const QString &version)
{
    const Toolkit *toolkit = m_catalog->toolkit(version);
    auto *release = new QLineEdit(version), *pin = new QLineEdit;
    auto *attribute = new QLineEdit(toolkit ? toolkit->attribute : QString());
    const ToolkitRow row{addBox(m_cudaBox, version, version, tr("CUDA %1").arg(version)),
                         new Label(version),
                         {{u"release"_s, release}, {u"attribute"_s, attribute}, {u"nixpkgs"_s, pin}}};
    release->setMaximumWidth(90);
    pin->setPlaceholderText(tr("as above"));
    describe(release, tr("Release of CUDA %1").arg(version), tr("The release in full, such as 12.9.1"));
    attribute->setAccessibleName(tr("nixpkgs attribute of CUDA %1").arg(version));
    describe(pin, tr("nixpkgs revision of CUDA %1").arg(version),
             tr("A revision of nixpkgs for this toolkit, 40 hexadecimal digits"));
    addCells(m_toolkits, QWidgetList{row.label} + widgetsOf(row.fields));
    connect(row.box, &QCheckBox::clicked, this, &SettingsForm::showToolkits);
    watch(QWidgetList{row.box} + widgetsOf(row.fields));
    m_toolkitRows.append(row);
}

void SettingsForm::addPython(const QString &python)
{
    const QString version = pythonVersion(python);
    m_pythons.append(addBox(m_pythonBox, python, version, tr("Python %1").arg(version)));
    watch({m_pythons.constLast()});
}

void SettingsForm::watch(const QList<QWidget *> &fields)
{
    for (QWidget *field : fields) {
        if (const auto *edit = qobject_cast<QLineEdit *>(field))
            connect(edit, &QLineEdit::textEdited, this, &SettingsForm::edited);
        else if (const auto *box = qobject_cast<QComboBox *>(field))
            connect(box, &QComboBox::activated, this, &SettingsForm::edited);
        else if (const auto *check = qobject_cast<QCheckBox *>(field))
            connect(check, &QCheckBox::clicked, this, &SettingsForm::edited);
        else if (const auto *spin = qobject_cast<QSpinBox *>(field))
            connect(spin, &QSpinBox::valueChanged, this, &SettingsForm::edited);
    }
}

/// Sets the Tab order to the reading order; rows may be created last.
void SettingsForm::orderTabs()
{
    QWidgetList fields;
    for (const FamilyRow &row : std::as_const(m_familyRows)) {
        const Fetch fetch = m_fetches.value(row.id);
        for (QWidget *widget : QWidgetList{row.built} + widgetsOf(row.fields))
            fields += widget == fetch.hash ? QWidgetList{widget, fetch.button} : QWidgetList{widget};
    }
    for (const ToolkitRow &row : std::as_const(m_toolkitRows))
        fields += row.box;
    for (QCheckBox *box : std::as_const(m_pythons))
        fields += box;
    fields += QWidgetList{m_pin, m_known, m_pinHash, m_fetches.value(u"nixpkgs"_s).button, m_blas};
    for (qsizetype i = 1; i < fields.size(); ++i)
        setTabOrder(fields.at(i - 1), fields.at(i));
    fields.clear();
    for (const ToolkitRow &row : std::as_const(m_toolkitRows))
        fields += widgetsOf(row.fields);
    fields +=
        QWidgetList{m_torch, m_torchCatalog, m_torchAddress, m_torchRevision, m_torchHash, m_notation, m_metadata};
    for (qsizetype i = 1; i < fields.size(); ++i)
        setTabOrder(fields.at(i - 1), fields.at(i));
}

void SettingsForm::setTemplates(const QHash<QString, QStringList> &templates)
{
    m_templates = templates;
    for (const FamilyRow &row : std::as_const(m_familyRows)) {
        for (const QString &key : {u"gpu_template"_s, u"cpu_template"_s})
            offerTemplates(choiceOf(row, key), row.id, choiceOf(row, key)->currentData().toString());
    }
}

QLineEdit *SettingsForm::editOf(const FamilyRow &row, const QString &key)
{
    return qobject_cast<QLineEdit *>(std::ranges::find(row.fields, key, &ValueFields::value_type::first)->second);
}

QComboBox *SettingsForm::choiceOf(const FamilyRow &row, const QString &key)
{
    return qobject_cast<QComboBox *>(std::ranges::find(row.fields, key, &ValueFields::value_type::first)->second);
}

void SettingsForm::showValues(const ValueFields &fields, const SettingsValues &values, const QString &family) const
{
    for (const auto &[key, field] : fields) {
        const QString value = values.value(key, settingOf(key)->byDefault());
        const QSignalBlocker quiet(field);
        if (auto *edit = qobject_cast<QLineEdit *>(field))
            setText(edit, value);
        else if (auto *spin = qobject_cast<QSpinBox *>(field))
            spin->setValue(value.toInt());
        else if (auto *box = qobject_cast<QComboBox *>(field); settingOf(key)->scope == Setting::Templates)
            offerTemplates(box, family, value);
        else
            box->setCurrentIndex(box->findData(value));
    }
}

void SettingsForm::takeValues(const ValueFields &fields, SettingsValues &values)
{
    for (const auto &[key, field] : fields) {
        const auto *edit = qobject_cast<const QLineEdit *>(field);
        const auto *spin = qobject_cast<const QSpinBox *>(field);
        const QString value = edit   ? edit->text().trimmed()
                              : spin ? QString::number(spin->value())
                                     : qobject_cast<const QComboBox *>(field)->currentData().toString();
        const Setting &setting = *settingOf(key);
        if (value != values.value(key, setting.byDefault()))
            setting.put(values, value);
    }
}

void SettingsForm::offerTemplates(QComboBox *box, const QString &family, const QString &chosen) const
{
    box->clear();
    box->addItem(tr("the family's own"), QString());
    box->setItemData(0, tr("own", "template, in a narrow choice"), shortTextRole);
    QStringList names = m_templates.value(family);
    if (!chosen.isEmpty() && chosen != SettingsFields::mixed && !names.contains(chosen))
        names.append(chosen);
    for (const QString &name : std::as_const(names))
        box->addItem(name.section(u'/', -1), name);
    if (chosen == SettingsFields::mixed)
        box->addItem(tr("by toolkit"), chosen);
    box->setCurrentIndex(qMax(0, box->findData(chosen)));
}

void SettingsForm::setFields(const SettingsFields &fields)
{
    m_shown = fields;
    for (const SettingsFields::Family &family : fields.families) {
        if (std::ranges::find(m_familyRows, family.id, &FamilyRow::id) == m_familyRows.end())
            addFamily(family.id);
    }
    const auto hasBox = [](const QList<QCheckBox *> &boxes, const QString &id) {
        return std::ranges::any_of(boxes, [&id](const QCheckBox *box) { return box->objectName() == id; });
    };
    for (const SettingsFields::Toolkit &toolkit : fields.toolkits) {
        if (!hasBox(m_cudaBox->findChildren<QCheckBox *>(), toolkit.version))
            addToolkit(toolkit.version);
    }
    for (const QString &python : fields.pythons) {
        if (!hasBox(m_pythons, python))
            addPython(python);
    }
    orderTabs();

    for (const FamilyRow &row : std::as_const(m_familyRows)) {
        const SettingsFields::Family family = fields.family(row.id);
        row.built->setChecked(family.built);
        showValues(row.fields, family.values, row.id);
        for (QWidget *widget : QWidgetList{row.built, m_fetches.value(row.id).button} + widgetsOf(row.fields))
            widget->setVisible(m_extent == Extent::Everything || family.built);
    }
    for (const ToolkitRow &row : std::as_const(m_toolkitRows)) {
        const SettingsFields::Toolkit toolkit = fields.toolkit(row.box->objectName());
        row.box->setChecked(!toolkit.version.isEmpty());
        if (row.box->isChecked())
            showValues(row.fields, toolkit.values);
    }
    showToolkits();
    for (QCheckBox *box : std::as_const(m_pythons))
        box->setChecked(fields.pythons.contains(box->objectName()));
    showValues(m_values, fields.values);
    showTorch();
}

SettingsFields SettingsForm::fields() const
{
    SettingsFields fields;
    for (const FamilyRow &row : m_familyRows) {
        fields.families.append({row.id, row.built->isChecked(), m_shown.family(row.id).values});
        takeValues(row.fields, fields.families.last().values);
    }
    // What no field shows belongs to the revision that was shown.
    const auto take = [](const ValueFields &from, SettingsValues &values, const QStringList &unseen) {
        const QString pin = u"nixpkgs"_s, before = values.value(pin);
        takeValues(from, values);
        for (const QString &key : unseen) {
            if (values.value(pin) != before)
                values.remove(key);
        }
    };
    QStringList shown;
    for (const SettingsFields::Toolkit &toolkit : m_shown.toolkits)
        shown.append(toolkit.version);
    QList<QCheckBox *> boxes;
    for (const ToolkitRow &row : m_toolkitRows)
        boxes.append(row.box);
    for (const QString &version : checkedOf(boxes, shown)) {
        const auto row = std::ranges::find_if(
            m_toolkitRows, [&version](const ToolkitRow &one) { return one.box->objectName() == version; });
        fields.toolkits.append({version, m_shown.toolkit(version).values});
        take(row->fields, fields.toolkits.last().values, {u"nixpkgs_sha256"_s, u"nixpkgs_python3"_s});
    }
    fields.pythons = checkedOf(m_pythons, m_shown.pythons);
    fields.values = m_shown.values;
    take(m_values, fields.values, {u"nixpkgs_python3"_s});
    return fields;
}

void SettingsForm::takeVersion(const FamilyRow &row)
{
    const QString versionKey = u"version"_s, hashKey = u"hash"_s;
    const auto shownOf = [this](const QString &id, const QString &key) { return m_shown.family(id).values.value(key); };
    const auto showHash = [&](const FamilyRow &of) {
        const bool same = editOf(of, versionKey)->text().trimmed() == shownOf(of.id, versionKey);
        if (QLineEdit *hash = editOf(of, hashKey); !hash->isModified())
            setText(hash, same ? shownOf(of.id, hashKey) : QString());
    };
    showHash(row);
    if (row.id != "pytorch"_L1)
        return;
    // Versions that the user chose stay; the others follow PyTorch's version.
    const QString version = editOf(row, versionKey)->text().trimmed();
    for (const FamilyRow &other : std::as_const(m_familyRows)) {
        const Family *family = m_catalog->family(other.id);
        const QString shown = shownOf(other.id, versionKey);
        QLineEdit *edit = editOf(other, versionKey);
        if (!family || !family->companion || shown.isEmpty() || edit->isModified())
            continue;
        const QString companion = version == shownOf(row.id, versionKey) ? QString() : family->versionFor(version);
        setText(edit, companion.isEmpty() ? shown : companion);
        showHash(other);
    }
}

void SettingsForm::setPins(const QList<std::pair<QString, QString>> &pins)
{
    m_pins->clear();
    for (const auto &[revision, text] : pins) {
        m_pins->addAction(literal(text), this, [this, revision] {
            m_pin->setText(revision);
            Q_EMIT m_pin->textEdited(revision);
        });
    }
    if (pins.isEmpty())
        m_pins->addAction(tr("No branch has a pin"))->setEnabled(false);
}

QWidget *SettingsForm::withFetch(const QString &id, QLineEdit *hash, const QLineEdit *version, const QString &name)
{
    auto *box = new QWidget;
    auto *row = new QHBoxLayout(box);
    row->setContentsMargins({});
    row->setSpacing(4);
    auto *button = new QPushButton(tr("Fetch"));
    button->setAutoDefault(false);
    // The field beside it is narrow in a small dialog.
    button->setFixedWidth(fontMetrics().horizontalAdvance(button->text()) + 2 * fontMetrics().averageCharWidth() + 8);
    describe(button, name, tr("Nix downloads the source and computes its hash"));
    row->addWidget(hash, 1);
    row->addWidget(button);
    m_fetches.insert(id, {hash, button});
    connect(button, &QPushButton::clicked, this, [this, id, version] {
        const QString wanted = version->text().trimmed();
        if (m_fetches.value(id).runs)
            Q_EMIT hashStopRequested(id);
        else if (wanted.isEmpty())
            setHashProblem(id, tr("Enter %1 first.").arg(version->accessibleName()));
        else
            Q_EMIT hashRequested(id, wanted);
    });
    return box;
}

void SettingsForm::showFetch(const QString &id, const QString &text, bool runs)
{
    Fetch &fetch = m_fetches[id];
    fetch.runs = runs;
    fetch.button->setText(runs ? tr("Stop") : tr("Fetch"));
    m_fetchNote->setText(text);
    m_fetchNote->setVisible(!text.isEmpty());
}

void SettingsForm::setHashProgress(const QString &id, const QString &text)
{
    showFetch(id, text, true);
}

void SettingsForm::setHash(const QString &id, const QString &hash)
{
    showFetch(id, {}, false);
    QLineEdit *edit = m_fetches.value(id).hash;
    setText(edit, hash);
    edit->setModified(true);
    Q_EMIT edit->textEdited(hash);
}

void SettingsForm::setHashProblem(const QString &id, const QString &sentence)
{
    showFetch(id, sentence, false);
}

void SettingsForm::takePin()
{
    const bool same = m_pin->text().trimmed() == m_shown.values.value(u"nixpkgs"_s);
    if (!m_pinHash->isModified())
        setText(m_pinHash, same ? m_shown.values.value(u"nixpkgs_sha256"_s) : QString());
}

void SettingsForm::showTorch()
{
    const QString origin = m_torch->currentData().toString();
    m_torchCatalog->setEnabled(origin == toString(TorchOrigin::Published));
    m_fetched->setVisible(origin == toString(TorchOrigin::Fetched));
}

void SettingsForm::showToolkits()
{
    bool any = false;
    for (const ToolkitRow &row : std::as_const(m_toolkitRows)) {
        any = any || row.box->isChecked();
        for (QWidget *widget : QWidgetList{row.label} + widgetsOf(row.fields))
            widget->setVisible(row.box->isChecked());
    }
    m_toolkitBox->setVisible(any);
}

} // namespace tmx
