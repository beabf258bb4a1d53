// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/PhaseReader.h"

#include "model/recipe/ShellWords.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <array>
#include <optional>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using namespace std::string_view_literals;

// In the order in which stdenv runs them (nixpkgs manual: phases).
constexpr std::array phaseNames{"unpackPhase"sv,  "postUnpack"sv,     "prePatch"sv,      "patchPhase"sv, "postPatch"sv,
                                "preConfigure"sv, "configurePhase"sv, "postConfigure"sv, "preBuild"sv,   "buildPhase"sv,
                                "postBuild"sv,    "preCheck"sv,       "checkPhase"sv,    "postCheck"sv,  "preInstall"sv,
                                "installPhase"sv, "postInstall"sv,    "preFixup"sv,      "fixupPhase"sv, "postFixup"sv};

size_t orderOf(const QByteArray &name)
{
    return size_t(std::ranges::find(phaseNames, std::string_view(name.constData(), size_t(name.size()))) -
                  phaseNames.begin());
}

bool isNameCharacter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || (c >= '0' && c <= '9');
}

/// Start of the value in NAME=value or NAME+=value; 0 if the word is not an assignment.
qsizetype valueOf(const QByteArray &word)
{
    qsizetype end = 0;
    while (end < word.size() && isNameCharacter(word.at(end)))
        ++end;
    if (end == 0 || (word.at(0) >= '0' && word.at(0) <= '9'))
        return 0;
    if (end < word.size() && word.at(end) == '+')
        ++end;
    return end < word.size() && word.at(end) == '=' ? end + 1 : 0;
}

/// The compilers that get the options in a variable.
struct Takers {
    bool cxx = false;
    bool c = false;
};

Takers takersOf(QStringView name)
{
    const bool both = name == "NIX_CFLAGS_COMPILE"_L1;
    return {both || name == "CXXFLAGS"_L1 || name == "CGO_CXXFLAGS"_L1,
            both || name == "CFLAGS"_L1 || name == "CGO_CFLAGS"_L1};
}

/// Begin and length of each option for the CPU, "-m...".
QList<std::pair<qsizetype, qsizetype>> optionsIn(const QByteArray &value)
{
    QList<std::pair<qsizetype, qsizetype>> options;
    for (qsizetype at = 0; at < value.size();) {
        const qsizetype end = qsizetype(std::find(value.cbegin() + at, value.cend(), ' ') - value.cbegin());
        const bool isKnown = !QByteArrayView(value).sliced(at, end - at).contains('\x1a');
        if (end - at > 2 && value.at(at) == '-' && value.at(at + 1) == 'm' && isKnown)
            options.append({at, end - at});
        at = end + 1;
    }
    return options;
}

void merge(StatedList &list, const StatedList &found, bool keeps)
{
    if (!keeps || !list) {
        list = found;
        return;
    }
    if (found.items.isEmpty())
        return;
    if (list.items.isEmpty())
        list.spot = found.spot;
    list.items.append(found.items);
    list.known = list.known && found.known;
}

void addFlags(PackageFacts &package, Takers takers, const StatedList &found, bool keeps)
{
    if (takers.cxx)
        merge(package.cxxFlags, found, keeps);
    if (takers.c)
        merge(package.cFlags, found, keeps);
}

class PhaseReader
{
public:
    /// `exported`: the variables that phases before this one export.
    PhaseReader(const FactPlaces &places, const nix::Value::Entry &phase, PackageFacts &package,
                QSet<QString> &exported)
        : m_places(places)
        , m_exported(exported)
        , m_entry(phase)
        , m_name(toText(phase.name))
        , m_package(package)
        , m_origins(phase.value.origins())
        , m_whole(places.spotOf(phase.value, phase.definition))
    {
    }

