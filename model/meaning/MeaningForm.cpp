// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/meaning/MeaningForm.h"

#include "model/base/ByteView.h"
#include "model/meaning/PlainScript.h"
#include "model/recipe/NixpkgsNames.h"
#include "model/recipe/PhaseReader.h"

#include <QCryptographicHash>

#include <algorithm>
#include <array>

namespace tmx {

using nix::Term;
using nix::TermKind;
using namespace Qt::StringLiterals;
using namespace std::string_view_literals;

namespace {

constexpr std::array metaTexts{"description"sv, "longDescription"sv, "homepage"sv, "changelog"sv, "downloadPage"sv};
constexpr std::array unorderedMeta{"platforms"sv, "badPlatforms"sv, "hydraPlatforms"sv};

/// The name by which other parts refer to an attribute or a variable.
struct UnbuiltName {
    UnbuiltKind kind;
    std::string_view name;
};
constexpr std::array unbuiltNames{UnbuiltName{UnbuiltKind::NinjaFlags, "ninjaFlags"},
                                  UnbuiltName{UnbuiltKind::MaxJobs, "MAX_JOBS"},
                                  UnbuiltName{UnbuiltKind::SystemFeatures, "requiredSystemFeatures"},
                                  UnbuiltName{UnbuiltKind::MetaText, "description"},
                                  UnbuiltName{UnbuiltKind::MetaText, "longDescription"},
                                  UnbuiltName{UnbuiltKind::MetaText, "homepage"},
                                  UnbuiltName{UnbuiltKind::MetaText, "changelog"},
                                  UnbuiltName{UnbuiltKind::MetaText, "downloadPage"}};

template <size_t n>
bool isOneOf(std::string_view name, const std::array<std::string_view, n> &names)
{
    return std::ranges::find(names, name) != names.end();
}

bool isPlainText(const Term *term)
{
    return term->kind == TermKind::Text && term->terms.empty();
}

bool mentionsName(const Term *term, std::string_view name)
{
    switch (term->kind) {
    case TermKind::Select:
    case TermKind::Has:
        for (std::string_view rest = term->name; !rest.empty();) {
            const size_t end = std::min(rest.find('\0'), rest.size());
            if (rest.substr(0, end) == name)
                return true;
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        return false;
    // In a text such a name is a shell variable, because it is not an ordinary word.
    case TermKind::Text:
    case TermKind::Literal: return !isOneOf(name, metaTexts) && term->name.find(name) != term->name.npos;
    default: return false;
    }
}

/// The kinds that `term` mentions. Visits each term once.
std::vector<UnbuiltKind> mentionedIn(const Term *term, const QList<Unbuilt> &unbuilt)
{
    std::vector<UnbuiltName> asked;
    std::ranges::copy_if(unbuiltNames, std::back_inserter(asked), [&unbuilt](const UnbuiltName &mention) {
        return std::ranges::find(unbuilt, mention.kind, &Unbuilt::kind) != unbuilt.end();
    });
    std::vector<UnbuiltKind> kinds;
    std::vector<bool> seen(term->number + 1);
    std::vector<const Term *> open;
    if (!asked.empty())
        open.push_back(term);
    while (!open.empty()) {
        const Term *current = open.back();
        open.pop_back();
        for (const UnbuiltName &mention : asked) {
            if (mentionsName(current, mention.name))
                kinds.push_back(mention.kind);
        }
        for (const Term *part : current->terms) {
            if (!seen[part->number]) {
                seen[part->number] = true;
                open.push_back(part);
            }
        }
    }
    return kinds;
}

/// The elements of a list of plain texts, joined by blanks, without those that `isOld` recognises as the previous
/// value.
template <class IsOld>
std::optional<QByteArray> plainList(const Term *list, IsOld isOld)
{
    if (list->kind != TermKind::List)
        return std::nullopt;
    QByteArrayList texts;
    for (const Term *element : list->terms) {
        if (element->kind == TermKind::Splice && isOld(element->first()))
            continue;
        if (!isPlainText(element))
            return std::nullopt;
        texts.append(QByteArray(element->name.data(), qsizetype(element->name.size())));
    }
    return texts.join(' ');
}

/// Whether the flags only set the number of jobs: "-j32", "-j 32 -l 8".
bool isJobs(const QByteArray &flags)
{
    bool wantsNumber = false;
    for (const QByteArray &word : flags.split(' ')) {
        const bool flag = word.startsWith("-j") || word.startsWith("-l");
        const QByteArray number = flag ? word.sliced(2) : word;
        if (flag == wantsNumber || !std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; }))
            return false;
        wantsNumber = number.isEmpty();
    }
    return !wantsNumber;
}

/// "pkgs.stdenv.hostPlatform.system" if it is the system of the file's own argument; else empty.
QByteArray callersSystem(const Term *term)
{
    if (term->kind == TermKind::Global && term->name == "currentSystem"sv)
        return "builtins.currentSystem";
    QByteArray path;
    for (; term->kind == TermKind::Select && term->terms.size() == 1; term = term->first())
        path = '.' + QByteArray(term->name.data(), qsizetype(term->name.size())) + path;
    if (term->kind != TermKind::Bound || term->level != 1)
        return {};
    path = QByteArray(term->name.data(), qsizetype(term->name.size())) + path;
    static constexpr std::array known{"system",
                                      "pkgs.system",
                                      "pkgs.stdenv.system",
                                      "pkgs.stdenv.hostPlatform.system",
                                      "pkgs.hostPlatform.system",
                                      "stdenv.system",
                                      "stdenv.hostPlatform.system"};
    return std::ranges::any_of(known, [&path](const char *one) { return path == one; }) ? path : QByteArray();
}

QByteArray checksum(QByteArrayView text)
{
    return QCryptographicHash::hash(text, QCryptographicHash::Blake2b_160).toHex().first(16);
}

} // namespace

