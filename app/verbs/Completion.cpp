// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Completion.h"

#include "app/verbs/Verb.h"
#include "model/catalog/Catalog.h"
#include "model/git/Repository.h"

#include <CLI/CLI.hpp>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr char bash[] = R"(# bash completion for torch-matrix
_torch_matrix() {
    local line current=${COMP_WORDS[COMP_CWORD]} paths
    COMPREPLY=()
    while IFS= read -r line; do
        paths=()
        case $line in
        :files) compopt -o filenames 2>/dev/null; mapfile -t paths < <(compgen -f -- "$current") ;;
        :folders) compopt -o filenames 2>/dev/null; mapfile -t paths < <(compgen -d -- "$current") ;;
        *) COMPREPLY+=("${line%%$'\t'*}") ;;
        esac
        COMPREPLY+=("${paths[@]}")
    done < <("${COMP_WORDS[0]}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _torch_matrix torch-matrix
)";

constexpr char zsh[] = R"(#compdef torch-matrix
# zsh completion for torch-matrix
_torch-matrix() {
    local line
    local -a candidates
    for line in "${(@f)$("${words[1]}" --complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        case $line in
        '') ;;
        :files) _files ;;
        :folders) _files -/ ;;
        *$'\t'*) candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
        *) candidates+=("${line//:/\\:}") ;;
        esac
    done
    (( ${#candidates} )) && _describe torch-matrix candidates
}
if [[ $funcstack[1] == _torch-matrix ]]; then _torch-matrix "$@"; else compdef _torch-matrix torch-matrix; fi
)";

constexpr char fish[] = R"(# fish completion for torch-matrix
function __torch_matrix_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] --complete $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path "$current"
            case :folders
                __fish_complete_directories "$current" ''
            case '*'
                echo $line
        end
    end
end
complete -c torch-matrix -f -a '(__torch_matrix_complete)'
)";

/// The position of the cursor, after parsing the words before it.
struct TypedPlace {
    const CLI::App *verb = nullptr;
    const CLI::Option *value = nullptr; ///< option whose value comes next; null: none
    int positionals = 0;                ///< number of the verb's positionals typed so far
    QString repo = u"."_s;
    QString branch;
};

/// The options of a verb without hidden ones.
std::vector<const CLI::Option *> optionsOf(const CLI::App &verb, bool positional)
{
    return verb.get_options([positional](const CLI::Option *option) {
        return option->get_positional() == positional && !option->get_group().empty();
    });
}

const CLI::Option *optionNamed(const CLI::App &verb, const QString &word)
{
    return word.startsWith(u'-') ? verb.get_option_no_throw(word.toStdString()) : nullptr;
}

void step(TypedPlace &place, const QString &word)
{
    if (word.startsWith(u'-') && word.size() > 1) {
        const qsizetype equals = word.indexOf(u'=');
        place.value = optionNamed(*place.verb, word.left(equals));
        if (place.value && place.value->get_items_expected_max() == 0)
            place.value = nullptr;
        if (equals < 0 || !place.value)
            return;
        step(place, word.mid(equals + 1));
        place.value = nullptr;
        return;
    }
    if (place.value) {
        const std::string name = place.value->get_single_name();
        if (name == "repo")
            place.repo = word;
        else if (name == "branch" || name == "from")
            place.branch = word;
        if (place.value->get_items_expected_max() == 1)
            place.value = nullptr;
        return;
    }
    const auto named =
        place.verb->get_subcommands([&word](const CLI::App *verb) { return verb->get_name() == word.toStdString(); });
    if (named.empty())
        ++place.positionals;
    else
        place.verb = named.front();
}

QStringList recipeNames(const TypedPlace &place)
{
    const Result<std::shared_ptr<const Catalog>> catalog = Catalog::loadForUser();
    VerbContext context;
    context.repo = place.repo.toStdString();
    if (!catalog)
        return {};
    const Result<ReadBranch> read = SnapshotReader(*catalog).read(context.repoPath(), place.branch);
    if (!read)
        return {};
    const std::string verb = place.verb->get_name();
    QStringList names;
    for (const VariantEntry &entry : read->snapshot->entries) {
        const bool could = entry.covered || entry.hole;
        if (verb == "generate" && !place.value ? could && !entry.present
                                               : entry.present || (could && verb == "explain"))
            names.append(entry.variant.name());
    }
    return names;
}