    void read()
    {
        QByteArray script = m_entry.value.textAround();
        // `(old.preConfigure or "") + ...`: the old text has lines of its own.
        qsizetype at = -1;
        for (const nix::Value &hole : m_entry.value.holes()) {
            at = script.indexOf('\x1a', at + 1);
            if (at == 0 || (at > 0 && isOldValue(hole) && script.at(at - 1) == '\n'))
                script[at] = '\n';
        }
        read(script);
    }

private:
    void read(const QByteArray &script)
    {
        for (const ShellCommand &command : shellCommands(script)) {
            const QByteArray &first = command.words.front().text;
            const bool exports = first == "export" || first == "declare" || first == "typeset";
            const bool assigns =
                exports || std::ranges::all_of(command.words, [](const ShellWord &w) { return valueOf(w.text) > 0; });
            if (assigns) {
                for (const ShellWord &word : command.words) {
                    noteExport(word, exports);
                    assignment(word);
                }
            } else if (first == "unset") {
                for (const ShellWord &word : command.words)
                    clear(word);
            } else {
                other(command);
                if (first == "source" || first == ".")
                    readSourced(command);
            }
        }
    }

    /// A file that the phase runs in its own shell: `source ${./build.sh}`. Its facts are placed at that command.
    void readSourced(const ShellCommand &command)
    {
        if (m_sourced || command.words.size() < 2 || command.words.at(1).text != "\x1a")
            return;
        const quint32 offset = command.words.at(1).offsets.front();
        const std::vector<nix::Value> holes = m_entry.value.holes();
        const auto hole = size_t(m_entry.value.textAround().first(offset).count('\x1a'));
        const QByteArray text = hole < holes.size() ? m_places.fileAt(holes[hole]) : QByteArray();
        if (text.isEmpty())
            return;
        const ShellWord &verb = command.words.front();
        m_sourced = spotOf(verb, 0, verb.text.size());
        read(text);
        m_sourced.reset();
    }

    /// `unset CFLAGS`: the compiler gets none of its flags.
    void clear(const ShellWord &word)
    {
        const Takers takers = takersOf(toText(word.text));
        if (takers.cxx != takers.c)
            addFlags(m_package, takers, {.items = {}, .spot = spotOf(word, 0, word.text.size()), .known = true}, false);
    }

    /// A variable that an attribute of the derivation becomes, if no phase sets it.
    [[nodiscard]] std::optional<StatedText> ofDerivation(const QString &name) const
    {
        if (const VariableFact *variable = m_package.variable(name))
            return variable->phase == "env"_L1 && variable->known
                       ? std::optional(StatedText{variable->value, variable->spot, true})
                       : std::nullopt;
        const auto other = std::ranges::find(m_package.otherAttributes, name, &NamedText::name);
        return other != m_package.otherAttributes.cend() && other->known && !other->value.startsWith(u'[')
                   ? std::optional(StatedText{other->value, other->spot, true})
                   : std::nullopt;
    }

    /// The value with the variables of the derivation in it: `$arch` of `env.arch = "9.0"`.
    [[nodiscard]] QString expanded(const QString &value, const QString &name) const
    {
        static const QRegularExpression reference(uR"(\$(?:(\w+)|\{(\w+)(?::-[^}]*)?\}))"_s);
        QString text;
        qsizetype end = 0;
        for (const QRegularExpressionMatch &match : reference.globalMatch(value)) {
            const QString other = match.captured(1) + match.captured(2);
            const std::optional<StatedText> known = other == name ? std::nullopt : ofDerivation(other);
            if (!known)
                continue;
            text += value.sliced(end, match.capturedStart() - end) + known->value;
            end = match.capturedEnd();
        }
        return text + value.sliced(end);
    }

    /// Whether the variable reaches the compiler. Those of the environment do; so far, nixpkgs exports neither.
    void noteExport(const ShellWord &word, bool exports)
    {
        const qsizetype from = valueOf(word.text);
        const QString name =
            toText(from == 0 ? word.text : word.text.first(from - (word.text.at(from - 2) == '+' ? 2 : 1)));
        if (name != "CFLAGS"_L1 && name != "CXXFLAGS"_L1)
            return;
        const bool isThere = std::ranges::any_of(m_package.environment, [&](const VariableFact &variable) {
            return variable.name == name && (variable.phase == "env"_L1 || m_exported.contains(name));
        });
        if (exports) {
            m_exported.insert(name);
            m_package.notExported.removeIf([&name](const StatedText &one) { return one.value == name; });
        } else if (!isThere && !m_exported.contains(name)) {
            m_package.notExported.append({name, spotOf(word, from, word.text.size() - from), true});
        }
    }

