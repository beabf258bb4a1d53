// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Documents.h"

#include "model/audit/DocumentLists.h"
#include "model/audit/DocumentScopes.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <functional>
#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

const QRegularExpression &countWords()
{
    static const QRegularExpression words(uR"((?<![\p{L}\p{N}.])(\d{1,5})\s+(?:variants?|recipes?|packages?)\b)"_s,
                                          QRegularExpression::CaseInsensitiveOption);
    return words;
}

bool beginsOneOf(const QString &pin, const QStringList &pins)
{
    return std::ranges::any_of(pins, [&pin](const QString &one) { return one.startsWith(pin); });
}

/// Reads a document line by line.
class Lines
{
public:
    Lines(const Documented &facts, const DocumentScopes &scopes)
        : m_facts(facts)
        , m_scopes(scopes)
        , m_own(uR"(\bthis branch\b|[`*]%1[`*]|\b(?:on|of) (?:branch )?%1(?![\w.-]))"_s.arg(
                    QRegularExpression::escape(facts.branch)),
                QRegularExpression::CaseInsensitiveOption)
    {
        m_others = facts.branches;
        m_others.removeAll(facts.branch);
        m_parts = partsOf(facts.recipes);
        m_formerParts = facts.formerRecipes.isEmpty() ? QHash<QString, int>() : partsOf(facts.formerRecipes);
    }

    void read(const QString &line, quint32 offset)
    {
        const qsizetype first = m_found.size();
        readLine(line, offset);
        // Parts that are right beside a total that is not would contradict it.
        const auto isCount = [](const OutdatedLine &one) { return one.finding.rule == "readme-count-stale"_L1; };
        const bool isLeft = std::any_of(m_found.cbegin() + first, m_found.cend(),
                                        [&](const OutdatedLine &one) { return isCount(one) && one.edits.isEmpty(); });
        for (qsizetype i = first; isLeft && i < m_found.size(); ++i) {
            OutdatedLine &one = m_found[i];
            if (isCount(one) && !one.edits.isEmpty())
                one.finding.advice =
                    Tr::tr("Write %1, and the total.").arg(QString::fromUtf8(one.edits.constFirst().replacement));
            if (isCount(one))
                one.edits.clear();
        }
    }

    [[nodiscard]] const QList<OutdatedLine> &found() const { return m_found; }

private:
    /// The numbers of all recipes and of parts of them.
    static QHash<QString, int> partsOf(const QList<Variant> &recipes)
    {
        QHash<QString, int> parts{{u"all"_s, int(recipes.size())}};
        for (const Variant &recipe : recipes) {
            ++parts[recipe.family];
            ++parts[recipe.cuda.isEmpty() ? u"none"_s : recipe.cuda];
            ++parts[recipe.family + u'/' + (recipe.cuda.isEmpty() ? u"none"_s : recipe.cuda)];
            if (!recipe.cuda.isEmpty())
                ++parts[u"cuda"_s];
        }
        return parts;
    }

    /// Whether it is the number of all recipes or of a part: of what it was the number before a change, if that is
    /// known.
    [[nodiscard]] bool isRight(int number) const
    {
        const QStringList meant = m_formerParts.keys(number);
        return meant.isEmpty()
                   ? !m_parts.keys(number).isEmpty()
                   : std::ranges::any_of(meant, [&](const QString &part) { return m_parts.value(part) == number; });
    }

    void readLine(const QString &line, quint32 offset)
    {
        ++m_number;
        m_line = line;
        m_offset = offset;
        const QByteArray words = line.trimmed().toUtf8();
        m_ours = readmeColumns(words) || (m_ours && words != readmeEnd);
        const QStringList others = branchesNamedIn(line, m_others);
        const bool isElsewhere = !others.isEmpty() || namesUnknownBranch(line, m_facts.branches);
        if (!m_ours) {
            const qsizetype first = m_found.size();
            pin();
            versions(first);
            formerBranch();
        }
        for (const QString &name :
             m_facts.branches.isEmpty() ? QStringList() : branchesToCheckOut(line, m_facts.repositoryNames)) {
            if (!m_facts.branches.contains(name))
                add(u"document-branch-missing"_s, line.indexOf(name), name.size(),
                    Tr::tr("This clone has no branch %1.").arg(name), Tr::tr("Name one that exists."), Severity::Note);
        }
        if (const QList<RowCell> cells = cellsOf(line); !cells.isEmpty()) {
            row(cells);
            return;
        }
        m_column = -1;
        const bool isOfSeveral = line.contains("branches"_L1, Qt::CaseInsensitive);
        if (!isElsewhere && !isOfSeveral && (statements() || ofPackage()))
            return;
        const QRegularExpressionMatch count = countWords().match(line);
        if (!count.hasMatch() || isRight(count.captured(1).toInt()))
            return;
        const bool begins = m_ours && count.capturedStart() == 0;
        if (begins || (!isOfSeveral && m_own.match(line).hasMatch()))
            withFurther(count);
    }