QStringList branchNames(const TypedPlace &place)
{
    VerbContext context;
    context.repo = place.repo.toStdString();
    const Result<Repository> repository = Repository::open(context.repoPath());
    const Result<RepositoryInfo> info = repository ? repository->info() : repository.error();
    QStringList names;
    if (info) {
        for (const BranchRef &branch : info->branches)
            names.append(branch.name);
    }
    return names;
}

QStringList valuesOf(const TypedPlace &place, const CLI::Option &option)
{
    const QString type = QString::fromStdString(option.get_type_name());
    const qsizetype open = type.indexOf(u'{');
    if (open >= 0 && type.endsWith(u'}'))
        return type.mid(open + 1, type.size() - open - 2).split(u',');
    QString kind = option.get_positional() ? QString::fromStdString(option.get_single_name()) : type;
    kind = kind.section(u':', 0, 0).remove(u"..."_s);
    if (kind == u"B" || kind == u"SIDE" || kind == u"COMMIT")
        return branchNames(place);
    if (kind == u"FINDING" || kind == u"REFERENCE" || (kind == u"NAME" && option.get_single_name() != "save"))
        return recipeNames(place);
    if (kind == u"DIR")
        return {u":folders"_s};
    if (kind == u"FILE" || kind == u"PATH")
        return {u":files"_s};
    return {};
}

/// The first line of a description, on one line.
QString described(const QString &word, const std::string &description)
{
    const QString text = QString::fromStdString(description).section(u'\n', 0, 0).simplified();
    return text.isEmpty() ? word : word + u'\t' + text;
}

} // namespace

QByteArray completionScript(const QString &shell)
{
    return shell == u"bash" ? bash : shell == u"zsh" ? zsh : shell == u"fish" ? fish : QByteArray();
}

QStringList completionsFor(const CLI::App &app, QStringList words)
{
    // bash splits "--branch=main" into three words.
    QString current = words.isEmpty() ? QString() : words.takeLast();
    words.removeAll(u"="_s);
    if (current == u"=")
        current.clear();
    TypedPlace place{&app};
    QString joined; // "--branch=", because the other shells do not split it
    for (const QString &word : std::as_const(words))
        step(place, word);
    if (current.startsWith(u"--"_s) && current.contains(u'=')) {
        joined = current.left(current.indexOf(u'=') + 1);
        step(place, joined.chopped(1));
        current = current.mid(joined.size());
    }
    QStringList candidates;
    if (current.startsWith(u'-')) {
        for (const CLI::Option *option : optionsOf(*place.verb, false)) {
            for (const std::string &name : option->get_lnames())
                candidates.append(described(u"--"_s + QString::fromStdString(name), option->get_description()));
            for (const std::string &name : option->get_snames())
                candidates.append(described(u"-"_s + QString::fromStdString(name), option->get_description()));
        }
    } else if (place.value) {
        candidates = valuesOf(place, *place.value);
    } else {
        if (place.positionals == 0) {
            for (const CLI::App *verb : place.verb->get_subcommands([](const CLI::App *) { return true; })) {
                if (!verb->get_group().empty())
                    candidates.append(described(QString::fromStdString(verb->get_name()), verb->get_description()));
            }
        }
        const std::vector<const CLI::Option *> positionals = optionsOf(*place.verb, true);
        if (!positionals.empty()) {
            const size_t last = positionals.size() - 1;
            const size_t index = std::min(size_t(place.positionals), last);
            if (size_t(place.positionals) <= last || positionals[last]->get_items_expected_max() > 1)
                candidates += valuesOf(place, *positionals[index]);
        } else if (place.verb == &app && place.positionals == 0) {
            candidates.append(u":folders"_s); // the window's argument
        }
    }
    QStringList fitting;
    for (const QString &candidate : std::as_const(candidates)) {
        if (candidate.startsWith(u':'))
            fitting.append(candidate);
        else if (candidate.startsWith(current))
            fitting.append(joined + candidate);
    }
    return fitting;
}

} // namespace tmx
