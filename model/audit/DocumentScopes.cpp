// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/DocumentScopes.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int boldLevel = 7; ///< a line in bold type stands below all headings

/// An address of a repository, without those of nixpkgs.
const QRegularExpression &address()
{
    static const QRegularExpression form(
        uR"((?:github|gitlab|codeberg|bitbucket)\.\w+[/:]([\w.-]+)/(?!nixpkgs\b)([\w.-]*\w))"_s,
        QRegularExpression::CaseInsensitiveOption);
    return form;
}

QString withoutGit(const QString &repository)
{
    return repository.endsWith(".git"_L1) ? repository.chopped(4) : repository;
}

/// Whether any of the words stands in the text, written as one word or as several: "ONNX Runtime".
bool hasWord(const QString &text, const QStringList &words)
{
    return std::ranges::any_of(words, [&text](const QString &word) {
        QStringList letters;
        for (const QChar c : word)
            letters.append(QRegularExpression::escape(QString(c)));
        return QRegularExpression(u"(?<![\\w-])%1(?![\\w-])"_s.arg(letters.join("[ -]?"_L1)),
                                  QRegularExpression::CaseInsensitiveOption)
            .match(text)
            .hasMatch();
    });
}

/// Whether a text names a branch: in quotes, as the whole text, after a word for it, or by a name that is no other
/// word.
bool namesBranch(const QString &text, const QString &branch)
{
    const QString name = QRegularExpression::escape(branch);
    const QString forms = uR"([`*]%1[`*]|^\W*%1\W*$|\b(?:on|of|branch) (?:branch )?%1(?![\w.-])|[\w-][@/:]%1\b)"_s;
    return QRegularExpression(forms.arg(name) +
                                  (branch.contains(u'-') ? u"|(?<![\\w./-])%1(?![\\w/-])"_s.arg(name) : QString()),
                              QRegularExpression::CaseInsensitiveOption)
        .match(text)
        .hasMatch();
}

} // namespace

QString plainWord(const QString &cell)
{
    static const QRegularExpression markup(u"[*`\\[\\]]"_s);
    return QString(cell).remove(markup).section(u'(', 0, 0).simplified().section(u' ', 0, 0);
}

QList<RowCell> cellsOf(const QString &line)
{
    QList<RowCell> cells;
    const qsizetype first = line.indexOf(u'|');
    if (first < 0 || !QStringView(line).first(first).trimmed().isEmpty())
        return cells;
    for (qsizetype from = first + 1; from < line.size();) {
        const qsizetype end = line.indexOf(u'|', from);
        if (end < 0)
            break;
        cells.append({from, line.sliced(from, end - from)});
        from = end + 1;
    }
    return cells;
}