    /// "45 variants for GPUs, plus 6 CPU-only variants and 1 Darwin MPS variant": compares the count with all recipes
    /// but those that are counted after it.
    void withFurther(const QRegularExpressionMatch &count)
    {
        static const QRegularExpression further(
            uR"((?:\b(plus)\b|\band\b|[,+])\s+(\d{1,5})\s+([A-Za-z][\w.-]*(?: [A-Za-z][\w.-]*)?)\s+(?:variants?|recipes?|packages?)\b)"_s,
            QRegularExpression::CaseInsensitiveOption);
        const qsizetype before = m_found.size();
        int right = all();
        bool isCertain = true;
        QList<std::pair<QRegularExpressionMatch, int>> found;
        for (const QRegularExpressionMatch &match : further.globalMatch(m_line, count.capturedEnd())) {
            const std::optional<int> of = partOf(match.captured(3), {});
            // Without "plus" the count may be that of all.
            isCertain = isCertain && of && (!found.isEmpty() || !match.captured(1).isEmpty());
            found.append({match, of.value_or(0)});
            right -= of.value_or(0);
        }
        if (isCertain)
            compare(count.captured(1), count.capturedStart(1), right);
        for (const auto &[match, of] : isCertain ? found : decltype(found)())
            compare(match.captured(2), match.capturedStart(2), of);
        if (isCertain)
            return;
        compare(count.captured(1), count.capturedStart(1), all());
        for (qsizetype i = before; i < m_found.size(); ++i) {
            m_found[i].edits.clear();
            m_found[i].finding.advice =
                Tr::tr("The branch has %n recipes. Write the numbers of all parts.", nullptr, all());
        }
    }

    [[nodiscard]] int all() const { return int(m_facts.recipes.size()); }

    void row(const QList<RowCell> &cells)
    {
        static const QStringList names{u"variants"_s, u"recipes"_s, u"packages"_s, u"wrappers"_s, u"total"_s};
        static const QRegularExpression digits(u"\\d+"_s);
        const QString label = plainWord(cells.constFirst().text);
        if (m_column < 0) { // the row above the line
            const auto found = std::ranges::find_if(
                cells, [](const RowCell &cell) { return names.contains(plainWord(cell.text), Qt::CaseInsensitive); });
            m_column = found == cells.end() ? cells.size() : found - cells.begin();
            m_ofBranches = label.compare("branch"_L1, Qt::CaseInsensitive) == 0;
            m_ofToolkits = label.compare("cuda"_L1, Qt::CaseInsensitive) == 0;
            m_said = m_sum = 0;
            return;
        }
        if (m_column == 0 || m_column >= cells.size())
            return;
        const RowCell &cell = cells.at(m_column);
        const QRegularExpressionMatch match = digits.match(cell.text);
        if (!match.hasMatch())
            return;
        std::optional<int> right;
        const bool isOwn = m_ofBranches && label == m_facts.branch && !isRight(match.captured().toInt());
        const bool isTotal = !m_ofBranches && label.compare("total"_L1, Qt::CaseInsensitive) == 0;
        if (isOwn || isTotal)
            right = all();
        else if (!m_ofBranches)
            right = ofVersion(label);
        const qsizetype before = m_found.size();
        if (right)
            compare(match.captured(), cell.from + match.capturedStart(), *right);
        // A row of the table is missing, so that the new total would not be the sum.
        if (isTotal && m_found.size() > before && m_said == match.captured().toInt() && m_sum != all()) {
            m_found.last().edits.clear();
            m_found.last().finding.advice = Tr::tr("Write %1, and the rows that are missing above.").arg(all());
        }
        m_said += match.captured().toInt();
        m_sum += right.value_or(match.captured().toInt());
    }

