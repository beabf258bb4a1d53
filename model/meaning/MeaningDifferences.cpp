// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/meaning/MeaningDifferences.h"

#include "model/base/ByteView.h"
#include "model/base/Tr.h"
#include "model/meaning/MeaningForm.h"
#include "model/nix/Parse.h"
#include "model/recipe/NixpkgsNames.h"
#include "model/recipe/PhaseReader.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <array>
#include <map>
#include <set>

using namespace Qt::StringLiterals;
using namespace std::string_view_literals;

namespace tmx {

using nix::Term;
using nix::TermKind;

namespace {

constexpr qsizetype maxShown = 400;

QString joinedPath(const QString &path, const QString &name)
{
    return path.isEmpty() ? name : path + u'.' + name;
}

/// Prints terms in Nix syntax, with a fetched nixpkgs as one word.
class Printer
{
public:
    /// Names of the arguments of the lambdas around a term, from the outermost inwards.
    QStringList names;

    /// The value without the quotes of a text.
    QString value(const Term *term)
    {
        if (!term)
            return {};
        const QString text = term->kind == TermKind::Text && term->terms.empty() ? toText(term->name) : shown(term);
        return text.isEmpty() ? u"\"\""_s : text.size() > maxShown ? text.first(maxShown) + u"…"_s : text;
    }

    QString shown(const Term *term)
    {
        if (m_size > 4 * maxShown)
            return u"…"_s;
        const QString text = written(term);
        m_size += text.size();
        return text;
    }

    /// Calls `inside` with the names of the lambda's arguments set.
    template <class Inside>
    void within(const Term *lambda, Inside inside)
    {
        // An overlay has two arguments: a function inside a function.
        const bool outer = lambda->terms.back()->kind == TermKind::Lambda && lambda->name.empty();
        const bool inner = !names.isEmpty() && names.constLast() == "final"_L1;
        names.append(outer ? u"final"_s : inner ? u"prev"_s : u"old"_s);
        inside();
        names.removeLast();
    }

private:
    QString written(const Term *term)
    {
        switch (term->kind) {
        case TermKind::Constant: return toText(term->name);
        case TermKind::Text: return u'"' + (term->terms.empty() ? toText(term->name) : pieces(term)) + u'"';
        case TermKind::Literal: return toText(term->name);
        case TermKind::Path: return pieces(term);
        case TermKind::SearchPath: return u'<' + toText(term->name) + u'>';
        case TermKind::List: return u"[ "_s + all(term) + u']';
        case TermKind::Splice: return shown(term->first()) + u" ..."_s;
        case TermKind::Set: return u"{ "_s + all(term) + u'}';
        case TermKind::Attribute: return toText(term->name) + u" = "_s + shown(term->first()) + u';';
        case TermKind::Update: {
            QStringList sets;
            for (const Term *set : term->terms)
                sets.append(shown(set));
            return sets.join(u" // "_s);
        }
        case TermKind::Dynamic: return u"{ ${%1} = %2; }"_s.arg(shown(term->first()), shown(term->second()));
        case TermKind::Lambda: {
            QString body;
            within(term, [&] { body = shown(term->terms.back()); });
            return u"(…: "_s + body + u')';
        }
        case TermKind::Formal: return toText(term->name);
        case TermKind::Bound:
            return term->name.empty() ? names.value(int(term->level) - 1, u"old"_s) : toText(term->name);
        case TermKind::Builtin: return (toText(term->name) + u' ' + all(term)).trimmed();
        case TermKind::Global: return toText(term->name);
        case TermKind::Select: {
            const QString path = shown(term->first()) + u'.' + toText(term->name).replace(QChar(0), u'.');
            return term->second() ? u'(' + path + u" or "_s + shown(term->second()) + u')' : path;
        }
        case TermKind::SelectBy: return shown(term->first()) + u".${"_s + shown(term->second()) + u'}';
        case TermKind::Has: return shown(term->first()) + u" ? "_s + toText(term->name).replace(QChar(0), u'.');
        case TermKind::Call:
            if (isNixpkgs(term->first()))
                return u"nixpkgs"_s;
            return u'(' + shown(term->first()) + u' ' + shown(term->second()) + u')';
        case TermKind::If:
            return u"(if %1 then %2 else %3)"_s.arg(shown(term->first()), shown(term->second()), shown(term->terms[2]));
        case TermKind::Assert: return u"(assert %1; %2)"_s.arg(shown(term->first()), shown(term->second()));
        case TermKind::Operator:
            return term->second() ? u"(%1 %2 %3)"_s.arg(shown(term->first()), toText(term->name), shown(term->second()))
                                  : toText(term->name) + shown(term->first());
        }
        Q_UNREACHABLE_RETURN({});
    }

