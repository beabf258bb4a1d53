#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# style.sh [FOLDER]: what holds for every file of the project and no compiler says. Prints "file:line: what is wrong", and fails if anything is.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"
export LC_ALL=C
findings=$(mktemp)
trap 'rm -f "$findings"' EXIT

finding() { printf '%s\n' "$*" >>"$findings"; }
sources() { find "$@" -type f \( -name '*.h' -o -name '*.cpp' \) 2>/dev/null | sort; }
mapfile -t product < <(sources app model views)
mapfile -t all < <(sources app model views tests)
((${#product[@]} > 0)) || { echo "no sources under $PWD"; exit 1; }

# shellcheck source=packaging/checks/folders.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/folders.sh"

check_includes() {
    local file line included folder allowed good
    while IFS=: read -r file line included; do
        case $included in moc_* | *.moc) continue ;; esac
        folder=${file#model/}
        folder=${file%"$folder"}${folder%%/*} # model/catalog, views
        if [[ -z ${may[$folder]+known} ]]; then finding "$file:$line: folder $folder has no place in the order of folders (packaging/checks/folders.sh)"; continue; fi
        good=
        for allowed in "$folder" ${may[$folder]}; do
            if [[ $included == "$allowed" || $included == "$allowed"/* ]]; then good=yes; fi
        done
        [[ -n $good ]] || finding "$file:$line: $folder may not include $included"
    done < <(grep -nHE '^ *# *include *"' "${product[@]}" | sed -E 's/^([^:]*):([0-9]+):[^"]*"([^"]*)".*/\1:\2:\3/')

    { grep -HoE '^ *# *include *"[^"]*\.h"' "${product[@]}" || true; } | sed -n '/\.h:/p' | sed -E 's/:[^"]*"/ /; s/"$//' |
        { tsort 2>&1 >/dev/null || true; } | sed -n 's/^tsort: \(.*\.h\)$/\1: is part of a circle of includes/p' >>"$findings"

    pattern '<Q(tWidgets|tGui)|<Q(Widget|Application|GuiApplication|Painter|Color|Icon|Pixmap|Image|Font|Brush|Pen|Palette|Action|Dialog|Clipboard|StandardItemModel|TextDocument|TextCursor|Validator|KeySequence|Shortcut|DesktopServices)\b' \
        'the model has no Qt Widgets and no Qt Gui' "${model[@]}"
}

# pattern REGEX WHY FILE...: no line of these files matches.
pattern() {
    local regex=$1 why=$2
    shift 2
    (($# > 0)) || return 0
    { grep -nHE -- "$regex" "$@" || true; } | sed -E "s|^([^:]*:[0-9]+):.*|\1: $why|" >>"$findings"
}

check_top_level() {
    local name
    for name in *; do
        case $name in
        app | model | views | resources | templates | tests | packaging | build) ;;
        CMakeLists.txt | CMakePresets.json | README.md | LICENSE | torch-matrix.toml) ;;
        *) finding "$name:1: does not belong at the top level" ;;
        esac
    done
}

# The window shows the model's sentences, and no terminal: a sentence with a command has two forms (model/base/Surface.h).
check_commands() {
    awk -v RS=';' '
        FNR == 1 { line = last = 0 }
        { line += last; last = gsub(/\n/, "\n") }
        FILENAME ~ /\.cpp$/ && /tr\(/ && !/forSurface/ && /"[^"]*([^a-z]|^)(git (add|branch|config|fsck|fetch|push|status|switch|restore|repack|remote|refs|update-ref|init)[ "\\]|torch-matrix [a-z]|nix-prefetch|nix-collect|nix-instantiate --|systemctl|flox (init|auth|show|lock)|ssh %|(plan|readme|audit|generate|settings) (--|set ))/ {
            print FILENAME ":" line + 1 ": a sentence with a command has two forms: forSurface()"
        }' "${model[@]}" >>"$findings"
}

# The manual names the places that packaging/soak.sh tries.
check_places() {
    local page
    [[ -f packaging/places.sh ]] || return 0
    page=$(bash packaging/places.sh --page)
    [[ $(<resources/help/safety.md) == *"$page"* ]] || finding "resources/help/safety.md:1: does not have what packaging/places.sh --page prints"
}

# What a comment points to is there: a file of the project by its path, or a source by its name.
check_comments() {
    local file line word
    while IFS=: read -r file line word; do
        word=${word%[.,]}
        case $word in
        */*) [[ -e $word || -n $(compgen -G "$word*") ]] || finding "$file:$line: $word is not there" ;;
        *) [[ " ${names[*]} " == *" $word "* ]] || finding "$file:$line: there is no $word" ;;
        esac
    done < <({ grep -nHoE '//.*' "${all[@]}" || true; } | awk '{
            split($0, at, ":"); rest = substr($0, length(at[1]) + length(at[2]) + 3)
            while (match(rest, /(app|model|views|resources|templates|tests|packaging)\/[A-Za-z0-9_.\/-]+|[A-Z][A-Za-z]+\.(h|cpp)/)) {
                if (RSTART == 1 || substr(rest, RSTART - 1, 1) !~ /[A-Za-z0-9_.\/-]/) print at[1] ":" at[2] ":" substr(rest, RSTART, RLENGTH)
                rest = substr(rest, RSTART + RLENGTH)
            } }')
}

# The README fits on a few screens, and what it and the pages beside it link to is there.
check_pages() {
    local file line target lines
    if [[ -f README.md ]]; then
        lines=$(wc -l <README.md)
        ((lines < 120)) || finding "README.md:$lines: is too long: keep it under 120 lines, and move the rest into resources/help"
    fi
    while IFS=: read -r file line target; do
        target=${target%%#*}
        [[ -z $target || -e ${file%/*}/$target ]] || finding "$file:$line: $target is not there"
    done < <({ grep -noHE '\]\([^)]+\)' "${read[@]}" || true; } | sed -E 's/^([^:]*:[0-9]+:)\]\((.*)\)$/\1\2/' | grep -v ':https\?:' | sed 's|^README|./README|')
}

mapfile -t model < <(sources model)
mapfile -t tests < <(sources tests | grep -v '^tests/standins/')
check_includes
check_top_level
mapfile -t names < <(printf '%s\n' "${all[@]##*/}")
check_places
check_commands
check_comments
pattern '//.*\b(DESIGN|DOMAIN|FLOX|SLURM|STYLE)\b([:.]| [0-9])' 'a comment cites what is in the repository or a public source' "${all[@]}"
pattern '\bwaitFor(Finished|Started|ReadyRead|BytesWritten)\b|\bprocessEvents\b|\bqWait\b' 'nothing waits in the window: use a signal' "${product[@]}"
mapfile -t windows < <(sources app views | grep -v '^app/verbs/')
pattern '(^|[^:A-Za-z0-9_])exec *\(|\bQEventLoop\b|\bQ(Dialog|MessageBox|Menu|Drag)::exec\b|\bQMessageBox::(question|information|warning|critical|about|aboutQt) *\(|\bQ(Input|File|Color|Font)Dialog::get' \
    'no event loop within another: open() the dialog and connect its signals' "${windows[@]}"
pattern '\b(SIGNAL|SLOT) *\(' 'connect by pointer to member' "${product[@]}"
pattern 'standins|TM_STANDINS|TM_FIXTURES' 'stand-ins belong to tests alone' "${product[@]}"
pattern '\bQSKIP\b|\bqWait\b|\bq?sleep *\(' 'a test neither skips nor sleeps' "${tests[@]}"
mapfile -t shown < <(sources views | grep -v '^views/widgets/')
pattern '\bnew QLabel\b|\bQLabel\(|(\.|->|^ *)setToolTip\(|\bQMessageBox\b' 'text of a repository is not markup: use views/widgets (Label, Tips, Message)' "${shown[@]}"
pattern '\b(TODO|FIXME)\b' 'do it, or open an issue' "${all[@]}"
# Words that no reader uses any more, in what a user reads: texts of the program, the manual, the man page, README.md. Comments may have them.
archaisms='\b(anew|of which|of whom|that which|it alone|what is there|(is|are) told|tells? of|told of|comes? to|whoever|thereof|therein|wherein|whence|whilst|hitherto|insists?|lest|nought|mend(s|ed|ing)?|work trees?|under way|afresh|put aside|overrules?|(goes|go|going) on|like builds?|(die|dies|died) of|left to you|of yours|stands? in|brings? along|all the same|nobody|no commit holds)\b'
archaisms+='|\b(that|which|it) is no (name|commit|text|file|folder|regular|family|row|toolkit|label|column|outcome|size|option|branch|Python|instruction|organisation|JSON)\b'
archaisms="($archaisms)"
mapfile -t read < <(compgen -G 'resources/help/*.md' || true; ls README.md packaging/CONTRIBUTING.md packaging/CHANGELOG.md packaging/torch-matrix.1 2>/dev/null)
pattern "$archaisms" 'a word that readers stumble over: say it as people do now' "${read[@]}"
check_pages
pattern "^[^/]*(tr|QT_TRANSLATE_NOOP|add_(option|flag|subcommand))\([^\"]*\"[^\"]*$archaisms" 'a word that readers stumble over: say it as people do now' "${product[@]}"
mapfile -t verbs < <(sources app/verbs)
pattern "^ *u?\"[^\"]*$archaisms|^[^/]*u\"[^\"]*$archaisms" 'a word that readers stumble over: say it as people do now' "${verbs[@]}"
pattern "^ *\"[^\"]*$archaisms" 'a word that readers stumble over: say it as people do now' "${product[@]}"
# What a translator gets is a whole sentence, with the plural forms of its number.
things='(recipe|variant|build|branch|cell|file|commit|error|warning|note|step|day|hour|minute|line|job|log|core|path|slot|fact|row|package|machine|finding|derivation)'
pattern "\\btr\\(\"([^\"\\\\]|\\\\.)*\\b1 $things\\b" 'one or many is for the translation: tr("%n ...", nullptr, count), and resources/translations has the English forms' "${product[@]}"
pattern '"([^"\\]|\\.)*\\u[0-9a-fA-F]{4}[0-9a-fA-F]' 'lupdate takes the letter for one more digit: write the character itself' "${product[@]}"
pieces='\btr\("(?:[^"\\]|\\.)*"[^()]*\)(?:\.arg\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\s*\+\s*(?!u?["\x27]\\n)|(?<!\\n["\x27])(?<!\\n"_s)\s\+=?\s*(?:\w+::)?tr\('
{ grep -nHP "$pieces" "${product[@]}" || true; } |
    sed -E 's|^([^:]*:[0-9]+):.*|\1: a sentence in pieces cannot be translated: one text with %1, or joinedSentences()|' >>"$findings"
awk 'FNR > 3 { nextfile } /SPDX-License-Identifier: MIT/ { licensed[FILENAME] }
    END { for (i = 1; i < ARGC; ++i) if (!(ARGV[i] in licensed)) print ARGV[i] ":1: has no SPDX lines" }' "${all[@]}" >>"$findings"
if [[ -d packaging ]] && command -v shellcheck >/dev/null; then
    shellcheck -x -f gcc packaging/*.sh packaging/checks/*.sh packaging/inside/* .ci/run >>"$findings" || true
fi

sort -u "$findings"
echo "$(wc -l <"$findings") findings in ${#all[@]} sources"
[[ ! -s $findings ]]