    void assignment(const ShellWord &word)
    {
        const qsizetype from = valueOf(word.text);
        if (from == 0)
            return;
        const bool appends = word.text.at(from - 2) == '+';
        const QString name = toText(word.text.first(from - (appends ? 2 : 1)));
        const QByteArray value = word.text.sliced(from);
        VariableFact variable{name,
                              (appends ? u'$' + name + u' ' : QString()) + expanded(toText(value), name),
                              m_name,
                              spotOf(word, from, value.size()),
                              !value.contains('\x1a'),
                              word.isArray};
        m_package.environment.append(std::move(variable));
        QList<StatedText> options;
        for (const auto &[at, length] : optionsIn(value))
            options.append({toText(value.sliced(at, length)), spotOf(word, from + at, length), true});
        // Of other variables of the phase: `export CFLAGS="$CXXFLAGS"`.
        static const QRegularExpression reference(uR"(\$\{?([A-Za-z_]\w*))"_s);
        for (const QRegularExpressionMatch &match : reference.globalMatch(QString::fromLatin1(value))) {
            if (match.captured(1) != name)
                options.append(optionsOf(match.captured(1)));
        }
        flags(name, value, options, spotOf(word, from, value.size()), appends);
        m_options.insert(name, appends ? m_options.value(name) + options : options);
    }

    /// Whether the value may have options that are not read: what a command prints, or a variable that is set
    /// elsewhere.
    [[nodiscard]] bool mayHaveMore(const QString &value, const QString &name) const
    {
        static const QRegularExpression reference(uR"(`|\$(?:\(|\{?([A-Za-z_]\w*)))"_s);
        static const QRegularExpression others(u"^(NIX_.*|PWD|out|(C|CXX|CPP|CUDA|LD)FLAGS)$"_s);
        for (const QRegularExpressionMatch &match : reference.globalMatch(value)) {
            const QString other = match.captured(1);
            if (other.isEmpty() || (other != name && !m_options.contains(other) && !ofDerivation(other) &&
                                    !others.match(other).hasMatch()))
                return true;
        }
        return false;
    }

    /// The options for the CPU in a variable of the phase or of the derivation.
    [[nodiscard]] QList<StatedText> optionsOf(const QString &name) const
    {
        if (const auto known = m_options.constFind(name); known != m_options.cend())
            return *known;
        QList<StatedText> options;
        const std::optional<StatedText> variable = ofDerivation(name);
        if (!variable || takersOf(name).cxx || takersOf(name).c)
            return options;
        const QByteArray value = variable->value.toUtf8();
        for (const auto &[at, length] : optionsIn(value))
            options.append({toText(value.sliced(at, length)), variable->spot, true});
        return options;
    }

    /// Adds the compiler options in the value, each with its own place.
    void flags(const QString &name, const QByteArray &value, const QList<StatedText> &options, const Spot &spot,
               bool appends)
    {
        const Takers takers = takersOf(name);
        if (!takers.cxx && !takers.c)
            return;
        const QByteArray self = '$' + name.toLatin1();
        const QByteArray bracedSelf = "${" + name.toLatin1();
        const bool keeps = (takers.cxx && takers.c) || appends || value.contains(self) || value.contains(bracedSelf);
        addFlags(m_package, takers,
                 {.items = options,
                  .spot = spot,
                  .known = !value.contains('\x1a') && !mayHaveMore(QString::fromLatin1(value), name),
                  .extends = keeps},
                 keeps);
    }

    void other(const ShellCommand &command)
    {
        CommandFact fact;
        for (const ShellWord &word : command.words)
            fact.words.append(toText(word.text));
        fact.output = toText(command.output);
        fact.document = toText(command.document);
        fact.phase = m_name;
        fact.spot = spotOf(command.begin, qsizetype(command.end) - command.begin);
        if (command.words.front().text == "echo")
            fact.runs = runsOf(command);
        m_package.commands.append(std::move(fact));
    }

    [[nodiscard]] QList<WrittenText::Run> runsOf(const ShellCommand &command) const
    {
        QByteArray text;
        std::vector<nix::Value::Origin> origins;
        for (const ShellWord &word : command.words) {
            if (!text.isEmpty()) {
                text += ' ';
                origins.emplace_back();
            }
            text += word.text;
            for (const quint32 offset : word.offsets)
                origins.push_back(!m_sourced && offset < m_origins.size() ? m_origins[offset] : nix::Value::Origin());
        }
        return m_places.runs(text, origins);
    }