    QString all(const Term *term)
    {
        QString text;
        for (const Term *part : term->terms)
            text += shown(part) + u' ';
        return text;
    }

    QString pieces(const Term *term)
    {
        QString text;
        for (const Term *part : term->terms) {
            // What identifies the content of a path is not for people.
            if (part->kind == TermKind::Literal && part->name.starts_with('\0'))
                continue;
            text += part->kind == TermKind::Literal ? toText(part->name) : u"${"_s + shown(part) + u'}';
        }
        return text;
    }

    qsizetype m_size = 0;
};

/// A package and the calls on it: `root.override {..}.overrideAttrs (..)`.
struct Package {
    const Term *root = nullptr;
    std::vector<std::pair<std::string_view, const Term *>> steps; ///< starting with the first call
};

Package packageOf(const Term *term)
{
    Package package;
    while (term->kind == TermKind::Call && term->first()->kind == TermKind::Select && !term->first()->second() &&
           isOverride(term->first()->name)) {
        package.steps.emplace_back(term->first()->name, term->second());
        term = term->first()->first();
    }
    std::ranges::reverse(package.steps);
    package.root = term;
    return package;
}

/// For `nixpkgs.a.b` without fallbacks: "a.b", and the value that it is selected from.
std::pair<const Term *, QString> selected(const Term *term)
{
    QString path;
    for (; term->kind == TermKind::Select && !term->second(); term = term->first())
        path = path.isEmpty() ? toText(term->name) : toText(term->name) + u'.' + path;
    return {term, path};
}

/// Finds the differences of two terms, by attribute path.
class Walker
{
public:
    QList<MeaningDifference> found;

    void walk(const Term *a, const Term *b, const QString &path)
    {
        if (a == b)
            return;
        if (attributesApart(a, b, path) || (path == overlaysPath && overlaysApart(a, b)))
            return;
        if (!a || !b || a->kind != b->kind || !sameKind(a, b, path))
            leaf(a, b, path);
    }

private:
    inline static const QString overlaysPath = u"nixpkgs.overlays"_s;

    /// The attributes of a set or of merged sets, and their other parts.
    struct Attributes {
        std::map<std::string_view, const Term *> named;
        std::vector<const Term *> others;
        bool known = false; ///< it is a set
    };

    static Attributes attributesOf(const Term *term)
    {
        Attributes attributes;
        const auto add = [&attributes](const Term *part) {
            if (part->kind != TermKind::Set) {
                attributes.others.push_back(part);
                return;
            }
            attributes.known = true;
            for (const Term *attribute : part->terms)
                attributes.named[attribute->name] = attribute->first();
        };
        if (term && term->kind == TermKind::Update)
            std::ranges::for_each(term->terms, add);
        else if (term)
            add(term);
        return attributes;
    }