    /// "Total: 88 variants (47 CUDA 12.9 + 41 CUDA 12.8)", "CUDA 12.9: 47 variants (42 x86_64 + 5 aarch64)", of this
    /// branch alone. Returns whether the line has some.
    bool statements()
    {
        static const QRegularExpression statement(
            uR"((?:\btotal\b[^|.\d]{0,20}|\bCUDA (\d+\.\d+)[\s:*-]{1,6})(?<![\p{L}\p{N}.])(\d{1,5})\s+(?:variants?|recipes?|packages?)\b[\s*]*(?:\(([^()]*)\))?)"_s,
            QRegularExpression::CaseInsensitiveOption);
        bool found = false;
        for (const QRegularExpressionMatch &match : statement.globalMatch(m_line)) {
            const QString toolkit = match.captured(1);
            const int right = toolkit.isEmpty() ? all() : partOf(u"CUDA "_s + toolkit, {}).value_or(0);
            if (right == 0)
                continue;
            found = true;
            const qsizetype before = m_found.size();
            compare(match.captured(2), match.capturedStart(2), right);
            // A new total beside old parts would contradict itself.
            if (!parts(match.captured(3), match.capturedStart(3), toolkit, match.captured(2).toInt(), right) &&
                m_found.size() > before) {
                m_found.last().edits.clear();
                m_found.last().finding.advice = Tr::tr("Write %1, and the numbers of its parts.").arg(right);
            }
        }
        return found;
    }

    /// "12 variants of xformers", in a repository of one branch: elsewhere it may be the number of all of them.
    bool ofPackage()
    {
        static const QRegularExpression statement(
            uR"((?<![\p{L}\p{N}.])(\d{1,5})\s+(?:variants?|recipes?|packages?|builds)\s+of\s+[*`]*([\w-]+))"_s,
            QRegularExpression::CaseInsensitiveOption);
        const QRegularExpressionMatch match = statement.match(m_line);
        const QString package = match.captured(2);
        const auto right = std::ranges::count_if(m_facts.recipes, [&package](const Variant &recipe) {
            return FamilyName::of(recipe.family).word.compare(package, Qt::CaseInsensitive) == 0;
        });
        if (!match.hasMatch() || right == 0 || !m_others.isEmpty())
            return false;
        compare(match.captured(1), match.capturedStart(1), int(right));
        return true;
    }

    /// Compares the parts of a count, if they add up to it. Returns false if they do, but it is not known what each is.
    bool parts(const QString &text, qsizetype from, const QString &toolkit, int count, int right)
    {
        static const QRegularExpression part(uR"((?<![\w.])(\d{1,5}) +([A-Za-z][\w.-]*(?: \d+\.\d+)?))"_s);
        int said = 0;
        int sum = 0;
        QList<std::pair<QRegularExpressionMatch, int>> found;
        for (const QRegularExpressionMatch &match : part.globalMatch(text)) {
            const int of = partOf(match.captured(2), toolkit).value_or(-all());
            found.append({match, of});
            said += match.captured(1).toInt();
            sum += of;
        }
        if (found.isEmpty() || (sum != right && said != count))
            return true; // something else
        for (const auto &[match, of] : sum == right ? found : decltype(found)())
            compare(match.captured(1), from + match.capturedStart(1), of);
        return sum == right;
    }

    /// The number of recipes of a kind, "CUDA 12.9", "GPU", "CPU-only", "aarch64", with this toolkit or any.
    [[nodiscard]] std::optional<int> partOf(const QString &label, const QString &toolkit) const
    {
        static const QStringList arm{u"aarch64"_s, u"arm"_s, u"arm64"_s};
        static const QStringList x86{u"x86_64"_s, u"x86-64"_s, u"x86"_s, u"amd64"_s};
        const QString kind = label.toLower();
        const QString cuda = kind.startsWith("cuda "_L1) ? kind.sliced(5) : QString();
        std::function<bool(const Variant &)> isOfKind;
        if (!cuda.isEmpty())
            isOfKind = [&](const Variant &recipe) { return recipe.cuda == cuda; };
        else if (kind == "gpu"_L1 || kind == "cuda"_L1)
            isOfKind = [](const Variant &recipe) { return !recipe.cuda.isEmpty(); };
        else if (kind == "cpu"_L1 || kind == "cpu-only"_L1)
            isOfKind = [](const Variant &recipe) { return recipe.row == "cpu"_L1; };
        else if (kind.startsWith("darwin"_L1) || kind == "mps"_L1 || kind == "macos"_L1)
            isOfKind = [](const Variant &recipe) { return recipe.row.startsWith("darwin"_L1); };
        else if (arm.contains(kind))
            isOfKind = [](const Variant &recipe) { return recipe.isa.startsWith("arm"_L1); };
        else if (x86.contains(kind))
            isOfKind = [](const Variant &recipe) { return recipe.isa.startsWith("avx"_L1); };
        else
            return std::nullopt;
        return int(std::ranges::count_if(m_facts.recipes, [&](const Variant &recipe) {
            return isOfKind(recipe) && (toolkit.isEmpty() || recipe.cuda == toolkit);
        }));
    }

