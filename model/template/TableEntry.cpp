// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/template/TableEntry.h"

#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/nix/Parse.h"
#include "model/nix/Walk.h"
#include "model/recipe/Edits.h"
#include "model/recipe/NixText.h"
#include "model/recipe/RecipeFacts.h"
#include "model/template/VariantMentions.h"

#include <QSet>

#include <algorithm>
#include <functional>
#include <set>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// What a table has an entry for: one of these is set.
struct TableSubject {
    const GpuRow *row = nullptr;
    const Isa *isa = nullptr;
    const Toolkit *toolkit = nullptr;
    explicit operator bool() const { return row || isa || toolkit; }
};

QString underscored(const QString &version)
{
    return QString(version).replace(u'.', u'_');
}

/// The values of the catalog for it, always in the same order.
QStringList valuesOf(const TableSubject &of)
{
    if (of.row)
        return {of.row->capability, of.row->id.mid(2), of.row->id};
    if (of.isa)
        return {of.isa->id, of.isa->title, of.isa->platform, of.isa->platform.section(u'-', 0, 0),
                of.isa->flags.join(u' ')};
    return {of.toolkit->version,
            underscored(of.toolkit->version),
            QString(of.toolkit->version).remove(u'.'),
            of.toolkit->version.section(u'.', 0, 0),
            of.toolkit->attribute,
            of.toolkit->ownDriver,
            of.toolkit->ownDriver.section(u'.', 0, 0),
            of.toolkit->compatibleDriver,
            of.toolkit->compatibleDriver.section(u'.', 0, 0)};
}

std::optional<QString> textOf(const nix::Node *node)
{
    const auto text = node ? nix::plainText(node) : std::nullopt;
    return text ? std::optional(QString::fromUtf8(text->data(), qsizetype(text->size()))) : std::nullopt;
}

std::optional<QStringList> listOf(const nix::Node *node)
{
    const auto *list = nix::as<nix::List>(node);
    if (!list)
        return {};
    QStringList items;
    for (const nix::Node *element : list->elements) {
        const std::optional<QString> text = textOf(element);
        if (!text)
            return {};
        items.append(*text);
    }
    return items;
}

QByteArray quoted(const QString &text)
{
    return '"' + inNixQuotes(text).toUtf8() + '"';
}

QStringList sorted(QStringList list)
{
    list.sort();
    return list;
}

/// The ways to write a toolkit.
QStringList waysToWrite(const Toolkit &toolkit)
{
    return {underscored(toolkit.version), toolkit.version, u"cuda"_s + underscored(toolkit.version), toolkit.attribute};
}

/// "12_8" and "12.8".
struct RowValue {
    QString written;
    QString value;
};

/// The values of one kind that lists for GPUs have, by the catalog's order: the versions of toolkits, or the ids of
/// instruction sets of one platform.
struct RowValues {
    bool areToolkits = false;
    qsizetype way = 0; ///< to write toolkits
    QString platform;  ///< of instruction sets

    /// The kind of which all these are; nullopt: none.
    static std::optional<RowValues> of(const Catalog &catalog, const QStringList &items)
    {
        if (items.isEmpty())
            return {};
        for (qsizetype way = 0; way < waysToWrite({}).size(); ++way) {
            if (std::ranges::all_of(items, [&](const QString &item) {
                    return std::ranges::any_of(
                        catalog.toolkits, [&](const Toolkit &toolkit) { return waysToWrite(toolkit).at(way) == item; });
                }))
                return RowValues{true, way, {}};
        }
        const Isa *first = catalog.isa(items.constFirst());
        if (!first || std::ranges::any_of(items, [&](const QString &item) {
                const Isa *isa = catalog.isa(item);
                return !isa || isa->platform != first->platform;
            }))
            return {};
        return RowValues{false, 0, first->platform};
    }

    /// All values as they are written, in the catalog's order, with the version or the id of each.
    [[nodiscard]] QList<RowValue> all(const Catalog &catalog) const
    {
        QList<RowValue> values;
        if (areToolkits) {
            for (const Toolkit &toolkit : catalog.toolkits)
                values.append({waysToWrite(toolkit).at(way), toolkit.version});
            return values;
        }
        for (const Isa &isa : catalog.isas) {
            if (isa.platform == platform)
                values.append({isa.id, isa.id});
        }
        return values;
    }
    [[nodiscard]] QString valueOf(const Variant &variant) const { return areToolkits ? variant.cuda : variant.isa; }
    /// The values that variants of the row, or of another entry, have, as they are written, in the catalog's order.
    template <class Covers>
    [[nodiscard]] QStringList had(const Catalog &catalog, const Covers &covers, const QList<Variant> &by) const
    {
        QSet<QString> there;
        for (const Variant &variant : by) {
            if (covers(variant))
                there.insert(valueOf(variant));
        }
        QStringList values;
        for (const RowValue &one : all(catalog)) {
            if (there.contains(one.value))
                values.append(one.written);
        }
        return values;
    }
};