DocumentScopes::DocumentScopes(const QString &text, const Documented &facts)
    : m_facts(facts)
    , m_lines(text.split(u'\n'))
{
    for (const QRegularExpressionMatch &match : address().globalMatch(text)) {
        const QString name = withoutGit(match.captured(2));
        // The sources of a package are named like it.
        if (!isOwn(name) && !hasWord(name, facts.packages + facts.otherPackages))
            m_repositories.append(name);
    }
    m_repositories.removeDuplicates();
    static const QRegularExpression heading(u"^ {0,3}(#{1,6})\\s"_s), bold(u"^ {0,3}(\\*\\*|__)[^*_]+\\1:?\\s*$"_s),
        fence(u"^\\s*(```|~~~)"_s), item(u"^(\\s*)(?:[-*+]|\\d+[.)])\\s"_s), underline(u"^ {0,3}(=+|-+)\\s*$"_s);
    bool code = false;
    for (const QString &line : std::as_const(m_lines)) {
        const QString trimmed = line.trimmed();
        const int last = m_places.isEmpty() ? -1 : m_places.constLast().block;
        const auto goesOn = [&](Block::Kind kind) { return last >= 0 && m_blocks.at(last).kind == kind; };
        const QRegularExpressionMatch title = heading.match(line), point = item.match(line);
        if (fence.match(line).hasMatch()) {
            add(Block::Kind::Code, line, 0, code);
            code = !code;
        } else if (code) {
            add(Block::Kind::Code, line, 0, true);
        } else if (trimmed.isEmpty()) {
            m_places.append(Place());
        } else if (title.hasMatch()) {
            add(Block::Kind::Heading, line, int(title.capturedLength(1)), false);
        } else if (goesOn(Block::Kind::Text) && underline.match(line).hasMatch()) {
            m_blocks[last].kind = Block::Kind::Heading;
            m_blocks[last].depth = line.contains(u'=') ? 1 : 2;
            m_headings.append(last);
            m_places.append({last, m_blocks.at(last).text.size()});
        } else if (bold.match(line).hasMatch() && last < 0) {
            add(Block::Kind::Heading, line, boldLevel, false);
        } else if (trimmed.startsWith(u'|')) {
            add(Block::Kind::Table, line, 0, goesOn(Block::Kind::Table));
        } else if (point.hasMatch()) {
            add(Block::Kind::Item, line, int(point.capturedLength(1)), false);
        } else {
            const bool continues =
                last >= 0 && !goesOn(Block::Kind::Table) && !goesOn(Block::Kind::Heading) && !goesOn(Block::Kind::Code);
            add(continues ? m_blocks.at(last).kind : Block::Kind::Text, line, 0, continues);
        }
    }
    const auto hasHeading = [this](const QRegularExpression &words) {
        return std::ranges::any_of(m_blocks, [&words](const Block &block) {
            return block.kind == Block::Kind::Heading && words.match(block.text).hasMatch();
        });
    };
    static const QRegularExpression goal(u"^[#\\s*]*goals?[\\s*:]*\\z"_s, QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression current(u"^[#\\s*]*current (?:state|status)[\\s*:]*\\z"_s,
                                            QRegularExpression::CaseInsensitiveOption);
    m_isPlan = hasHeading(goal) && hasHeading(current);
}

void DocumentScopes::add(Block::Kind kind, const QString &line, int depth, bool continues)
{
    if (continues) {
        Block &block = m_blocks.last();
        m_places.append({int(m_blocks.size()) - 1, block.text.size() + 1});
        block.text += u' ' + line;
        return;
    }
    if (kind != Block::Kind::Heading && kind != Block::Kind::Item && !line.startsWith(u' '))
        m_items.clear();
    Block block{.kind = kind, .text = line, .above = aboveOf(kind, depth), .depth = depth};
    if (kind == Block::Kind::Table)
        block.columns = line.split(u'|');
    const int number = int(m_blocks.size());
    if (kind == Block::Kind::Heading) {
        m_headings.removeIf([&](int other) { return m_blocks.at(other).depth >= depth; });
        m_headings.append(number);
        m_items.clear();
    } else if (kind == Block::Kind::Item) {
        m_items.removeIf([&](int other) { return m_blocks.at(other).depth >= depth; });
        m_items.append(number);
    }
    m_blocks.append(block);
    m_places.append({number, 0});
}

/// The item that it belongs to, else a sentence that introduces it ("The pins of build-vllm:"), else the heading.
int DocumentScopes::aboveOf(Block::Kind kind, int depth) const
{
    int heading = -1;
    for (const int one : m_headings) {
        if (kind != Block::Kind::Heading || m_blocks.at(one).depth < depth)
            heading = one;
    }
    if (kind == Block::Kind::Heading || m_blocks.isEmpty())
        return heading;
    for (auto it = m_items.crbegin(); it != m_items.crend(); ++it) {
        if (kind != Block::Kind::Item || m_blocks.at(*it).depth < depth)
            return *it;
    }
    int before = int(m_blocks.size()) - 1;
    while (kind == Block::Kind::Item && before > 0 && m_blocks.at(before).kind == Block::Kind::Item)
        --before;
    const Block &last = m_blocks.at(before);
    return last.kind == Block::Kind::Text && last.text.trimmed().endsWith(u':') ? before : heading;
}

bool DocumentScopes::isOwn(const QString &repository) const
{
    const QStringList &names = m_facts.repositoryNames;
    // A clone may have a folder of a longer name: "build-vllm-2".
    if (std::ranges::any_of(names, [&repository](const QString &name) {
            return name.compare(repository, Qt::CaseInsensitive) == 0 ||
                   name.startsWith(repository + u'-', Qt::CaseInsensitive);
        }))
        return true;
    // Or one of another name, and no remote: "build-vllm" builds vllm.
    static const QRegularExpression form(u"^build-(.+)|(.+)-nix$"_s, QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = form.match(repository);
    return match.hasMatch() &&
           !std::ranges::any_of(names, [](const QString &name) { return form.match(name).hasMatch(); }) &&
           hasWord(match.captured(1) + match.captured(2), m_facts.packages);
}

DocumentScopes::Names DocumentScopes::namesIn(const QString &text) const
{
    static const QRegularExpression forms(
        uR"((?<![\w.-])(?:build-[a-z][\w.-]*\w|[a-z][\w.]*(?:-[a-z]\w*)*-nix)(?![\w-]))"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression here(u"\\bthis (?:repository|repo)\\b"_s,
                                         QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression thisBranch(u"\\bthis branch\\b"_s, QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression quoted(u"`([A-Za-z][\\w.]*-[\\w.-]+)`"_s);
    Names names;
    const auto take = [&](const QString &repository) {
        (isOwn(repository) ? names.ownRepository : names.otherRepository) = true;
    };
    for (const QRegularExpressionMatch &match : forms.globalMatch(text)) {
        if (!m_facts.branches.contains(match.captured()))
            take(match.captured());
    }
    for (const QRegularExpressionMatch &match : address().globalMatch(text)) {
        const QString name = withoutGit(match.captured(2));
        if (isOwn(name) || m_repositories.contains(name))
            take(name);
    }
    names.otherRepository |= hasWord(text, m_repositories.filter(u"-"_s));
    names.ownRepository |= here.match(text).hasMatch() || hasWord(text, m_facts.repositoryNames.filter(u"-"_s));
    const bool isThis = thisBranch.match(text).hasMatch();
    names.ownRepository |= isThis;
    names.ownBranch = isThis || namesBranch(text, m_facts.branch);
    for (const QString &branch : m_facts.branches)
        names.otherBranch |= branch != m_facts.branch && namesBranch(text, branch);
    for (const QRegularExpressionMatch &match : quoted.globalMatch(text)) {
        const QString name = match.captured(1);
        names.unknownName |=
            !m_facts.branches.contains(name) && !forms.match(name).hasMatch() && !isOwn(name) &&
            std::ranges::none_of(m_facts.recipes, [&name](const Variant &recipe) { return recipe.name() == name; });
    }
    names.ownFamily = hasWord(text, m_facts.packages);
    names.otherFamily = hasWord(text, m_facts.otherPackages);
    return names;
}

DocumentScopes::Names DocumentScopes::namesInRow(const QString &line, qsizetype offset,
                                                 const QStringList &columns) const
{
    const QStringList cells = line.split(u'|');
    const qsizetype column = line.first(std::min(offset, line.size())).count(u'|');
    QStringList texts{cells.value(column), columns.value(column), cells.value(1)};
    Names names;
    for (qsizetype i = 1; i < cells.size(); ++i) {
        const QString title = plainWord(columns.value(i)).toLower(), name = plainWord(cells.at(i));
        if (name.isEmpty() || i == column)
            continue;
        if (title.startsWith("repo"_L1))
            (isOwn(name) ? names.ownRepository : names.otherRepository) = true;
        else if (title.startsWith("branch"_L1))
            (name == m_facts.branch ? names.ownBranch : names.otherBranch) = true;
        else
            continue;
        texts.removeAll(cells.at(i));
    }
    Names more = namesIn(texts.join(u' '));
    more.ownRepository |= names.ownRepository;
    more.otherRepository |= names.otherRepository;
    more.ownBranch |= names.ownBranch;
    more.otherBranch |= names.otherBranch;
    // A column of branches is about nothing else.
    if (names.ownBranch != names.otherBranch) {
        more.ownBranch = names.ownBranch;
        more.otherBranch = names.otherBranch;
    }
    return more;
}

QString DocumentScopes::title(int line) const
{
    const int number = m_places.value(line).block;
    if (number < 0)
        return {};
    const Block &block = m_blocks.at(number);
    return isInTable(line) ? block.columns.join(u'|') : block.above < 0 ? QString() : m_blocks.at(block.above).text;
}

bool DocumentScopes::isInTable(int line) const
{
    const int number = m_places.value(line).block;
    return number >= 0 && m_blocks.at(number).kind == Block::Kind::Table;
}

bool DocumentScopes::isInCode(int line) const
{
    const int number = m_places.value(line).block;
    return number >= 0 && m_blocks.at(number).kind == Block::Kind::Code;
}

bool DocumentScopes::isRecord(int line) const
{
    static const QRegularExpression words(
        uR"(\b(?:verif(?:y|ied|ies|ication)|validat(?:ed|ion)|tested|confirmed|certified|histor(?:y|ical)|change ?log|former(?:ly)?|previously|release notes)\b)"_s,
        QRegularExpression::CaseInsensitiveOption);
    // Columns of a change, or the text of one that is to be made.
    static const QRegularExpression change(
        uR"(\|[\s*`]*(?:from|before|old|was)\b[^|]*\|[\s*`]*(?:to|after|new|now|is)\b)"_s,
        QRegularExpression::CaseInsensitiveOption);
    const int number = m_places.value(line).block;
    if (m_isPlan || words.match(m_lines.at(line)).hasMatch())
        return true;
    if (isInTable(line) && change.match(title(line)).hasMatch())
        return true;
    if (number < 0 || m_blocks.at(number).kind == Block::Kind::Table || m_blocks.at(number).kind == Block::Kind::Code)
        return false;
    const Block &block = m_blocks.at(number);
    if (words.match(block.text).hasMatch() ||
        (block.above >= 0 && words.match(m_blocks.at(block.above).text).hasMatch()))
        return true;
    // What one item of a list says, the others and the sentence that introduces them do too.
    const bool isItem =
        block.kind == Block::Kind::Item && block.above >= 0 && m_blocks.at(block.above).kind == Block::Kind::Text;
    const int list = isItem ? block.above : number;
    return block.kind != Block::Kind::Heading && std::ranges::any_of(m_blocks, [list](const Block &other) {
               return other.above == list && words.match(other.text).hasMatch();
           });
}

DocumentScopes::About DocumentScopes::at(int line, qsizetype offset) const
{
    const Place place = m_places.value(line);
    if (place.block < 0)
        return About::Unsaid;
    const Block &block = m_blocks.at(place.block);
    // A text that names nothing hands on to the next.
    QList<Names> texts;
    if (block.kind == Block::Kind::Table) {
        texts = {namesInRow(m_lines.at(line), offset, block.columns), namesIn(m_lines.at(line))};
    } else if (block.kind == Block::Kind::Code || block.kind == Block::Kind::Heading) {
        texts = {namesIn(m_lines.at(line))};
    } else {
        static const QRegularExpression end(u"[.;!?](?=\\s)"_s);
        qsizetype from = 0, to = block.text.size();
        for (const QRegularExpressionMatch &match : end.globalMatch(block.text)) {
            if (match.capturedEnd() <= place.offset + offset)
                from = match.capturedEnd();
            else
                to = std::min(to, match.capturedEnd());
        }
        texts = {namesIn(block.text.sliced(from, to - from))};
        // What follows the pin tells of which versions it has.
        const Names before = namesIn(block.text.sliced(from, std::max<qsizetype>(place.offset + offset - from, 0)));
        texts.first().ownFamily = before.ownFamily;
        texts.first().otherFamily = before.otherFamily;
    }
    const bool isTable = block.kind == Block::Kind::Table;
    if (!isTable && block.kind != Block::Kind::Heading)
        texts.append(namesIn(block.text));
    // Another sentence of the paragraph or another cell may be about something else.
    const qsizetype near = texts.size() - 1;
    for (int above = block.above; above >= 0; above = m_blocks.at(above).above)
        texts.append(namesIn(m_blocks.at(above).text));
    bool repositoryKnown = false, branchKnown = false, familyKnown = false, ownHere = false;
    for (qsizetype i = 0; i < texts.size(); ++i) {
        const Names &names = texts.at(i);
        const bool isNear = i > 0 && i == near;
        if (!repositoryKnown && (names.ownRepository || names.otherRepository)) {
            if (names.otherRepository)
                return names.ownRepository || isNear ? About::Unclear : About::Elsewhere;
            repositoryKnown = true;
        }
        if (i == 0 && names.unknownName)
            return About::Unclear;
        if (!branchKnown && (names.ownBranch || names.otherBranch)) {
            // The branch of another repository may have the same name.
            if (!repositoryKnown && std::any_of(texts.cbegin() + i, texts.cend(), [](const Names &above) {
                    return above.otherRepository && !above.ownRepository;
                }))
                return About::Elsewhere;
            if (names.otherBranch)
                return names.ownBranch || isNear ? About::Unclear : About::Other;
            branchKnown = true;
            ownHere = i == 0 || (isTable && isNear);
        }
        if (!familyKnown && !repositoryKnown && !branchKnown && (names.ownFamily || names.otherFamily)) {
            if (!names.ownFamily)
                return About::Unclear;
            familyKnown = true;
        }
        ownHere |= i == 0 && names.ownRepository && m_facts.branches.size() < 2;
    }
    return ownHere ? About::Own : About::Unsaid;
}

} // namespace tmx