bool takesDerivation(const Term *function)
{
    return (function->kind == TermKind::Select || function->kind == TermKind::Bound) &&
           (isBuilder(function->name) || (isOverride(function->name) && function->name != "override"));
}

bool isNixpkgs(const Term *function)
{
    const auto isGlobal = [](const Term *term, std::string_view name) {
        return term->kind == TermKind::Global && term->name == name;
    };
    if (function->kind != TermKind::Call || !isGlobal(function->first(), "import"))
        return false;
    const Term *source = function->second();
    if (source->kind == TermKind::Call)
        return isGlobal(source->first(), "fetchTarball") || isGlobal(source->first(), "fetchGit");
    return source->kind == TermKind::SearchPath && source->name == "nixpkgs"sv;
}

const Term *MeaningForm::exact(const Term *term)
{
    m_building = false;
    m_known.clear();
    return rewritten(term);
}

const Term *MeaningForm::build(const Term *term)
{
    m_building = true;
    m_kept.clear();
    for (;;) {
        m_known.clear();
        m_unbuilt.clear();
        const Term *built = rewritten(term);
        std::vector<UnbuiltKind> mentioned = mentionedIn(built, m_unbuilt);
        std::erase_if(mentioned, [this](UnbuiltKind kind) { return !drops(kind); });
        if (mentioned.empty())
            return built;
        m_kept.insert(m_kept.end(), mentioned.begin(), mentioned.end());
    }
}

QList<Unbuilt> MeaningForm::unbuilt() const
{
    QList<Unbuilt> sorted = m_unbuilt;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    return sorted;
}

bool MeaningForm::drops(UnbuiltKind kind) const
{
    return m_building && std::ranges::find(m_kept, kind) == m_kept.end();
}

/// Whether the term is `old.name` (or its absence) of the attributes that are overridden here.
bool MeaningForm::isOld(const Term *term, std::string_view name) const
{
    const auto isNothing = [](const Term *fallback) {
        return fallback->terms.empty() && (fallback->kind == TermKind::List || fallback->kind == TermKind::Set ||
                                           (fallback->kind == TermKind::Text && fallback->name.empty()));
    };
    return term->kind == TermKind::Select && term->name == name && term->first()->kind == TermKind::Bound &&
           term->first()->level == m_level && term->first()->name.empty() &&
           (!term->second() || isNothing(term->second()));
}

void MeaningForm::note(UnbuiltKind kind, QByteArrayView value)
{
    m_unbuilt.append({kind, m_where, QString::fromUtf8(value)});
}

const Term *MeaningForm::rewritten(const Term *term)
{
    if (term->terms.empty())
        return term;
    const auto known = m_known.find(term);
    if (known != m_known.end())
        return known->second;
    const Term *result = nullptr;
    const Term *function = term->kind == TermKind::Call ? term->first() : nullptr;
    if (function && takesDerivation(function)) {
        const Term *arguments = attributes(term->second());
        result = m_terms.make(TermKind::Call, {}, {rewritten(function), arguments});
    } else if (function && isNixpkgs(function)) {
        result = m_terms.make(TermKind::Call, {}, {rewritten(function), importArguments(term->second())});
    } else {
        result = rewrittenParts(term);
    }
    m_known.emplace(term, result);
    return result;
}