    /// Compares passthru and meta attribute by attribute, however they are composed, because they contain unrelated
    /// facts. Returns false if they must be compared as a whole.
    bool attributesApart(const Term *a, const Term *b, const QString &path)
    {
        if (path != "passthru"_L1 && path != "meta"_L1)
            return false;
        const Attributes left = attributesOf(a);
        const Attributes right = attributesOf(b);
        if ((a && !left.known) || (b && !right.known))
            return false;
        const qsizetype before = found.size();
        std::set<std::string_view> names;
        for (const Attributes *side : {&left, &right}) {
            for (const auto &[name, value] : side->named)
                names.insert(name);
        }
        const auto valueOf = [](const Attributes &side, std::string_view name) {
            const auto it = side.named.find(name);
            return it == side.named.end() ? nullptr : it->second;
        };
        for (const std::string_view name : names)
            walk(valueOf(left, name), valueOf(right, name), joinedPath(path, toText(name)));
        if (left.others != right.others)
            add(path, elements(left.others), elements(right.others));
        return found.size() > before;
    }

    /// Reports overlays that only one side has by the attributes that they set. Returns false if they must be compared
    /// as a whole.
    bool overlaysApart(const Term *a, const Term *b)
    {
        if ((a && b) || (a ? a : b)->kind != TermKind::List)
            return false;
        for (const Term *overlay : (a ? a : b)->terms)
            alone(overlay, a != nullptr, overlay);
        return !(a ? a : b)->terms.empty();
    }

    /// Reports an overlay of one side; `inside`: the overlay, or its inner function.
    void alone(const Term *overlay, bool isLeft, const Term *inside)
    {
        if (inside->kind == TermKind::Lambda) {
            m_printer.within(inside, [&] { alone(overlay, isLeft, inside->terms.back()); });
            return;
        }
        if (inside->kind != TermKind::Set || inside->terms.empty()) {
            leaf(isLeft ? inside : nullptr, isLeft ? nullptr : inside, overlaysPath);
            return;
        }
        for (const Term *attribute : inside->terms)
            leaf(isLeft ? attribute->first() : nullptr, isLeft ? nullptr : attribute->first(),
                 joinedPath(overlaysPath, toText(attribute->name)));
    }

    /// Returns false if they must be compared as a whole.
    bool sameKind(const Term *a, const Term *b, const QString &path)
    {
        switch (a->kind) {
        case TermKind::Set: return sets(a, b, path);
        case TermKind::Update: return parts(a, b, path);
        case TermKind::List: return lists(a, b, path);
        case TermKind::Lambda: return lambdas(a, b, path);
        case TermKind::Call: return calls(a, b, path);
        case TermKind::Text: return texts(a, b, path);
        case TermKind::Select: {
            const auto [root, names] = selected(a);
            const auto [otherRoot, otherNames] = selected(b);
            // For a call (of a nixpkgs, a package), compare the parts; for anything else the whole is clearer.
            const bool called = root->kind == TermKind::Call && otherRoot->kind == TermKind::Call;
            if (names.isEmpty() || otherNames.isEmpty() || (root != otherRoot && !called))
                return false;
            walk(root, otherRoot, path);
            return names == otherNames || add(path, names, otherNames);
        }
        case TermKind::Operator: return a->name == b->name && parts(a, b, path);
        case TermKind::If:
        case TermKind::Assert:
        case TermKind::Splice: return parts(a, b, path);
        default: return false;
        }
    }

    bool parts(const Term *a, const Term *b, const QString &path)
    {
        if (a->terms.size() != b->terms.size())
            return false;
        for (size_t i = 0; i < a->terms.size(); ++i)
            walk(a->terms[i], b->terms[i], path);
        return true;
    }

    bool sets(const Term *a, const Term *b, const QString &path)
    {
        std::set<std::string_view> names;
        for (const Term *set : {a, b}) {
            for (const Term *attribute : set->terms)
                names.insert(attribute->name);
        }
        for (const std::string_view name : names)
            walk(a->find(name), b->find(name), joinedPath(path, toText(name)));
        return true;
    }