/// The list for a row: of these values those that exist; of `variants`, if it is not empty, all that these have.
std::optional<QStringList> listOfRow(const Catalog &catalog, const GpuRow &row, const QStringList &values,
                                     const QList<Variant> &variants)
{
    const std::optional<RowValues> kind = RowValues::of(catalog, values);
    if (!kind)
        return {};
    if (!variants.isEmpty())
        return kind->had(catalog, [&row](const Variant &variant) { return variant.row == row.id; }, variants);
    QStringList fitting;
    for (const RowValue &one : kind->all(catalog)) {
        const bool fits = std::ranges::any_of(catalog.toolkits, [&](const Toolkit &toolkit) {
            const Variant variant{{}, {}, toolkit.version, row.id, kind->areToolkits ? QString() : one.value};
            return (!kind->areToolkits || toolkit.version == one.value) && catalog.validity(variant, QString()).valid;
        });
        if (fits && values.contains(one.written))
            fitting.append(one.written);
    }
    return fitting;
}

/// How the keys of a table name what their entries are for.
using Notation = std::function<TableSubject(const Catalog &, const QString &)>;
Notation notationOf(int number)
{
    const auto row = [](QString (*key)(const GpuRow &)) {
        return [key](const Catalog &catalog, const QString &text) {
            const auto found = std::ranges::find_if(
                catalog.rows, [&](const GpuRow &each) { return each.isGpu() && key(each) == text; });
            return TableSubject{.row = found == catalog.rows.end() ? nullptr : &*found};
        };
    };
    const auto toolkit = [](qsizetype way) {
        return [way](const Catalog &catalog, const QString &text) {
            const auto found = std::ranges::find_if(
                catalog.toolkits, [&](const Toolkit &each) { return waysToWrite(each).at(way) == text; });
            return TableSubject{.toolkit = found == catalog.toolkits.end() ? nullptr : &*found};
        };
    };
    switch (number) {
    case 0: return row([](const GpuRow &each) { return each.id.mid(2); });
    case 1: return row([](const GpuRow &each) { return each.id; });
    case 2: return row([](const GpuRow &each) { return each.capability; });
    case 3: return [](const Catalog &catalog, const QString &text) { return TableSubject{.isa = catalog.isa(text)}; };
    case 4:
    case 5:
    case 6:
    case 7: return toolkit(number - 4);
    default: return {};
    }
}

/// Whether that many of `all` are enough to see how values follow from the catalog.
bool isEnough(qsizetype count, qsizetype all)
{
    return count >= 2 && 3 * count >= 2 * all;
}

/// One table, with an entry to be added.
class Table
{
public:
    Table(const Catalog &catalog, const QByteArray &text, const nix::Tree &tree, const nix::Attributes &set,
          const QList<Variant> &variants)
        : m_catalog(catalog)
        , m_text(text)
        , m_tree(tree)
        , m_variants(variants)
    {
        for (const nix::Attribute &attribute : set.attributes) {
            if (attribute.kind == nix::Attribute::Plain && attribute.binding && attribute.value &&
                attribute.binding->kind == nix::Binding::Value && attribute.binding->names.size() == 1)
                m_entries.append({nameOf(attribute), {}, &attribute});
        }
    }