const Term *MeaningForm::rewrittenParts(const Term *term)
{
    m_level += term->kind == TermKind::Lambda;
    std::vector<const Term *> parts;
    parts.reserve(term->terms.size());
    for (const Term *part : term->terms)
        parts.push_back(rewritten(part));
    m_level -= term->kind == TermKind::Lambda;
    return std::ranges::equal(parts, term->terms) ? term : m_terms.with(term, parts);
}

const Term *MeaningForm::importArguments(const Term *settings)
{
    if (settings->kind != TermKind::Set || !drops(UnbuiltKind::System))
        return rewritten(settings);
    std::vector<const Term *> kept;
    for (const Term *attribute : settings->terms) {
        const QByteArray system = attribute->name == "system"sv ? callersSystem(attribute->first()) : QByteArray();
        if (system.isEmpty()) {
            kept.push_back(rewritten(attribute));
            continue;
        }
        m_where = u"nixpkgs.system"_s;
        m_unbuilt.append({UnbuiltKind::System, m_where, QString::fromUtf8(system)});
    }
    return m_terms.with(settings, kept);
}

/// Rewrites a derivation's attributes, or a function that returns them.
const Term *MeaningForm::attributes(const Term *term)
{
    switch (term->kind) {
    case TermKind::Set: {
        std::vector<const Term *> kept;
        for (const Term *one : term->terms) {
            if (const Term *value = attribute(one->name, one->first()))
                kept.push_back(m_terms.make(TermKind::Attribute, one->name, {value}));
        }
        return m_terms.with(term, kept);
    }
    case TermKind::Update:
    case TermKind::Lambda:
    case TermKind::If:
    case TermKind::Assert: {
        m_level += term->kind == TermKind::Lambda;
        std::vector<const Term *> parts;
        for (size_t i = 0; i < term->terms.size(); ++i) {
            const bool gives =
                term->kind == TermKind::Update || i + 1 == term->terms.size() || (term->kind == TermKind::If && i > 0);
            parts.push_back(gives ? attributes(term->terms[i]) : rewritten(term->terms[i]));
        }
        m_level -= term->kind == TermKind::Lambda;
        return m_terms.with(term, parts);
    }
    default: return rewritten(term);
    }
}

/// Returns nullptr if the attribute has no effect.
const Term *MeaningForm::attribute(std::string_view name, const Term *value)
{
    m_where = toText(name);
    if (name == "meta"sv) {
        const Term *rest = meta(value);
        return m_building && isOld(rest, name) ? nullptr : rest;
    }
    if (!m_building)
        return rewritten(value);
    if (isPhase(QByteArray(name.data(), qsizetype(name.size())))) {
        const Term *rest = phase(value, true);
        return isOld(rest, name) ? nullptr : rest;
    }
    if (name == "cmakeFlags"sv)
        return rewritten(sortedDefinitions(value));
    const bool out = (name == "ninjaFlags"sv && leaveOut(UnbuiltKind::NinjaFlags, name, value)) ||
                     (name == "MAX_JOBS"sv && leaveOut(UnbuiltKind::MaxJobs, name, value)) ||
                     (name == "requiredSystemFeatures"sv && leaveOut(UnbuiltKind::SystemFeatures, name, value));
    return out ? nullptr : rewritten(value);
}

/// Sorts adjacent definitions of different CMake variables by name.
const Term *MeaningForm::sortedDefinitions(const Term *flags)
{
    if (flags->kind != TermKind::List || !drops(UnbuiltKind::FlagOrder))
        return flags;
    const auto nameOf = [](const Term *flag) { return flag->name.substr(0, flag->name.find('=')); };
    std::vector<const Term *> sorted(flags->terms.begin(), flags->terms.end());
    for (auto first = sorted.begin(); first != sorted.end();) {
        const auto last = std::find_if_not(first, sorted.end(), [](const Term *flag) {
            return isPlainText(flag) && flag->name.starts_with("-D") && flag->name.find('=') != flag->name.npos;
        });
        std::stable_sort(first, last, [&](const Term *a, const Term *b) { return nameOf(a) < nameOf(b); });
        // The last definition of a variable wins, so these keep their order: the sort is stable.
        first = last == sorted.end() ? last : last + 1;
    }
    if (!std::ranges::equal(sorted, flags->terms)) {
        QByteArrayList order;
        for (const Term *flag : flags->terms)
            order.append(QByteArray(flag->name.data(), qsizetype(flag->name.size())));
        note(UnbuiltKind::FlagOrder, checksum(order.join(' ')));
    }
    return m_terms.with(flags, sorted);
}

