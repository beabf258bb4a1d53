// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/template/TextTemplate.h"

#include "model/base/Tr.h"

#include <QRegularExpression>

#include <algorithm>
#include <vector>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

constexpr int deepest = 64; ///< blocks within each other

/// `path` begins in `data`, or in the loop variable of that name.
const QVariant *valueWithin(const QVariantHash &data, QStringView path, const QString &loopName,
                            const QVariant *loopValue)
{
    if (!loopValue || path.first(std::max(path.indexOf(u'.'), qsizetype(0))) != loopName)
        return path == loopName && loopValue ? loopValue : valueAt(data, path);
    const auto *table = get_if<QVariantHash>(loopValue);
    return table ? valueAt(*table, path.sliced(loopName.size() + 1)) : nullptr;
}

} // namespace

const QVariant *valueAt(const QVariantHash &data, QStringView path)
{
    const QVariantHash *table = &data;
    const QVariant *value = nullptr;
    for (const QStringView key : path.tokenize(u'.')) {
        if (!table)
            return nullptr;
        const auto found = table->constFind(QString::fromRawData(key.data(), key.size()));
        if (found == table->cend())
            return nullptr;
        value = &*found;
        table = get_if<QVariantHash>(value);
    }
    return value && value->isValid() ? value : nullptr;
}

/// Alternatives of conjunctions.
struct TextTemplate::Condition {
    struct Term {
        QString path;
        bool negated = false;
        std::optional<QString> value; ///< compared with it; else whether it is true, not empty
        QString other;                ///< compared with the value of this path
    };
    std::vector<std::vector<Term>> any;
};

struct TextTemplate::Node {
    enum class Kind { Text, Value, Include, If, For };
    struct Branch {
        Condition condition; ///< empty in {% else %}
        std::vector<Node> nodes;
    };
    Kind kind = Kind::Text;
    QString text;                   ///< the text; the path of a value, of a loop's list
    QString word;                   ///< the separator of a joined list; the loop's variable
    int columns = 0;                ///< of an included template
    std::vector<Branch> branches{}; ///< of a condition; one of a loop
};

class TextTemplate::Rendering
{
public:
    Rendering(const QVariantHash &data, const Included &included, QString &out)
        : m_data(data)
        , m_included(included)
        , m_out(out)
    {
    }

    void add(const std::vector<Node> &nodes)
    {
        for (const Node &node : nodes) {
            switch (node.kind) {
            case Node::Kind::Text: m_out += node.text; break;
            case Node::Kind::Value: {
                const QVariant *value = at(node.text);
                const auto *list = get_if<QVariantList>(value);
                m_out += list ? QVariant(*list).toStringList().join(node.word)
                         : value && value->typeId() == QMetaType::QStringList ? value->toStringList().join(node.word)
                         : value                                              ? value->toString()
                                                                              : QString();
                break;
            }
            case Node::Kind::Include: m_included({node.text, node.columns}, m_out); break;
            case Node::Kind::If: {
                const auto taken = std::ranges::find_if(
                    node.branches, [this](const Node::Branch &branch) { return holds(branch.condition); });
                if (taken != node.branches.cend())
                    add(taken->nodes);
                break;
            }
            case Node::Kind::For: {
                const QVariant *list = at(node.text);
                const QVariantList values = list ? list->toList() : QVariantList();
                for (const QVariant &value : values) {
                    Rendering inner(m_data, m_included, m_out);
                    inner.m_name = node.word;
                    inner.m_value = &value;
                    inner.add(node.branches.front().nodes);
                }
                break;
            }
            }
        }
    }

private:
    [[nodiscard]] const QVariant *at(const QString &path) const { return valueWithin(m_data, path, m_name, m_value); }
    [[nodiscard]] bool holds(const Condition &condition) const
    {
        const auto isTrue = [this](const Condition::Term &term) {
            const QVariant *value = at(term.path);
            const bool yes = !value                                       ? false
                             : term.value                                 ? value->toString() == *term.value
                             : !term.other.isEmpty()                      ? *value == *at(term.other)
                             : value->typeId() == QMetaType::QVariantList ? !value->toList().isEmpty()
                             : value->typeId() == QMetaType::QVariantHash ? !value->toHash().isEmpty()
                             : value->typeId() == QMetaType::QString      ? !value->toString().isEmpty()
                                                                          : value->toBool();
            return yes != term.negated;
        };
        return condition.any.empty() ||
               std::ranges::any_of(condition.any, [&](const auto &all) { return std::ranges::all_of(all, isTrue); });
    }