    /// The number of recipes of a version or a toolkit, where names tell it.
    [[nodiscard]] std::optional<int> ofVersion(const QString &label) const
    {
        int count = 0;
        for (const Variant &recipe : m_facts.recipes) {
            const FamilyName family = FamilyName::of(recipe.family);
            count += m_ofToolkits ? recipe.cuda == label : !family.version.isEmpty() && family.fits(label);
        }
        return count > 0 && label.contains(u'.') ? std::optional(count) : std::nullopt;
    }

    void compare(const QString &count, qsizetype from, int right)
    {
        if (count.toInt() == right || (m_facts.isPart && !m_ours))
            return;
        const QString wanted = QString::number(right);
        add(u"readme-count-stale"_s, from, count.size(),
            right == all()
                ? Tr::tr("It says %1 for branch %2, which has %n recipes.", nullptr, right).arg(count, m_facts.branch)
                : Tr::tr("It says %1, but there are %n such recipes.", nullptr, right).arg(count),
            m_ours
                ? forSurface(Tr::tr("\"readme --apply\" writes %1.").arg(wanted),
                             Tr::tr("README tables writes %1.").arg(wanted))
                : forSurface(Tr::tr("\"plan --apply\" writes %1.").arg(wanted), Tr::tr("Plan writes %1.").arg(wanted)));
        if (m_ours)
            return;
        if (isSaidAgain(count))
            m_found.last().finding.advice = Tr::tr("Write %1 where the total is meant.").arg(wanted);
        else if (right != all() || isOfAll() || wasOfAll(count.toInt()))
            m_found.last().edits.append({offsetOf(from), quint32(count.size()), wanted.toUtf8()});
        else
            m_found.last().finding.advice =
                Tr::tr("Write %1, and the toolkits and Pythons that it is for.").arg(wanted);
    }

    /// Whether the sentence says the number again as a part of something, "44 variants (44/44 are done)": it may be
    /// about two things.
    [[nodiscard]] bool isSaidAgain(const QString &count) const
    {
        const QRegularExpression fraction(
            uR"((?<![\w.])(?:%1\s*(?:/|of)\s*\d+|\d+\s*(?:/|of)\s*%1)(?![\w.]*\w))"_s.arg(count));
        return cellsOf(m_line).isEmpty() && fraction.match(m_line).hasMatch();
    }

    /// Whether it was the number of all recipes before a change, after which there are the same toolkits and Pythons.
    [[nodiscard]] bool wasOfAll(int count) const
    {
        const auto kinds = [](const QList<Variant> &recipes) {
            QSet<QString> all;
            for (const Variant &recipe : recipes)
                all += {u"cuda"_s + recipe.cuda, recipe.python};
            return all;
        };
        return !m_facts.formerRecipes.isEmpty() && count == m_facts.formerRecipes.size() &&
               kinds(m_facts.formerRecipes) == kinds(m_facts.recipes);
    }

    /// Whether what the line says of toolkits and Pythons is true of all recipes: with another number alone, "CUDA 12.8
    /// (117 variants)" would say of all that they are for CUDA 12.8.
    [[nodiscard]] bool isOfAll() const
    {
        static const QRegularExpression toolkit(uR"(\bCUDA[ -]?(\d+\.\d+))"_s);
        static const QRegularExpression python(uR"(\bPython[ -]?(3\.\d+))"_s);
        QStringList cells = m_line.split(u'|');
        for (QString &cell : cells)
            cell = plainWord(cell);
        const auto isTrue = [&](const QRegularExpression &form, const QSet<QString> &there) {
            QSet<QString> named;
            for (const QRegularExpressionMatch &match : form.globalMatch(m_line))
                named.insert(match.captured(1));
            for (const QString &version : there) { // a row of a table says the version alone
                if (there.size() > 1 && cells.contains(version))
                    named.insert(version);
            }
            return named.isEmpty() || there.isEmpty() || named == there;
        };
        QSet<QString> toolkits;
        QSet<QString> pythons;
        for (const Variant &recipe : m_facts.recipes) {
            toolkits.insert(recipe.cuda);
            pythons.insert(pythonVersion(recipe.python));
        }
        toolkits.remove(QString());
        pythons.remove(QString());
        return isTrue(toolkit, toolkits) && isTrue(python, pythons);
    }