    bool lists(const Term *a, const Term *b, const QString &path)
    {
        std::vector<const Term *> left(a->terms.begin(), a->terms.end());
        std::vector<const Term *> right(b->terms.begin(), b->terms.end());
        const auto dropCommon = [](std::vector<const Term *> &from, const Term *list) {
            std::erase_if(from, [list](const Term *element) {
                return std::ranges::find(list->terms, element) != list->terms.end();
            });
        };
        dropCommon(left, b);
        dropCommon(right, a);
        if (left.empty() && right.empty())
            return false; // Another order, or duplicates.
        if (left.size() == right.size()) {
            for (size_t i = 0; i < left.size(); ++i)
                walk(left[i], right[i], path);
            return true;
        }
        if (path == overlaysPath) {
            for (const auto &[side, isLeft] : {std::pair(&left, true), std::pair(&right, false)}) {
                for (const Term *overlay : *side)
                    alone(overlay, isLeft, overlay);
            }
            return true;
        }
        return add(path, elements(left), elements(right));
    }

    QString elements(const std::vector<const Term *> &terms)
    {
        QStringList texts;
        for (const Term *term : terms)
            texts.append(shown(term));
        return texts.join(u' ');
    }

    bool lambdas(const Term *a, const Term *b, const QString &path)
    {
        const auto formalsOf = [](const Term *lambda) { return lambda->terms.first(lambda->terms.size() - 1); };
        const auto defaultOf = [this, formalsOf](const Term *lambda, std::string_view name) {
            const auto formals = formalsOf(lambda);
            const auto formal = std::ranges::lower_bound(formals, name, {}, &Term::name);
            if (formal == formals.end() || (*formal)->name != name)
                return QString();
            return (*formal)->first() ? shown((*formal)->first()) : Tr::tr("required");
        };
        if (a->name != b->name)
            return false;
        std::set<std::string_view> names;
        for (const Term *lambda : {a, b}) {
            for (const Term *formal : formalsOf(lambda))
                names.insert(formal->name);
        }
        m_printer.within(a, [&] {
            for (const std::string_view name : names) {
                const QString before = defaultOf(a, name);
                const QString after = defaultOf(b, name);
                if (before != after)
                    add(joinedPath(path, u"arguments."_s + toText(name)), before, after);
            }
            walk(a->terms.back(), b->terms.back(), path);
        });
        return true;
    }

    bool calls(const Term *a, const Term *b, const QString &path)
    {
        const Package left = packageOf(a);
        const Package right = packageOf(b);
        if (!left.steps.empty() || !right.steps.empty()) {
            packages(left, right, path);
            return true;
        }
        if (isNixpkgs(a->first()) && isNixpkgs(b->first())) {
            walk(a->first()->second(), b->first()->second(), u"nixpkgs.source"_s);
            walk(a->second(), b->second(), u"nixpkgs"_s);
            return true;
        }
        if (a->first() != b->first() && a->first()->kind != b->first()->kind)
            return false;
        return parts(a, b, path);
    }

    void packages(const Package &a, const Package &b, const QString &path)
    {
        walk(a.root, b.root, path.isEmpty() ? u"package"_s : path);
        std::vector<bool> taken(b.steps.size());
        for (const auto &[name, argument] : a.steps) {
            const Term *other = nullptr;
            for (size_t i = 0; i < b.steps.size() && !other; ++i) {
                if (!taken[i] && b.steps[i].first == name) {
                    taken[i] = true;
                    other = b.steps[i].second;
                }
            }
            step(name, argument, other, path);
        }
        for (size_t i = 0; i < b.steps.size(); ++i) {
            if (!taken[i])
                step(b.steps[i].first, nullptr, b.steps[i].second, path);
        }
    }