    const QVariantHash &m_data;
    const Included &m_included;
    QString &m_out;
    QString m_name; ///< of the loop variable
    const QVariant *m_value = nullptr;
};

/// Recursive descent over the tags. After an error nothing more is read.
class TemplateParser
{
public:
    using Node = TextTemplate::Node;
    using Condition = TextTemplate::Condition;

    explicit TemplateParser(const QString &text)
        : m_text(text)
    {
    }

    std::variant<TextTemplate, QString> parse()
    {
        std::vector<Node> nodes = block({}, 0);
        if (!m_error.isEmpty())
            return m_error;
        m_made.m_nodes = std::make_shared<const std::vector<Node>>(std::move(nodes));
        return std::move(m_made);
    }

private:
    struct Tag {
        QChar kind; ///< '{', '%', '#'; null at the end of the text
        QString words;
        qsizetype begin = 0;
        int line = 1;
    };

    void fail(int line, const QString &why)
    {
        if (m_error.isEmpty())
            m_error = Tr::tr("line %1: %2").arg(line).arg(why);
        m_at = m_text.size();
    }

    /// The text up to the next tag goes to `nodes`.
    Tag next(std::vector<Node> &nodes)
    {
        static const QRegularExpression opening(uR"(\{[{%#])"_s);
        const QRegularExpressionMatch match = opening.match(m_text, m_at);
        const qsizetype begin = match.hasMatch() ? match.capturedStart() : m_text.size();
        QStringView before = QStringView(m_text).sliced(m_at, begin - m_at);
        m_line += int(before.count(u'\n'));
        Tag tag{{}, {}, begin, m_line};
        if (match.hasMatch()) {
            tag.kind = m_text[begin + 1];
            const QString closing = QString(tag.kind == u'{' ? u'}' : tag.kind) + u'}';
            const qsizetype end = m_text.indexOf(closing, begin + 2);
            const qsizetype lineEnd = std::max(m_text.indexOf(u'\n', begin), qsizetype(-1));
            if (end < 0 || (lineEnd >= 0 && lineEnd < end)) {
                fail(m_line, Tr::tr("%1 has no %2").arg(match.captured(), closing));
                return {};
            }
            tag.words = m_text.sliced(begin + 2, end - begin - 2).trimmed();
            m_at = end + 2;
            if (tag.kind != u'{' && isAlone(begin)) {
                while (before.endsWith(u' ') || before.endsWith(u'\t'))
                    before.chop(1);
                before.chop(before.endsWith(u'\n') ? 1 : 0);
            }
        } else {
            m_at = m_text.size();
        }
        if (!before.isEmpty())
            nodes.push_back({Node::Kind::Text, before.toString(), {}});
        return tag;
    }

    /// Whether only the tag from `begin` to m_at is on its line.
    [[nodiscard]] bool isAlone(qsizetype begin) const
    {
        const auto blank = [this](qsizetype i) { return m_text[i] == u' ' || m_text[i] == u'\t'; };
        qsizetype from = begin;
        while (from > 0 && blank(from - 1))
            --from;
        qsizetype to = m_at;
        while (to < m_text.size() && blank(to))
            ++to;
        return (from == 0 || m_text[from - 1] == u'\n') && (to == m_text.size() || m_text[to] == u'\n');
    }