    /// The edit that adds the entry; the error's `why` names what is not known. `only`: its value, if it is known.
    Result<Edit> with(const QString &key, const std::optional<QByteArray> &only = {})
    {
        const auto failed = [](const QString &why) { return Error{{}, {}, why, {}}; };
        if (!chooseNotation(key, only ? 1 : 2))
            return failed(Tr::tr("it has no entry \"%1\", and the catalog does not know what that is").arg(key));
        const Entry &model = neighbour();
        Edits edits{{model.attribute->name.offset, model.attribute->name.length, keyLike(model, key)}};
        const auto *fields = nix::as<nix::Attributes>(model.attribute->value);
        QStringList unknown;
        const auto fill = [&](const QString &field, const nix::Node *value, const nix::Binding *binding) {
            const std::optional<QByteArray> source = only ? only : valueFor(field);
            if (source && source->isEmpty() && binding)
                edits.append(lineOf(*binding));
            else if (source)
                edits.append({value->span.offset, value->span.length, *source});
            else
                unknown.append(field.isEmpty() ? Tr::tr("its value") : field);
        };
        if (!fields) {
            fill({}, model.attribute->value, nullptr);
        } else {
            for (const nix::Attribute &field : fields->attributes) {
                if (field.kind != nix::Attribute::Plain || !field.value || field.binding->names.size() != 1)
                    unknown.append(nameOf(field));
                else
                    fill(nameOf(field), field.value, field.binding);
            }
        }
        for (const nix::Comment &comment : m_tree.comments()) {
            if (comment.span.offset >= model.attribute->binding->span.offset &&
                comment.span.end() <= model.attribute->binding->span.end())
                edits.append(commentIn(comment.span));
        }
        if (!unknown.isEmpty())
            return failed(
                Tr::tr("it has no entry \"%1\", and the catalog does not tell %2").arg(key, enumerated(unknown)));
        m_begin = model.attribute->binding->span.offset;
        const QByteArray own = m_text.sliced(m_begin, model.attribute->binding->span.length);
        for (Edit &edit : edits)
            edit.offset -= m_begin;
        const std::optional<QByteArray> entry = edited(own, edits);
        if (!entry)
            return failed(Tr::tr("it has no entry \"%1\", and its entries cannot be copied").arg(key));
        return placed(*entry, *model.attribute->binding);
    }

private:
    struct Entry {
        QString key;
        TableSubject subject;
        const nix::Attribute *attribute = nullptr;
    };

    /// Chooses the notation that most keys, at least so many, have and `key` has too, and keeps their entries. False:
    /// there is none.
    bool chooseNotation(const QString &key, qsizetype least)
    {
        qsizetype most = 0;
        for (int number = 0; const Notation notation = notationOf(number); ++number) {
            const TableSubject subject = notation(m_catalog, key);
            const auto named = std::ranges::count_if(
                m_entries, [&](const Entry &entry) { return bool(notation(m_catalog, entry.key)); });
            const bool isMost = isEnough(named, m_entries.size()) || (named >= least && named == m_entries.size());
            if (!subject || !isMost || named <= most)
                continue;
            most = named;
            m_subject = subject;
            for (Entry &entry : m_entries)
                entry.subject = notation(m_catalog, entry.key);
        }
        m_entries.removeIf([](const Entry &entry) { return !entry.subject; });
        return most > 0;
    }

    /// The edit that puts the text beside the entry that it was made from.
    [[nodiscard]] Edit placed(const QByteArray &entry, const nix::Binding &model) const
    {
        const qsizetype line = m_text.lastIndexOf('\n', qsizetype(m_begin)) + 1;
        const QByteArray indent = m_text.sliced(line, m_begin - line);
        const bool ownLine = indent.trimmed().isEmpty();
        if (!m_modelFollows) {
            qsizetype end = qsizetype(model.span.end());
            if (const qsizetype stop = m_text.indexOf('\n', end);
                ownLine && stop >= 0 && m_text.sliced(end, stop - end).trimmed().startsWith('#'))
                end = stop;
            return Edit{quint32(end), 0, (ownLine ? '\n' + indent : QByteArray(" ")) + entry};
        }
        return Edit{m_begin, 0, entry + (ownLine ? '\n' + indent : QByteArray(" "))};
    }

    [[nodiscard]] QString nameOf(const nix::Attribute &attribute) const
    {
        const std::string_view name = m_tree.name(attribute.symbol);
        return QString::fromUtf8(name.data(), qsizetype(name.size()));
    }

    [[nodiscard]] QByteArray keyLike(const Entry &model, const QString &key) const
    {
        return m_text.at(model.attribute->name.offset) == '"' ? '"' + key.toUtf8() + '"' : key.toUtf8();
    }

    [[nodiscard]] Edit lineOf(const nix::Binding &binding) const
    {
        qsizetype begin = qsizetype(binding.span.offset);
        qsizetype end = qsizetype(binding.span.end());
        while (begin > 0 && (m_text.at(begin - 1) == ' ' || m_text.at(begin - 1) == '\t'))
            --begin;
        if (begin > 0 && m_text.at(begin - 1) == '\n')
            --begin;
        return {quint32(begin), quint32(end - begin), {}};
    }

    [[nodiscard]] Edit commentIn(const nix::Span &span) const
    {
        qsizetype begin = qsizetype(span.offset);
        while (begin > 0 && (m_text.at(begin - 1) == ' ' || m_text.at(begin - 1) == '\t'))
            --begin;
        const bool alone = begin > 0 && m_text.at(begin - 1) == '\n';
        return {quint32(alone ? begin - 1 : begin), quint32(span.end() - begin + alone), {}};
    }