    void pin()
    {
        static const QRegularExpression subject(uR"(^[\s|>*#\d.`-]*(nixpkgs|pin(ned)?\b|revision\b))"_s,
                                                QRegularExpression::CaseInsensitiveOption);
        static const QRegularExpression hex(u"(?<![0-9A-Za-z])[0-9a-f]{7,40}(?![0-9A-Za-z])"_s);
        if (m_facts.pins.isEmpty() || (tellsChange(m_line) && m_facts.formerPins.isEmpty()))
            return;
        const bool isRecord = isRecordOfPast();
        // "### Nixpkgs pin" and "- Revision: 0123456"
        const QStringList stated = pinsIn(m_line + u'\n' + m_scopes.title(m_number - 1).remove(hex));
        const bool isSubject = stated.size() == 1 && subject.match(m_line).hasMatch();
        std::optional<qsizetype> stale; ///< in m_found
        bool isUnclear = false;
        // A link and its text name one pin.
        for (const QRegularExpressionMatch &match : hex.globalMatch(m_line)) {
            const auto pin =
                std::ranges::find_if(stated, [&match](const QString &one) { return one.startsWith(match.captured()); });
            const QString old = pin == stated.end() ? match.captured() : *pin;
            const bool isFormer = beginsOneOf(old, m_facts.formerPins);
            if (beginsOneOf(old, m_facts.keptPins) && !isUnclear && !isRecord &&
                m_scopes.at(m_number - 1, match.capturedStart()) != DocumentScopes::About::Other) {
                add(pinUnclearRule, match.capturedStart(), match.capturedLength(),
                    Tr::tr("It names nixpkgs %1.").arg(old.left(10)), {}, Severity::Note);
                isUnclear = true;
            }
            if (beginsOneOf(old, m_facts.pins) || (pin == stated.end() && !isFormer))
                continue;
            using About = DocumentScopes::About;
            const About about = m_scopes.at(m_number - 1, match.capturedStart());
            const bool isOwn = pin != stated.end() && !isRecord &&
                               ((about == About::Own && (stated.size() == 1 || m_scopes.isInTable(m_number - 1))) ||
                                (about == About::Unsaid && isSubject));
            if (!isOwn) {
                if (isFormer && about != About::Other && !isUnclear)
                    add(pinUnclearRule, match.capturedStart(), match.capturedLength(),
                        Tr::tr("It names nixpkgs %1.").arg(old.left(10)), {}, Severity::Note);
                isUnclear |= isFormer && about != About::Other;
                continue;
            }
            const QString wanted = !isFormer && statesOtherVersion()         ? QString()
                                   : m_facts.pins.size() == 1                ? m_facts.pins.constFirst()
                                   : isFormer && m_facts.newPins.size() == 1 ? m_facts.newPins.constFirst()
                                                                             : QString();
            if (!stale) {
                stale = m_found.size();
                add(u"document-pin-stale"_s, match.capturedStart(), old.size(),
                    Tr::tr("No recipe of branch %1 fetches nixpkgs %2.").arg(m_facts.branch, old.left(10)),
                    wanted.isEmpty() && m_facts.pins.size() == 1
                        ? Tr::tr("Write the right one, and the versions that it has.")
                    : wanted.isEmpty()
                        ? Tr::tr("The recipes fetch several; name the right one.")
                        : forSurface(Tr::tr("\"plan --apply\" writes %1.")
                                         .arg(wanted.first(std::min(old.size(), wanted.size()))),
                                     Tr::tr("Plan writes %1.").arg(wanted.first(std::min(old.size(), wanted.size())))));
            }
            if (!wanted.isEmpty())
                m_found[*stale].edits.append({offsetOf(match.capturedStart()), quint32(match.capturedLength()),
                                              wanted.left(match.capturedLength()).toLatin1()});
        }
    }

    /// Whether the line tells of a former state, which stays true.
    [[nodiscard]] bool isRecordOfPast() const { return tellsChange(m_line) || m_scopes.isRecord(m_number - 1); }

    /// Whether the line states a version that no recipe builds: with another nixpkgs alone it would be half true.
    [[nodiscard]] bool statesOtherVersion() const
    {
        static const QRegularExpression version(uR"((?<![\w.-])v?(\d+\.\d+\.\d+)(?!\w|\.\d))"_s);
        QSet<QString> built;
        for (const QStringList &versions : m_facts.built)
            built.unite({versions.begin(), versions.end()});
        for (const QRegularExpressionMatch &match : version.globalMatch(m_line)) {
            if (!built.isEmpty() && !built.contains(match.captured(1)))
                return true;
        }
        return false;
    }