    void step(std::string_view name, const Term *a, const Term *b, const QString &path)
    {
        const QString inside = name == "override"sv ? joinedPath(path, u"override"_s) : path;
        if (a && b) {
            walk(a, b, inside);
            return;
        }
        const Term *only = a ? a : b;
        while (only->kind == TermKind::Lambda)
            only = only->terms.back();
        if (only->kind != TermKind::Set) {
            leaf(a, b, joinedPath(path, toText(name)));
            return;
        }
        if (only->terms.empty())
            leaf(a ? only : nullptr, a ? nullptr : only, joinedPath(path, toText(name)));
        for (const Term *attribute : only->terms)
            walk(a ? attribute->first() : nullptr, a ? nullptr : attribute->first(),
                 joinedPath(inside, toText(attribute->name)));
    }

    /// Reports long texts by their differing lines.
    bool texts(const Term *a, const Term *b, const QString &path)
    {
        const QStringList before = linesOf(a);
        const QStringList after = linesOf(b);
        if (before.size() < 2 && after.size() < 2)
            return false;
        QStringList removed = before;
        QStringList added = after;
        removed.removeIf([&after](const QString &line) { return after.contains(line); });
        added.removeIf([&before](const QString &line) { return before.contains(line); });
        if (before == after) // what its antiquotations give differs
            return add(path, Tr::tr("the same text"), Tr::tr("the same text, with other values in it"));
        if (removed.isEmpty() && added.isEmpty())
            return add(path, Tr::tr("other order of lines"), Tr::tr("other order of lines"));
        return add(path, removed.join(u'\n'), added.join(u'\n'));
    }

    QStringList linesOf(const Term *text)
    {
        QString all = shown(text);
        all = all.sliced(1, all.size() - 2);
        if (all.endsWith(u'\n'))
            all.chop(1);
        return all.split(u'\n');
    }

    QString shown(const Term *term)
    {
        Printer printer;
        printer.names = m_printer.names;
        return printer.shown(term);
    }

    void leaf(const Term *a, const Term *b, const QString &path)
    {
        const auto valueOf = [this](const Term *term) {
            Printer printer;
            printer.names = m_printer.names;
            return printer.value(term);
        };
        add(path.isEmpty() ? u"expression"_s : path, valueOf(a), valueOf(b));
    }

    /// A difference of a nixpkgs that is used in several places is reported once.
    bool add(const QString &path, const QString &before, const QString &after)
    {
        const MeaningDifference difference{path, path, before, after, false, true};
        if (!found.contains(difference))
            found.append(difference);
        return true;
    }

    Printer m_printer;
};

/// A fact, and the attributes that it covers.
struct Telling {
    const char *fact;
    const char *start;
    const char *end;
};
constexpr std::array tellings{
    Telling{"pin", "nixpkgs.source.url", ""},
    Telling{"pin_sha256", "nixpkgs.source.sha256", ""},
    Telling{"config", "nixpkgs.config.allowUnfree", ""},
    Telling{"config", "nixpkgs.config.allowBroken", ""},
    Telling{"config", "nixpkgs.config.cudaSupport", ""},
    Telling{"toolkit", "nixpkgs.overlays", ".cudaPackages"},
    Telling{"magma_patch", "nixpkgs.overlays.magma.patches", ""},
    Telling{"magma_patch", "nixpkgs.overlays", ".magma"},
    Telling{"blas", "nixpkgs.overlays.blas", ""},
    Telling{"lapack", "nixpkgs.overlays.lapack", ""},
    Telling{"torch_version", "nixpkgs.overlays", ".version"},
    Telling{"torch_hash", "nixpkgs.overlays", ".src.hash"},
    Telling{"attribute", "package", ""},
    Telling{"cuda_support", "override.cudaSupport", ""},
    Telling{"gpu_targets", "override.gpuTargets", ""},
    Telling{"cmake_flags", "cmakeFlags", ""},
    Telling{"version", "version", ""},
    Telling{"pname", "pname", ""},
    Telling{"platforms", "meta.platforms", ""},
    Telling{"torch_targets", "override.torch.", "gpuTargets"},
};

/// Facts that nixpkgs overrides, or that no build reads.
const QStringList reachNoBuild{u"environment.MAX_JOBS"_s, u"environment.ninjaFlags"_s,
                               u"environment.requiredSystemFeatures"_s};

/// The variable that a `line` of a phase assigns: "CXXFLAGS" for `export CXXFLAGS=...`; empty if it does something
/// else.
QString assignedIn(QStringView line)
{
    if (line.startsWith("export "_L1))
        line = line.sliced(7);
    const qsizetype end = line.indexOf(u'=');
    const QStringView name = line.first(std::max<qsizetype>(end, 0));
    return std::ranges::all_of(name, [](QChar c) { return c.isLetterOrNumber() || c == u'_'; }) ? name.toString()
                                                                                                : QString();
}

class Differences
{
public:
    Differences(const RecipeSource &before, const RecipeFacts &factsBefore, const RecipeSource &after,
                const RecipeFacts &factsAfter)
        : m_before(before)
        , m_after(after)
        , m_factsBefore(factsBefore)
        , m_factsAfter(factsAfter)
    {
    }