    /// The position of what an entry is for, in the order of the catalog.
    [[nodiscard]] qsizetype rank(const TableSubject &of) const
    {
        return of.row   ? of.row - m_catalog.rows.constData()
               : of.isa ? of.isa - m_catalog.isas.constData()
                        : of.toolkit - m_catalog.toolkits.constData();
    }

    /// Whether both need the same kind of entry: GPUs for the same hosts, instruction sets of the same CPUs.
    [[nodiscard]] bool isAlike(const TableSubject &a, const TableSubject &b) const
    {
        return a.row ? a.row->platforms == b.row->platforms : !a.isa || a.isa->platform == b.isa->platform;
    }

    /// The entry that the new one is written like and beside.
    [[nodiscard]] const Entry &neighbour()
    {
        const auto order = [this](const Entry &entry) { return rank(entry.subject); };
        const qsizetype own = rank(m_subject);
        const Entry *before = nullptr;
        const Entry *after = nullptr;
        for (const Entry &entry : std::as_const(m_entries)) {
            if (order(entry) < own && (!before || order(entry) > order(*before)))
                before = &entry;
            if (order(entry) > own && (!after || order(entry) < order(*after)))
                after = &entry;
        }
        m_modelFollows = !before;
        return before ? *before : after ? *after : m_entries.constFirst();
    }

    [[nodiscard]] const nix::Node *valueIn(const Entry &entry, const QString &field) const
    {
        if (field.isEmpty())
            return entry.attribute->value;
        const auto *set = nix::as<nix::Attributes>(entry.attribute->value);
        const nix::Attribute *found = set ? set->find(m_tree.symbol(field.toStdString())) : nullptr;
        return found && found->kind == nix::Attribute::Plain ? found->value : nullptr;
    }

    [[nodiscard]] QByteArray sourceOf(const nix::Node *node) const
    {
        return m_text.sliced(node->span.offset, node->span.length);
    }

    static QByteArray listed(const QStringList &items)
    {
        QByteArray source = "[ ";
        for (const QString &item : items)
            source += quoted(item) + ' ';
        return source + ']';
    }

    /// The new entry's value of a field; empty: the field is left out; nullopt: unknown.
    [[nodiscard]] std::optional<QByteArray> valueFor(const QString &field) const
    {
        QList<std::pair<const Entry *, const nix::Node *>> values;
        std::set<QByteArray> sources;
        std::set<QByteArray> alike;
        qsizetype without = 0; // entries like the new one
        for (const Entry &entry : m_entries) {
            const nix::Node *value = valueIn(entry, field);
            if (value) {
                values.append({&entry, value});
                sources.insert(sourceOf(value));
            }
            if (!isAlike(entry.subject, m_subject))
                continue;
            without += !value;
            if (value)
                alike.insert(sourceOf(value));
        }
        const bool isOptional = values.size() < m_entries.size();
        if (isOptional && alike.empty() && without > 0)
            return QByteArray();
        if (const std::optional<QString> text = textFor(values))
            return quoted(*text);
        if (const std::optional<QStringList> list = listFor(values))
            return listed(*list);
        if (sources.size() == 1 && values.size() > 1)
            return *sources.begin();
        // Few values, the same one for all that are alike: it depends on the host.
        if (alike.size() == 1 && sources.size() < 4 && without == 0)
            return *alike.begin();
        return isOptional && without > 0 ? std::optional(QByteArray()) : std::nullopt;
    }