    /// What the line says of toolkits and Pythons is true of the branch, as what it says of the version will be.
    [[nodiscard]] bool namesOnlyOwn() const
    {
        static const QRegularExpression toolkit(uR"(\bCUDA[ -]?(\d+\.\d+))"_s);
        static const QRegularExpression python(uR"(\bPython[ -]?(3\.\d+))"_s);
        static const QRegularExpression number(uR"((?<![\d.])\d+\.\d+)"_s);
        QSet<QString> toolkits, pythons;
        for (const Variant &recipe : m_facts.recipes) {
            toolkits.insert(recipe.cuda);
            pythons.insert(pythonVersion(recipe.python));
        }
        const auto isTrue = [](const QRegularExpression &form, const QString &text, const QSet<QString> &there) {
            for (const QRegularExpressionMatch &match : form.globalMatch(text)) {
                if (!there.contains(match.captured(form.captureCount())))
                    return false;
            }
            return true;
        };
        const QStringList columns =
            m_scopes.isInTable(m_number - 1) ? m_scopes.title(m_number - 1).split(u'|') : QStringList();
        const QStringList cells = m_line.split(u'|');
        for (qsizetype i = 1; i < std::min(cells.size(), columns.size()); ++i) {
            const QString title = plainWord(columns.at(i)).toLower();
            if ((title == "cuda"_L1 && !isTrue(number, cells.at(i), toolkits)) ||
                (title == "python"_L1 && !isTrue(number, cells.at(i), pythons)))
                return false;
        }
        return isTrue(toolkit, m_line, toolkits) && isTrue(python, m_line, pythons);
    }

    /// Whether the version at this place of the line is the family's: "vLLM 0.15.1", "**vLLM**: 0.15.1", or alone in a
    /// cell of its row or below its title.
    [[nodiscard]] bool isOfFamily(const ReplacedVersion &version, qsizetype from, DocumentScopes::About about) const
    {
        for (const QString &name : version.names) {
            QStringList letters;
            for (const QChar c : name) {
                if (c.isLetterOrNumber())
                    letters.append(QRegularExpression::escape(QString(c)));
            }
            const QRegularExpression before(u"(?<![\\w-])%1[\\s:*_`=-]{0,6}$"_s.arg(letters.join("[ _-]?"_L1)),
                                            QRegularExpression::CaseInsensitiveOption);
            if (before.match(m_line.first(from)).hasMatch())
                return true;
        }
        const QStringList cells = m_line.split(u'|');
        const qsizetype column = m_line.first(from).count(u'|');
        const auto isName = [&version](QString text) {
            static const QRegularExpression marks(u"[^\\w]+|_"_s);
            text.remove(marks);
            return std::ranges::any_of(version.names, [&text](QString name) {
                return name.remove(marks).compare(text, Qt::CaseInsensitive) == 0;
            });
        };
        if (!m_scopes.isInTable(m_number - 1) || plainWord(cells.value(column)) != version.former)
            return false;
        QString title = m_scopes.title(m_number - 1).split(u'|').value(column);
        const bool isVersion = title.contains("version"_L1, Qt::CaseInsensitive);
        title.remove(u"version"_s, Qt::CaseInsensitive);
        return isName(cells.value(1)) ||
               (about != DocumentScopes::About::Unsaid && about != DocumentScopes::About::Other && isName(title)) ||
               (about == DocumentScopes::About::Own && isVersion);
    }