    QList<MeaningDifference> all()
    {
        if (m_before.key() == m_after.key())
            return {};
        addFacts();
        QString problem;
        const Term *a = formOf(m_before, problem);
        const Term *b = formOf(m_after, problem);
        if (!a || !b) {
            m_all.append({u"problem"_s, Tr::tr("cannot be compared"), problem, problem, false, true});
            return std::move(m_all);
        }
        MeaningForm form(m_terms);
        const Term *exact = form.exact(a);
        const Term *otherExact = form.exact(b);
        if (exact == otherExact)
            return {};
        const Term *build = form.build(a);
        const QList<Unbuilt> unbuilt = form.unbuilt();
        const Term *otherBuild = form.build(b);
        if (build == otherBuild) {
            for (MeaningDifference &fact : m_all)
                fact.builds = false;
        }
        Walker walker;
        walker.walk(build, otherBuild, {});
        for (MeaningDifference &difference : walker.found) {
            if (!isTold(difference))
                m_all.append(std::move(difference));
        }
        addUnbuilt({{}, {}, {}, unbuilt}, {{}, {}, {}, form.unbuilt()});
        if (m_all.isEmpty())
            m_all.append({u"shell_layout"_s, Tr::tr("blanks in phases"), {}, {}, false, false});
        std::ranges::stable_partition(m_all, &MeaningDifference::builds);
        return std::move(m_all);
    }

private:
    const Term *formOf(const RecipeSource &source, QString &problem)
    {
        const nix::ParseResult parsed = nix::parse(source.text);
        QString why = parsed.error ? parsed.error->message : QString();
        const Term *term =
            parsed.error ? nullptr : nix::normalForm(parsed.tree, m_terms, &why, foldOptions(source.imports.get()));
        if (!term && problem.isEmpty())
            problem = why;
        return term;
    }

    void addFacts()
    {
        const QList<Fact> was = m_factsBefore.rows(FactDetail::Apart);
        const QList<Fact> is = m_factsAfter.rows(FactDetail::Apart);
        QStringList order;
        for (const Fact &fact : was)
            order.append(fact.id);
        for (qsizetype i = 0; i < is.size(); ++i) {
            if (!order.contains(is.at(i).id))
                order.insert(i == 0 ? 0 : order.indexOf(is.at(i - 1).id) + 1, is.at(i).id);
        }
        order.removeDuplicates();
        for (const QString &id : std::as_const(order)) {
            const QString left = valueOf(was, id);
            const QString right = valueOf(is, id);
            if (left == right || reachNoBuild.contains(id) || (id == "environment.BLAS"_L1 && differs("blas"_L1)))
                continue;
            const auto fact = std::ranges::find(is, id, &Fact::id);
            const QString label = fact != is.end() ? fact->label : std::ranges::find(was, id, &Fact::id)->label;
            // Their order has no effect.
            const auto sorted = [](const QString &flags) {
                QStringList words = flags.split(u' ');
                words.sort();
                return words;
            };
            const bool builds = id != "description"_L1 && id != "driver"_L1 &&
                                (id != "cmake_flags"_L1 || sorted(left) != sorted(right));
            m_all.append({id, label, left, right, true, builds});
        }
    }