    [[nodiscard]] std::optional<QString> textFor(const QList<std::pair<const Entry *, const nix::Node *>> &values) const
    {
        QList<std::pair<TableSubject, QString>> texts;
        for (const auto &[entry, value] : values) {
            if (const std::optional<QString> text = textOf(value))
                texts.append({entry->subject, *text});
        }
        if (texts.isEmpty() || texts.size() < values.size())
            return {};
        const QStringList own = valuesOf(m_subject);
        qsizetype best = 0;
        QString wanted;
        for (qsizetype i = 0; i < own.size(); ++i) {
            for (const auto &[subject, text] : std::as_const(texts)) {
                const QString part = valuesOf(subject).at(i);
                const qsizetype at = part.isEmpty() ? -1 : text.indexOf(part);
                if (at < 0 || own.at(i).isEmpty())
                    continue;
                const QString before = text.left(at);
                const QString after = text.mid(at + part.size());
                const auto count = std::ranges::count_if(
                    texts, [&](const auto &one) { return one.second == before + valuesOf(one.first).at(i) + after; });
                if (isEnough(count, texts.size()) && count > best) {
                    best = count;
                    wanted = before + own.at(i) + after;
                }
            }
        }
        if (best > 0)
            return wanted;
        if (!m_subject.row)
            return {};
        const auto isGeneration = [](const auto &one) {
            return one.first.row->generation == one.second || one.first.row->generation.startsWith(one.second + u' ');
        };
        if (isEnough(std::ranges::count_if(texts, isGeneration), texts.size())) {
            const auto same = std::ranges::find_if(
                texts, [this](const auto &one) { return m_subject.row->generation.startsWith(one.second + u' '); });
            return same == texts.end() ? m_subject.row->generation : same->second;
        }
        const auto namesProduct = [](const auto &one) {
            return std::ranges::any_of(one.first.row->products,
                                       [&one](const QString &product) { return one.second.contains(product); });
        };
        if (isEnough(std::ranges::count_if(texts, namesProduct), texts.size()))
            return m_subject.row->products.first(std::min<qsizetype>(3, m_subject.row->products.size())).join(", "_L1);
        return {};
    }

    [[nodiscard]] std::optional<QStringList>
    listFor(const QList<std::pair<const Entry *, const nix::Node *>> &values) const
    {
        QList<std::pair<TableSubject, QStringList>> lists;
        QStringList all; // items in the order of the longest list
        for (const auto &[entry, value] : values) {
            const std::optional<QStringList> items = listOf(value);
            if (!items)
                continue;
            lists.append({entry->subject, *items});
            all = items->size() > all.size() ? *items : all;
        }
        if (lists.isEmpty() || all.isEmpty())
            return {};
        // First by what the branch has.
        for (const QList<Variant> &variants : {m_variants, QList<Variant>()}) {
            const auto wantedBy = [&](const TableSubject &subject) -> std::optional<QStringList> {
                return subject.isa   ? std::optional(subject.isa->flags)
                       : subject.row ? listOfRow(m_catalog, *subject.row, all, variants)
                                     : std::nullopt;
            };
            const auto count = std::ranges::count_if(lists, [&](const auto &one) {
                const std::optional<QStringList> wanted = wantedBy(one.first);
                return wanted && sorted(*wanted) == sorted(one.second);
            });
            if (isEnough(count, values.size()))
                return wantedBy(m_subject);
        }
        return {};
    }

    const Catalog &m_catalog;
    const QByteArray &m_text;
    const nix::Tree &m_tree;
    const QList<Variant> &m_variants;
    QList<Entry> m_entries;
    TableSubject m_subject; ///< that the new entry is for
    quint32 m_begin = 0;
    bool m_modelFollows = false;
};

/// What an entry of a table is for: a GPU, or the release and the Python that its key names, "0.27-313".
struct EntryKey {
    QString row;
    QString key;

    /// nullopt: another kind of table. `number`: of the notation, beyond those of rows for versions.
    static std::optional<EntryKey> of(const Catalog &catalog, const QString &key, int number)
    {
        static const QRegularExpression version(u"^(?:\\d+[._]\\d+|(?:python)?3\\d{1,2}|3\\.\\d{1,2})"
                                                "(?:-(?:\\d+[._]\\d+|(?:python)?3\\d{1,2}))*\\z"_s);
        if (number < rowNotations) {
            const GpuRow *row = notationOf(number)(catalog, key).row;
            return row ? std::optional(EntryKey{row->id, {}}) : std::nullopt;
        }
        return version.match(key).hasMatch() ? std::optional(EntryKey{{}, key}) : std::nullopt;
    }
    static constexpr int rowNotations = 3;

    [[nodiscard]] QString title() const { return row.isEmpty() ? key : row; }
    [[nodiscard]] bool operator()(const Variant &variant) const
    {
        if (!row.isEmpty())
            return variant.row == row;
        const QString release = FamilyName::of(variant.family).release({});
        const QStringList names{release, underscored(release), variant.python, variant.python.mid(6),
                                pythonVersion(variant.python)};
        return !release.isEmpty() &&
               std::ranges::all_of(key.split(u'-'), [&names](const QString &part) { return names.contains(part); });
    }
};

/// The lists of one field in the entries of a table whose keys are GPUs or versions.
struct FieldOfRows {
    RowValues kind;
    QList<std::pair<EntryKey, const nix::List *>> lists;
};