    /// `first`: of the findings of this line.
    void versions(qsizetype first)
    {
        using About = DocumentScopes::About;
        Edits edits;
        bool isUnclear = false;
        const OutdatedLine *pin = nullptr;
        for (qsizetype i = first; i < m_found.size(); ++i)
            pin = m_found.at(i).finding.rule.contains("-pin-"_L1) ? &m_found.at(i) : pin;
        const bool keepsPin = pin && pin->edits.isEmpty();
        QString sentence;
        qsizetype at = -1, length = 0;
        QMap<qsizetype, std::optional<Edit>> places; // families may have the same version
        for (const ReplacedVersion &version : m_facts.versions) {
            const QRegularExpression form(
                u"(?<![\\w.-])v?(%1)(?!\\w|\\.\\d)"_s.arg(QRegularExpression::escape(version.former)));
            for (const QRegularExpressionMatch &match : form.globalMatch(m_line)) {
                const qsizetype from = match.capturedStart(1);
                const About about = m_scopes.at(m_number - 1, from);
                const bool isOf = isOfFamily(version, match.capturedStart(), about);
                // A companion's line names the torch inside it: both versions are replaced, or neither.
                isUnclear =
                    isUnclear || (about == About::Other && isOf && !m_facts.built.contains(version.names.first()));
                // The number alone may be another package's.
                if (about == About::Other || (!isOf && about == About::Elsewhere))
                    continue;
                const bool isSubject =
                    m_scopes.isInCode(m_number - 1) || m_scopes.isInTable(m_number - 1) || beginsWith(version.names);
                const bool isOwn = isOf && !version.isPartly &&
                                   (about == About::Own || (about == About::Unsaid && isSubject)) && !keepsPin &&
                                   !isRecordOfPast() && namesOnlyOwn();
                std::optional<Edit> &edit = places[from];
                if (isOwn)
                    edit = {offsetOf(from), quint32(match.capturedLength(1)), version.now.toUtf8()};
                if (at < 0 || isOf) {
                    at = from;
                    length = match.capturedLength(1);
                    sentence = Tr::tr("It says %1 %2; the recipes build %3.")
                                   .arg(version.names.constLast(), version.former, version.now);
                }
            }
        }
        // "pytorch-python313-cpu-avx2-2.8.0", the name of what was built
        for (const ReplacedVersion &version : at < 0 ? m_facts.versions : QList<ReplacedVersion>()) {
            const QRegularExpression form(
                u"(?<![\\w.])[\\w.-]*%1[\\w.-]*-(%2)(?!\\w|-\\d|\\.\\d)"_s.arg(
                    QRegularExpression::escape(version.names.constFirst()), QRegularExpression::escape(version.former)),
                QRegularExpression::CaseInsensitiveOption);
            const QRegularExpressionMatch match = form.match(m_line);
            if (!match.hasMatch() || m_scopes.at(m_number - 1, match.capturedStart(1)) == DocumentScopes::About::Other)
                continue;
            at = match.capturedStart(1);
            length = match.capturedLength(1);
            sentence = Tr::tr("It says %1 %2; the recipes build %3.")
                           .arg(version.names.constLast(), version.former, version.now);
            isUnclear = true;
        }
        for (const std::optional<Edit> &edit : std::as_const(places)) {
            isUnclear = isUnclear || !edit;
            edits += edit ? Edits{*edit} : Edits();
        }
        if (at < 0)
            return;
        // A line with a new pin beside an old version, or the other way round, would be true of neither.
        if (isUnclear) {
            edits.clear();
            for (qsizetype i = first; i < m_found.size(); ++i) {
                if (!m_found.at(i).edits.isEmpty())
                    m_found[i].finding.advice = Tr::tr("Write the new nixpkgs and the new version there.");
                m_found[i].edits.clear();
            }
        }
        add(isUnclear ? versionUnclearRule : u"document-version-stale"_s, at, length, sentence, {},
            isUnclear ? Severity::Note : Severity::Warning);
        m_found.last().edits = edits;
    }

    /// "You are on the `main` branch", and the row of a table that marks a branch as this one.
    void formerBranch()
    {
        if (m_facts.formerBranch.isEmpty())
            return;
        const QString name = QRegularExpression::escape(m_facts.formerBranch);
        const QRegularExpression form(
            uR"((?:\b(?:you(?:'re| are) on|this is|on this branch,?)\b[^.|\w]*(?:\w+[^.|\w]+){0,2}?[`*]+%1[`*]|[`*]+%1[`*]+[^|\w]*\x{2B05}))"_s
                .arg(name),
            QRegularExpression::CaseInsensitiveOption);
        if (const QRegularExpressionMatch match = form.match(m_line); match.hasMatch())
            add(branchStaleRule.toString(), match.capturedStart(), match.capturedLength(),
                Tr::tr("It says that this is branch %1.").arg(m_facts.formerBranch),
                Tr::tr("Write %1, and what it builds.").arg(m_facts.branch));
    }

    /// Whether the line begins with one of the names.
    [[nodiscard]] bool beginsWith(const QStringList &names) const
    {
        static const QRegularExpression marks(u"^[\\s|>*#\\d.`_-]*"_s);
        QString text = m_line;
        text.remove(marks).remove(u' ').remove(u'-');
        return std::ranges::any_of(names, [&text](QString name) {
            return text.startsWith(name.remove(u' ').remove(u'-'), Qt::CaseInsensitive);
        });
    }

    [[nodiscard]] quint32 offsetOf(qsizetype from) const
    {
        return m_offset + quint32(QStringView(m_line).first(from).toUtf8().size());
    }

    void add(const QString &rule, qsizetype from, qsizetype length, const QString &sentence, const QString &advice,
             Severity severity = Severity::Warning)
    {
        m_found.append({{.rule = rule,
                         .severity = severity,
                         .sentence = sentence,
                         .line = m_number,
                         .column = int(offsetOf(from) - m_offset) + 1,
                         .length = int(length),
                         .advice = advice},
                        {}});
    }

    const Documented &m_facts;
    const DocumentScopes &m_scopes;
    QStringList m_others;                       ///< branches
    QHash<QString, int> m_parts, m_formerParts; ///< partsOf()
    QRegularExpression m_own;
    QList<OutdatedLine> m_found;
    QString m_line;
    quint32 m_offset = 0; ///< of the line
    int m_number = 0;
    qsizetype m_column = -1; ///< of the counts in the current table; -1: no table, the number of cells: none
    int m_said = 0;          ///< sum of the rows of the current table, as they are
    int m_sum = 0;           ///< and as they should be
    bool m_ofBranches = false;
    bool m_ofToolkits = false;
    bool m_ours = false; ///< between the program's markers
};

} // namespace