    /// Reads up to one of the tags `ends`, which goes to m_end; all if there is none.
    std::vector<Node> block(const QStringList &ends, int depth)
    {
        std::vector<Node> nodes;
        const int opened = m_line;
        if (depth > deepest)
            fail(opened, Tr::tr("tags are too deep within each other"));
        while (m_error.isEmpty()) {
            const Tag tag = next(nodes);
            const QString word = tag.words.section(u' ', 0, 0);
            const QString rest = tag.words.section(u' ', 1).trimmed();
            if (tag.kind.isNull()) {
                if (!ends.isEmpty())
                    fail(opened, Tr::tr("the tag has no {% %1 %}").arg(ends.last()));
                break;
            }
            if (tag.kind == u'{')
                nodes.push_back(value(tag));
            else if (tag.kind == u'#')
                takeComment(tag.words);
            else if (ends.contains(word)) {
                m_end = tag;
                break;
            } else if (word == "include"_L1)
                nodes.push_back(include(tag, rest));
            else if (word == "if"_L1)
                nodes.push_back(conditional(tag, depth));
            else if (word == "for"_L1)
                nodes.push_back(loop(tag, rest, depth));
            else
                fail(tag.line, Tr::tr("unknown tag %1").arg(word));
        }
        return nodes;
    }

    Node value(const Tag &tag)
    {
        static const QRegularExpression form(uR"re(^([A-Za-z_][\w.]*)(?:\|(\w+)(?::"([^"]*)")?)?$)re"_s);
        const QRegularExpressionMatch match = form.match(tag.words);
        if (!match.hasMatch())
            fail(tag.line, Tr::tr("%1 is no name").arg(tag.words));
        else if (match.hasCaptured(2) && match.captured(2) != "join"_L1)
            fail(tag.line, Tr::tr("unknown filter %1").arg(match.captured(2)));
        use(match.captured(1), tag.line);
        return {Node::Kind::Value, match.captured(1), match.captured(3)};
    }

    void takeComment(const QString &words)
    {
        const auto names = [&words](qsizetype from) {
            return words.sliced(from).simplified().split(u' ', Qt::SkipEmptyParts);
        };
        if (words.startsWith("needs:"_L1))
            m_made.m_required += names(6);
        else if (words.startsWith("not for:"_L1))
            m_made.m_excluded += names(8);
    }

    Node include(const Tag &tag, QString name)
    {
        if (name.size() < 3 || !name.startsWith(u'"') || !name.endsWith(u'"'))
            fail(tag.line, Tr::tr("%1 is no template's name in quotes").arg(name));
        name = name.mid(1).chopped(name.isEmpty() ? 0 : 1);
        const qsizetype lineStart = m_text.lastIndexOf(u'\n', tag.begin) + 1;
        const TextTemplate::Include made{name, isAlone(tag.begin) ? int(tag.begin - lineStart) : 0};
        if (!m_made.m_includes.contains(made))
            m_made.m_includes.append(made);
        return {Node::Kind::Include, made.name, {}, made.columns};
    }

    Node conditional(const Tag &tag, int depth)
    {
        Node node{Node::Kind::If, {}, {}};
        m_end = tag;
        while (m_error.isEmpty() && m_end.words != "endif"_L1) {
            const bool last = m_end.words == "else"_L1;
            node.branches.push_back({last ? Condition() : condition(m_end), {}});
            node.branches.back().nodes =
                block(last ? QStringList{u"endif"_s} : QStringList{u"elif"_s, u"else"_s, u"endif"_s}, depth + 1);
        }
        return node;
    }

    Condition condition(const Tag &tag)
    {
        static const QRegularExpression form(
            uR"re(\G\s*(?:(not)\s+)?([A-Za-z_][\w.]*)(?:\s*(==|!=)\s*(?:"([^"]*)"|(\d+)|([A-Za-z_][\w.]*)))?\s*(?:(and|or)\b|$))re"_s);
        const QString words = tag.words.section(u' ', 1);
        Condition made;
        made.any.emplace_back();
        qsizetype at = 0;
        QString joint = u"and"_s;
        while (!joint.isEmpty()) {
            const QRegularExpressionMatch match = form.match(words, at);
            if (!match.hasMatch()) {
                fail(tag.line, Tr::tr("%1 is no condition").arg(words));
                break;
            }
            if (joint == "or"_L1)
                made.any.emplace_back();
            Condition::Term term{match.captured(2), match.hasCaptured(1), {}, {}};
            if (match.hasCaptured(3)) {
                if (match.hasCaptured(6))
                    use(term.other = match.captured(6), tag.line);
                else
                    term.value = match.captured(4) + match.captured(5);
                term.negated ^= match.captured(3) == "!="_L1;
            }
            use(term.path, tag.line);
            made.any.back().push_back(term);
            joint = match.captured(7);
            at = match.capturedEnd();
        }
        return made;
    }