/// All of them in a file.
QList<FieldOfRows> fieldsOfRows(const Catalog &catalog, const nix::Tree &tree)
{
    QList<FieldOfRows> fields;
    const auto nameOf = [&tree](const nix::Attribute &attribute) {
        const std::string_view name = tree.name(attribute.symbol);
        return QString::fromUtf8(name.data(), qsizetype(name.size()));
    };
    nix::forEachNode(tree.root(), [&](const nix::Node &node) {
        const auto *set = nix::as<nix::Attributes>(&node);
        for (int number = 0; set && number <= EntryKey::rowNotations; ++number) {
            QMap<QString, QList<std::pair<EntryKey, const nix::List *>>> lists; // by field
            qsizetype keys = 0;
            for (const nix::Attribute &entry : set->attributes) {
                const std::optional<EntryKey> key = EntryKey::of(catalog, nameOf(entry), number);
                const auto *values = key ? nix::as<nix::Attributes>(entry.value) : nullptr;
                keys += key ? 1 : 0;
                if (!values)
                    continue;
                for (const nix::Attribute &field : values->attributes) {
                    if (const auto *list = nix::as<nix::List>(field.value); list && listOf(list))
                        lists[nameOf(field)].append({*key, list});
                }
            }
            if (!isEnough(keys, qsizetype(set->attributes.size())))
                continue;
            for (const auto &some : std::as_const(lists)) {
                QStringList all;
                for (const auto &[key, list] : some)
                    all += *listOf(list);
                if (const auto kind = RowValues::of(catalog, all))
                    fields.append({*kind, some});
            }
            return;
        }
    });
    return fields;
}

/// The edit that puts an item into a list, in the order of `order`, parted as the others are.
Edit itemAdded(const QByteArray &text, const nix::List &list, const QString &item, const QStringList &order)
{
    const QByteArray source = quoted(item);
    if (list.elements.empty())
        return {list.span.offset, list.span.length, "[ " + source + " ]"};
    const auto end = [](const nix::Node *node) { return node->span.end(); };
    QByteArray parting = " ";
    if (list.elements.size() > 1)
        parting = text.sliced(end(list.elements[0]), list.elements[1]->span.offset - end(list.elements[0]));
    for (const nix::Node *element : list.elements) {
        if (order.indexOf(*textOf(element)) > order.indexOf(item))
            return {element->span.offset, 0, source + parting};
    }
    return {end(list.elements[list.elements.size() - 1]), 0, parting + source};
}

/// Calls `take` with each list of a file that lacks the variant: the field and the entry's key with the list, what it
/// lacks, as it is written there, and whether the lists there have what the branch has, with some of `created`.
template <class Take>
void forEachListLacking(const Catalog &catalog, const QByteArray &text, const Variant &variant,
                        const QList<Variant> &former, const QList<Variant> &created, const Take &take)
{
    const nix::ParseResult parsed = nix::parse(text);
    for (const FieldOfRows &field : parsed.ok() ? fieldsOfRows(catalog, *parsed.tree) : QList<FieldOfRows>()) {
        const auto list = std::ranges::find_if(field.lists, [&](const auto &one) { return one.first(variant); });
        const QStringList own =
            list == field.lists.end() ? QStringList() : field.kind.had(catalog, list->first, {variant});
        if (own.isEmpty() || listOf(list->second)->contains(own.constFirst()))
            continue;
        const auto count = std::ranges::count_if(field.lists, [&](const auto &one) {
            QStringList items = *listOf(one.second);
            const QStringList there = field.kind.had(catalog, one.first, former);
            const QStringList coming = field.kind.had(catalog, one.first, created);
            items.removeIf([&](const QString &item) { return coming.contains(item) && !there.contains(item); });
            return sorted(items) == sorted(there);
        });
        take(field, *list, own.constFirst(), isEnough(count, field.lists.size()));
    }
}