    static QString valueOf(const QList<Fact> &facts, const QString &id)
    {
        const auto fact = std::ranges::find(facts, id, &Fact::id);
        return fact == facts.end() ? QString() : fact->value;
    }

    [[nodiscard]] bool differs(QAnyStringView fact) const
    {
        return std::ranges::any_of(m_all, [fact](const MeaningDifference &one) {
            return one.isFact && QAnyStringView::equal(one.path, fact);
        });
    }

    /// Whether a differing fact covers it already; removes lines of a phase that are covered by a fact.
    bool isTold(MeaningDifference &difference) const
    {
        const QString &path = difference.path;
        for (const Telling &telling : tellings) {
            if (path.startsWith(QLatin1StringView(telling.start)) && path.endsWith(QLatin1StringView(telling.end)) &&
                differs(QLatin1StringView(telling.fact)))
                return true;
        }
        const QString name = path.sliced(path.lastIndexOf(u'.') + 1);
        const auto variableDiffers = [this](const QString &variable) {
            return differs(u"environment."_s + variable) || (variable == "BLAS"_L1 && differs("blas"_L1));
        };
        if (differs(path) || ((path == name || path == u"env."_s + name) && variableDiffers(name)))
            return true;
        if (!isPhase(name.toUtf8()))
            return false;
        const auto untold = [this, variableDiffers](const QString &text) {
            QStringList lines = text.split(u'\n', Qt::SkipEmptyParts);
            lines.removeIf([this, variableDiffers](const QString &line) {
                const QString variable = assignedIn(line);
                if (variable.isEmpty())
                    return line.contains(".metadata-rev"_L1) && differs("metadata_rev"_L1);
                return variable == "CXXFLAGS"_L1 || variable == "CFLAGS"_L1 ? differs("cpu_flags"_L1)
                                                                            : variableDiffers(variable);
            });
            return lines.join(u'\n');
        };
        difference.before = untold(difference.before);
        difference.after = untold(difference.after);
        return difference.before.isEmpty() && difference.after.isEmpty();
    }

    void addUnbuilt(const Meaning &before, const Meaning &after)
    {
        const auto valuesOf = [](const Meaning &meaning, UnbuiltKind kind) {
            QStringList values;
            for (const Unbuilt &one : meaning.unbuilt) {
                const bool isText =
                    kind == UnbuiltKind::Echo || kind == UnbuiltKind::ShellComment || kind == UnbuiltKind::MetaText;
                if (one.kind == kind && !isText)
                    values.append(one.value);
            }
            return values.join(u' ');
        };
        for (const UnbuiltKind kind : unbuiltDifferences(before, after)) {
            const bool told = kind == UnbuiltKind::MetaText
                                  ? differs("description"_L1) || differs("driver"_L1)
                                  : kind == UnbuiltKind::FlagOrder && differs("cmake_flags"_L1);
            if (!told)
                m_all.append(
                    {toString(kind), labelOf(kind), valuesOf(before, kind), valuesOf(after, kind), false, false});
        }
    }

    const RecipeSource &m_before;
    const RecipeSource &m_after;
    const RecipeFacts &m_factsBefore;
    const RecipeFacts &m_factsAfter;
    nix::Terms m_terms;
    QList<MeaningDifference> m_all;
};

} // namespace

QList<MeaningDifference> meaningDifferences(const RecipeSource &before, const RecipeFacts &factsBefore,
                                            const RecipeSource &after, const RecipeFacts &factsAfter)
{
    return Differences(before, factsBefore, after, factsAfter).all();
}

} // namespace tmx