    Node loop(const Tag &tag, const QString &words, int depth)
    {
        static const QRegularExpression form(uR"(^([A-Za-z_]\w*)\s+in\s+([A-Za-z_][\w.]*)$)"_s);
        const QRegularExpressionMatch match = form.match(words);
        if (!match.hasMatch() || !m_loop.isEmpty())
            fail(tag.line, m_loop.isEmpty() ? Tr::tr("%1 is no loop").arg(words) : Tr::tr("a loop within a loop"));
        use(match.captured(2), tag.line);
        Node node{Node::Kind::For, match.captured(2), match.captured(1)};
        m_loop = node.word;
        node.branches.push_back({{}, block({u"endfor"_s}, depth + 1)});
        m_loop.clear();
        return node;
    }

    void use(const QString &path, int line)
    {
        const auto isIt = [&path](const TextTemplate::Name &name) { return name.path == path; };
        if (path.section(u'.', 0, 0) != m_loop && std::ranges::none_of(m_made.m_names, isIt))
            m_made.m_names.append({path, line});
    }

    const QString m_text;
    TextTemplate m_made;
    QString m_error;
    QString m_loop; ///< the variable of the loop around
    Tag m_end;
    qsizetype m_at = 0;
    int m_line = 0; ///< the text begins with a line break of ours
};

std::variant<TextTemplate, QString> TextTemplate::parse(const QString &text, int columns)
{
    QStringList lines = text.split(u'\n');
    while (!lines.isEmpty() && lines.last().isEmpty())
        lines.removeLast();
    for (QString &line : lines) {
        if (!line.isEmpty())
            line.prepend(QString(columns, u' '));
    }
    // A tag alone on its line takes the line break before it away, so the text of a template begins with one.
    return TemplateParser(u'\n' + lines.join(u'\n')).parse();
}

namespace {

/// Who does not set a value: what follows from the variant's name is none of the settings.
QString notSet(const QString &path, const QVariantHash &data)
{
    static const QStringList parts{u"gpu"_s, u"isa"_s, u"cuda"_s, u"python"_s};
    const QString part = path.section(u'.', 0, 0);
    if (part == "gpu"_L1 && !valueAt(data, u"gpu.capability"_s))
        return Tr::tr("%1, and this variant is not for one GPU that the catalog has").arg(path);
    if (part == "isa"_L1 && !valueAt(data, u"isa.title"_s))
        return Tr::tr("%1, and this variant is not for an instruction set that the catalog has").arg(path);
    return parts.contains(part) ? Tr::tr("%1, which the variant does not have").arg(path)
                                : Tr::tr("%1, which the branch settings do not set").arg(path);
}

/// What variants have that a template is not for.
QString withoutTemplate(const QString &path)
{
    return path == "gpu.lacks_cudnn"_L1  ? Tr::tr("a GPU that cuDNN does not support (%1)").arg(path)
           : path == "isa.lacks_avx2"_L1 ? Tr::tr("CPUs without AVX2 (%1)").arg(path)
                                         : path;
}

} // namespace

std::optional<QString> TextTemplate::complaint(const QVariantHash &data) const
{
    for (const QString &path : m_required) {
        if (const QVariant *value = valueAt(data, path); !value || value->toString().isEmpty())
            return Tr::tr("it needs %1").arg(notSet(path, data));
    }
    for (const QString &path : m_excluded) {
        if (const QVariant *value = valueAt(data, path); value && value->toBool())
            return Tr::tr("it is not for variants with %1").arg(withoutTemplate(path));
    }
    for (const Name &name : m_names) {
        if (!valueAt(data, name.path))
            return Tr::tr("line %1 uses %2").arg(name.line).arg(notSet(name.path, data));
    }
    return std::nullopt;
}

void TextTemplate::render(const QVariantHash &data, const Included &included, QString &out) const
{
    Rendering(data, included, out).add(*m_nodes);
}

} // namespace tmx