bool MeaningForm::leaveOut(UnbuiltKind kind, std::string_view name, const Term *value)
{
    if (!drops(kind))
        return false;
    std::optional<QByteArray> text = plainList(value, [&](const Term *term) { return isOld(term, name); });
    if (kind == UnbuiltKind::MaxJobs)
        text = isPlainText(value) || value->kind == TermKind::Constant
                   ? std::optional(QByteArray(value->name.data(), qsizetype(value->name.size())))
                   : std::nullopt;
    const bool out = text && (kind == UnbuiltKind::NinjaFlags ? isJobs(*text)
                              : kind == UnbuiltKind::MaxJobs  ? isJobs("-j" + *text)
                                                              : true);
    if (out)
        note(kind, *text);
    return out;
}

const Term *MeaningForm::meta(const Term *value)
{
    if (value->kind == TermKind::Update) {
        std::vector<const Term *> layers;
        for (const Term *layer : value->terms) {
            const Term *rest = layer->kind == TermKind::Set ? meta(layer) : rewritten(layer);
            if (!m_building || !rest->terms.empty() || rest->kind != TermKind::Set)
                layers.push_back(rest);
        }
        return layers.size() == 1 ? layers.front() : m_terms.with(value, layers);
    }
    if (value->kind != TermKind::Set)
        return rewritten(value);
    std::vector<const Term *> kept;
    for (const Term *one : value->terms) {
        const Term *content = one->first();
        if (drops(UnbuiltKind::MetaText) && isOneOf(one->name, metaTexts) && content->kind == TermKind::Text) {
            m_where = u"meta."_s + toText(one->name);
            note(UnbuiltKind::MetaText,
                 checksum(content->terms.empty() ? QByteArray(content->name.data(), qsizetype(content->name.size()))
                                                 : nix::hashOf(content)));
            continue;
        }
        if (content->kind == TermKind::List && isOneOf(one->name, unorderedMeta) &&
            std::ranges::all_of(content->terms, isPlainText)) {
            std::vector<const Term *> sorted(content->terms.begin(), content->terms.end());
            std::ranges::sort(sorted, {}, &Term::name);
            content = m_terms.with(content, sorted);
        }
        kept.push_back(m_terms.make(TermKind::Attribute, one->name, {rewritten(content)}));
    }
    return m_terms.with(value, kept);
}

/// Rewrites a phase, or a text appended to it. `last`: nothing follows.
const Term *MeaningForm::phase(const Term *value, bool last)
{
    if (value->kind == TermKind::Text)
        return script(value, last);
    if (value->kind != TermKind::Operator || value->name != "+"sv || value->terms.size() != 2)
        return rewritten(value);
    const Term *left = phase(value->first(), false);
    const Term *right = phase(value->second(), last);
    const bool nothing = isPlainText(right) && right->name.empty();
    return nothing ? left : m_terms.make(TermKind::Operator, value->name, {left, right});
}

const Term *MeaningForm::script(const Term *text, bool last)
{
    const Term *whole = rewritten(text);
    const std::span<const Term *const> stretches = whole->terms.empty() ? std::span(&whole, 1) : whole->terms;
    QByteArray bytes;
    std::vector<const Term *> holes;
    for (const Term *stretch : stretches) {
        const bool known = stretch == whole || stretch->kind == TermKind::Literal;
        if (known && stretch->name.find('\x1a') != stretch->name.npos)
            return whole;
        if (known) {
            bytes.append(stretch->name.data(), qsizetype(stretch->name.size()));
        } else {
            bytes.append('\x1a');
            holes.push_back(stretch);
        }
    }
    // The following text would be joined to its last word.
    if (!last && !bytes.endsWith('\n'))
        return whole;
    const std::optional<PlainScript> plain = plainScript(bytes, drops(UnbuiltKind::MaxJobs));
    if (!plain)
        return whole;
    for (const QByteArray &jobs : plain->maxJobs)
        note(UnbuiltKind::MaxJobs, jobs);
    if (!plain->echoes.isEmpty())
        note(UnbuiltKind::Echo, checksum(plain->echoes.join('\n')));
    if (!plain->comments.isEmpty())
        note(UnbuiltKind::ShellComment, checksum(plain->comments.join('\n')));

    std::vector<const Term *> parts;
    const std::string_view rest(plain->text.constData(), size_t(plain->text.size()));
    size_t begin = 0;
    for (const Term *hole : holes) {
        const size_t end = rest.find('\x1a', begin);
        parts.push_back(m_terms.make(TermKind::Literal, rest.substr(begin, end - begin)));
        parts.push_back(hole);
        begin = end + 1;
    }
    parts.push_back(m_terms.make(TermKind::Literal, rest.substr(begin)));
    return m_terms.makeText(parts);
}

} // namespace tmx