    /// For an empty value, the place of the "=" before it.
    [[nodiscard]] Spot spotOf(const ShellWord &word, qsizetype from, qsizetype length) const
    {
        if (m_sourced)
            return *m_sourced;
        if (length == 0)
            return spotOf(word.offsets.at(size_t(from - 1)), 1);
        const quint32 first = word.offsets.at(size_t(from));
        const quint32 last = word.offsets.at(size_t(from + length - 1));
        return spotOf(first, qsizetype(last) - first + 1);
    }

    [[nodiscard]] Spot spotOf(qsizetype from, qsizetype length) const
    {
        return m_sourced ? *m_sourced : m_places.spotWithin(m_origins, from, length).value_or(m_whole);
    }

    const FactPlaces &m_places;
    QSet<QString> &m_exported;
    const nix::Value::Entry &m_entry;
    QString m_name;
    PackageFacts &m_package;
    std::vector<nix::Value::Origin> m_origins; ///< of the script's bytes
    Spot m_whole;
    QHash<QString, QList<StatedText>> m_options; ///< for the CPU, in the values of variables
    std::optional<Spot> m_sourced;               ///< the command that runs the file which is read
};

} // namespace

QStringList phasesOfStdenv()
{
    QStringList names;
    for (const std::string_view name : phaseNames)
        names.append(QString::fromLatin1(name.data(), qsizetype(name.size())));
    return names;
}

bool isPhase(const QByteArray &name)
{
    return orderOf(name) < phaseNames.size();
}

void readPhases(const FactPlaces &places, const std::vector<nix::Value::Entry> &phases, PackageFacts &package)
{
    std::vector<const nix::Value::Entry *> ordered;
    ordered.reserve(phases.size());
    for (const nix::Value::Entry &phase : phases)
        ordered.push_back(&phase);
    std::ranges::sort(ordered, {}, [](const nix::Value::Entry *phase) { return orderOf(phase->name); });
    QSet<QString> exported;
    for (const nix::Value::Entry *phase : ordered)
        PhaseReader(places, *phase, package, exported).read();
}

void readFlagsOf(const FactPlaces &places, const nix::Value::Entry &variable, PackageFacts &package)
{
    const Takers takers = takersOf(toText(variable.name));
    if (!takers.cxx && !takers.c)
        return;
    StatedList found;
    found.spot = places.spotOf(variable.value, variable.definition);
    found.known = true;
    const auto read = [&](const nix::Value &text) {
        const QByteArray value = text.textAround();
        for (const auto &[at, length] : optionsIn(value)) {
            const Spot spot = places.spotWithin(text, at, length); // empty if the option is computed
            found.items.append({toText(value.sliced(at, length)), spot ? spot : found.spot, true});
        }
        found.known =
            found.known &&
            (text.kind() == nix::ValueKind::Text ? std::ranges::all_of(text.holes(), isOldValue) : isOldValue(text));
    };
    if (variable.value.kind() == nix::ValueKind::List) {
        for (const nix::Value::Item &item : variable.value.items())
            read(item.value);
    } else {
        read(variable.value);
    }
    if (!found.items.isEmpty() || !found.known)
        addFlags(package, takers, found, true);
}

void readFlagsOfCMake(PackageFacts &package)
{
    for (const auto &[name, takers] :
         {std::pair("CMAKE_CXX_FLAGS"_L1, Takers{true, false}), {"CMAKE_C_FLAGS"_L1, Takers{false, true}}}) {
        const StatedText flags = definitionOf(package.cmakeFlags, QString(name));
        const QByteArray value = flags.value.toUtf8();
        StatedList found{.items = {},
                         .spot = flags.spot ? flags.spot : package.cmakeFlags.spot, // of a computed one
                         .known = true,
                         .extends = true};
        for (const auto &[at, length] : optionsIn(value)) {
            Spot spot = found.spot;
            if (spot.length == quint32(value.size())) {
                spot.offset += quint32(at);
                spot.column += int(at);
                spot.length = quint32(length);
            }
            found.items.append({toText(value.sliced(at, length)), spot, true});
        }
        found.known = flags.value.isNull() || flags.known;
        if (!found.items.isEmpty() || !found.known)
            addFlags(package, takers, found, true);
    }
}

} // namespace tmx