/// An entry with this key in the notation of its nearest neighbour, whose key differs in one part: "0.25-312" beside
/// "0.25-313". The Python is exchanged; the other values are the neighbour's. Empty: no such neighbour.
QByteArray entryLike(const QByteArray &text, const nix::Attributes &set, const QString &key)
{
    constexpr qsizetype longest = 40; // lines
    const QStringList wanted = key.split(u'-');
    const auto nameAt = [&text](const nix::AttributeName &name) {
        const QString written = QString::fromUtf8(text.sliced(name.span.offset, name.span.length));
        return QString(written).remove(u'"');
    };
    for (const nix::Binding *binding : set.bindings) {
        if (binding->kind != nix::Binding::Value || binding->names.size() != 1)
            continue;
        const QStringList parts = nameAt(binding->names[0]).split(u'-');
        QString from, to;
        int differing = parts.size() == wanted.size() ? 0 : 2;
        for (qsizetype i = 0; differing < 2 && i < parts.size(); ++i) {
            if (parts.at(i) == wanted.at(i))
                continue;
            ++differing;
            from = parts.at(i);
            to = wanted.at(i);
        }
        const QByteArray entry = text.sliced(binding->span.offset, binding->span.length);
        static const QRegularExpression python(u"^3\\d{1,2}\\z"_s);
        if (differing != 1 || parts.size() < 2 || !python.match(from).hasMatch() || !python.match(to).hasMatch() ||
            entry.count('\n') > longest)
            continue;
        const qsizetype rest = qsizetype(binding->names[0].span.end() - binding->span.offset);
        QByteArray made = entry.sliced(rest);
        made.replace("python" + from.toUtf8(), "python" + to.toUtf8());
        made.replace("python3Packages", "python" + to.toUtf8() + "Packages"); // of the nixpkgs' own Python
        const qsizetype line = text.lastIndexOf('\n', qsizetype(binding->span.offset)) + 1;
        const QByteArray indent = text.sliced(line, binding->span.offset - line);
        return (indent.trimmed().isEmpty() ? indent : QByteArray()) + '"' + key.toUtf8() + '"' + made;
    }
    return {};
}

QByteArray textOfNix(const RecipeFiles &files, const QString &file)
{
    return file.endsWith(".nix"_L1) ? files.text(file).value_or(QByteArray()) : QByteArray();
}

} // namespace

std::shared_ptr<const RecipeFiles>
withListedVariant(const Catalog &catalog, const std::shared_ptr<const RecipeFiles> &files, const QString &path,
                  const QByteArray &text, const Variant &variant, const QList<Variant> &former,
                  QMap<QString, QByteArray> *changed, QList<ListOfRow> *unclear, const QList<Variant> &created)
{
    const RecipeSource source = files ? files->source(path, text) : RecipeSource(text);
    if (!source.imports || variant.row == everyGpu)
        return files;
    QMap<QString, QByteArray> texts;
    for (const QString &file : source.imports->paths) {
        const QByteArray before = textOfNix(*files, file);
        Edits edits;
        forEachListLacking(catalog, before, variant, former, created,
                           [&](const FieldOfRows &field, const auto &list, const QString &own, bool follow) {
                               QStringList order;
                               for (const RowValue &one : field.kind.all(catalog))
                                   order.append(one.written);
                               if (follow)
                                   edits.append(itemAdded(before, *list.second, own, order));
                               else if (unclear)
                                   unclear->append({file, lineAt(before, list.second->span.offset), list.first.title(),
                                                    field.kind.valueOf(variant)});
                           });
        const std::optional<QByteArray> after = edits.isEmpty() ? std::nullopt : edited(before, edits);
        if (after && nix::parse(*after).ok())
            texts.insert(file, *after);
    }
    if (changed)
        changed->insert(texts);
    return texts.isEmpty() ? files : files->with(texts);
}

bool isLeftOut(const Catalog &catalog, const RecipeFiles &files, const QStringList &paths, const Variant &variant,
               const QList<Variant> &former)
{
    bool leftOut = false;
    for (const QString &file : paths) {
        forEachListLacking(catalog, textOfNix(files, file), variant, former, {},
                           [&leftOut](const FieldOfRows &, const auto &list, const QString &, bool follow) {
                               leftOut |= follow && !list.first.row.isEmpty();
                           });
    }
    return leftOut;
}

QList<ListOfRow> listsWithout(const Catalog &catalog, const RecipeFiles &files, const QStringList &paths,
                              const QList<Variant> &deleted, const QList<Variant> &left)
{
    QList<ListOfRow> found;
    for (const QString &file : paths) {
        const QByteArray text = textOfNix(files, file);
        const nix::ParseResult parsed = nix::parse(text);
        for (const FieldOfRows &field : parsed.ok() ? fieldsOfRows(catalog, *parsed.tree) : QList<FieldOfRows>()) {
            for (const auto &[key, list] : field.lists) {
                const QStringList gone = field.kind.had(catalog, key, deleted);
                const QStringList there = field.kind.had(catalog, key, left);
                for (const RowValue &one : field.kind.all(catalog)) {
                    if (gone.contains(one.written) && !there.contains(one.written) &&
                        listOf(list)->contains(one.written))
                        found.append({file, lineAt(text, list->span.offset), key.title(), one.value});
                }
            }
        }
    }
    return found;
}