std::optional<QStringList> readmeColumns(const QByteArray &line)
{
    static const QRegularExpression form(u"^<!-- torch-matrix: begin(?: ([a-z][a-z-]*(?:[ ,]+[a-z][a-z-]*)*))? -->$"_s);
    static const QRegularExpression between(u"[ ,]+"_s);
    const QRegularExpressionMatch match = form.match(QString::fromUtf8(line.trimmed()));
    return match.hasMatch() ? std::optional(match.captured(1).split(between, Qt::SkipEmptyParts)) : std::nullopt;
}

QByteArray readmeBeginWith(const QStringList &columns)
{
    return "<!-- torch-matrix: begin " + (columns.isEmpty() ? QByteArray() : columns.join(u' ').toUtf8() + ' ') + "-->";
}

QStringList pinsIn(const QString &line)
{
    static const QRegularExpression subject(u"nixpkgs|\\bpin(s|ned)?\\b"_s, QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression hex(
        u"(?<![\\w./@-])(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])([0-9a-f]{7,40})(?![\\w-])"_s);
    static const QRegularExpression archive(u"NixOS/nixpkgs/(?:archive|commit|tree)/([0-9a-f]{7,40})"_s);
    QStringList pins;
    for (const QRegularExpressionMatch &match : archive.globalMatch(line))
        pins.append(match.captured(1));
    if (subject.match(line).hasMatch()) {
        for (const QRegularExpressionMatch &match : hex.globalMatch(line))
            pins.append(match.captured(1));
    }
    // A link and its text name one pin.
    QStringList longest;
    for (const QString &pin : std::as_const(pins)) {
        if (std::ranges::none_of(pins,
                                 [&pin](const QString &other) { return other != pin && other.startsWith(pin); }) &&
            !longest.contains(pin))
            longest.append(pin);
    }
    return longest;
}

QStringList branchesToCheckOut(const QString &line, const QStringList &repositoryNames)
{
    static const QRegularExpression command(u"git (?:checkout|switch)(?: --?[\\w-]+)* ([\\w.][\\w./-]*)"_s);
    static const QRegularExpression creates(u"git (?:checkout (?:-b|-B|--orphan|--)|switch (?:-c|-C))"_s);
    QStringList escaped;
    for (const QString &name : repositoryNames)
        escaped.append(QRegularExpression::escape(name));
    const QRegularExpression address(u"/(?:%1)/(?:tree|blob)/([\\w.-]+)"_s.arg(escaped.join(u'|')));
    QStringList names;
    if (!creates.match(line).hasMatch()) {
        for (const QRegularExpressionMatch &match : command.globalMatch(line))
            names.append(match.captured(1));
    }
    for (const QRegularExpressionMatch &match : address.globalMatch(line))
        names.append(match.captured(1));
    names.removeDuplicates();
    return names;
}

bool tellsChange(const QString &line)
{
    return line.contains(u'\u2192') || line.contains("->"_L1);
}

QStringList branchesNamedIn(const QString &line, const QStringList &branches)
{
    QStringList named;
    for (const QString &branch : branches) {
        // "main" is a word of any text.
        const QString escaped = QRegularExpression::escape(branch);
        const QString form = branch.contains(u'-') ? escaped : u'`' + escaped + u'`';
        if (QRegularExpression(u"(?<![\\w./-])%1(?![\\w/-])"_s.arg(form)).match(line).hasMatch())
            named.append(branch);
    }
    return named;
}

bool namesUnknownBranch(const QString &line, const QStringList &branches)
{
    static const QRegularExpression quoted(u"`([A-Za-z][\\w.]*-[\\w.-]+)`"_s);
    for (const QRegularExpressionMatch &match : quoted.globalMatch(line)) {
        if (!branches.contains(match.captured(1)))
            return true;
    }
    return false;
}

bool isDocument(const QString &path)
{
    return path.endsWith(".md"_L1, Qt::CaseInsensitive);
}

QList<OutdatedLine> auditDocument(const QByteArray &text, const Documented &facts)
{
    const DocumentScopes scopes(QString::fromUtf8(text), facts);
    Lines lines(facts, scopes);
    quint32 offset = 0;
    for (const QByteArray &line : text.split('\n')) {
        lines.read(QString::fromUtf8(line), offset);
        offset += quint32(line.size()) + 1;
    }
    return lines.found() + staleLists(QString::fromUtf8(text).split(u'\n'), facts, scopes);
}

} // namespace tmx