std::shared_ptr<const RecipeFiles> withPinEntry(const Catalog &catalog, const std::shared_ptr<const RecipeFiles> &files,
                                                const QString &path, const QByteArray &text, const QString &toolkit,
                                                const QString &revision, QMap<QString, QByteArray> *changed,
                                                QString *table)
{
    static const QRegularExpression commit(u"^[0-9a-f]{40}\\z"_s);
    const RecipeSource source = files ? files->source(path, text) : RecipeSource(text);
    const auto known = std::ranges::find(catalog.toolkits, toolkit, &Toolkit::version);
    const auto isPinned = [&](const RecipeSource &of) {
        const RecipeFacts facts = readFacts(of);
        return std::ranges::all_of(facts.pins, [&](const PinFacts &pin) { return pin.revision.value == revision; });
    };
    if (!source.imports || known == catalog.toolkits.end() || revision.isEmpty() || isPinned(source))
        return files;
    for (const QString &file : source.imports->paths) {
        const QByteArray before = textOfNix(*files, file);
        const nix::ParseResult parsed = nix::parse(before);
        QList<const nix::Attributes *> tables;
        if (parsed.ok())
            nix::forEachNode(parsed.tree->root(), [&](const nix::Node &node) {
                const auto *set = nix::as<nix::Attributes>(&node);
                if (set && !set->attributes.empty() &&
                    std::ranges::all_of(set->attributes, [](const nix::Attribute &entry) {
                        const auto value = textOf(entry.value);
                        return value && commit.match(*value).hasMatch();
                    }))
                    tables.append(set);
            });
        for (const nix::Attributes *set : std::as_const(tables)) {
            for (const QString &key : waysToWrite(*known)) {
                const Result<Edit> edit = Table(catalog, before, *parsed.tree, *set, {}).with(key, quoted(revision));
                const auto after = edit ? edited(before, {*edit}) : std::nullopt;
                if (!after || !nix::parse(*after).ok())
                    continue;
                auto with = files->with({{file, *after}});
                if (!isPinned(with->source(path, text)))
                    continue;
                if (changed)
                    changed->insert(file, *after);
                if (table)
                    *table = u"%1:%2"_s.arg(shownPath(file)).arg(lineAt(before, set->span.offset));
                return with;
            }
        }
    }
    return files;
}

Result<std::shared_ptr<const RecipeFiles>>
withTableEntries(const Catalog &catalog, const std::shared_ptr<const RecipeFiles> &files, const QString &path,
                 const QByteArray &text, QMap<QString, QByteArray> *changed, const QList<Variant> &variants)
{
    constexpr int most = 16; // entries
    std::shared_ptr<const RecipeFiles> result = files;
    QMap<QString, QByteArray> texts;
    for (int i = 0; result; ++i) {
        const RecipeFacts facts = readFacts(result->source(path, text));
        const EvaluationFailure *failure = facts.failure(nix::Fold::Failure::NoEntry);
        if (!failure)
            break;
        const StatedText &entry = failure->stated;
        const QString file = entry.spot.file > 0 ? facts.files.at(entry.spot.file - 1) : path;
        const auto failed = [&](const QString &why) {
            return Error{Tr::tr("use the table"), u"%1:%2"_s.arg(shownPath(file)).arg(entry.spot.line), why,
                         Tr::tr("Add the entry by hand.")};
        };
        const std::optional<QByteArray> before = result->text(file);
        if (entry.spot.file == 0 || !before || i == most)
            return failed(Tr::tr("it has no entry \"%1\"").arg(entry.value));
        const nix::ParseResult parsed = nix::parse(*before);
        const nix::Attributes *set = nullptr;
        nix::forEachNode(parsed.tree->root(), [&](const nix::Node &node) {
            if (node.span.offset == entry.spot.offset && node.span.length == entry.spot.length)
                set = set ? set : nix::as<nix::Attributes>(&node);
        });
        if (!set)
            return failed(Tr::tr("it has no entry \"%1\"").arg(entry.value));
        const Result<Edit> edit = Table(catalog, *before, *parsed.tree, *set, variants).with(entry.value);
        if (!edit) {
            Error error = failed(edit.error().why);
            if (const QByteArray like = entryLike(*before, *set, entry.value); !like.isEmpty())
                error.remedy = Tr::tr("Add the entry by hand, and check its values:\n%1").arg(QString::fromUtf8(like));
            return error;
        }
        const std::optional<QByteArray> after = edited(*before, {*edit});
        if (!after || !nix::parse(*after).ok())
            return failed(Tr::tr("it has no entry \"%1\"").arg(entry.value));
        texts.insert(file, *after);
        result = files->with(texts);
    }
    if (changed)
        changed->insert(texts);
    return result;
}

} // namespace tmx
