#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# style_test.sh: that style.sh finds what it is there to find.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
tree=$scratch/tree

# plant FILE TEXT...: this file, with these lines.
plant() {
    local file=$tree/$1
    shift
    mkdir -p "${file%/*}"
    printf '%s\n' '// SPDX-License-Identifier: MIT' "$@" >"$file"
}
new_tree() {
    rm -rf "$tree"
    plant model/base/B.h '#include "model/base/Circle.h"'
}
# judge WHAT SAID CASE...: whether style.sh said WHAT (empty: nothing) of this case.
judge() {
    local what=$1 said=$2
    shift 2
    if [[ (-z $what && -z $said) || (-n $what && $said == *"$what"*) ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'expected "%s" of %.80s, and got "%s"\n' "$what" "$*" "$said"
    fi
}
# Starting style.sh takes longer than its search, so all mistakes are in one tree. Each has its own file, with a number in its name.
whats=() files=()
# finds WHAT FILE TEXT...: style.sh says WHAT of FILE with these lines.
finds() {
    local file=${2/A./A${#files[@]}.}
    whats+=("$1") files+=("$file")
    shift 2
    plant "$file" "$@"
}
# finds_in_tree WHAT FILE TEXT...: of a tree that has this file alone.
finds_in_tree() {
    local what=$1
    shift
    new_tree
    plant "$@"
    judge "$what" "$("$here/style.sh" "$tree" 2>&1 | grep -v ' findings in ' || true)" "$@"
}

new_tree
finds '' model/recipe/A.h '#include "model/catalog/B.h"' '#include <QString>'
finds '' model/matrix/A.h '#include "model/outcome/BuildState.h"'
finds '.h:2: model/catalog may not include model/recipe/B.h' model/catalog/A.h '#include "model/recipe/B.h"'
finds 'model/matrix may not include model/job/FloxBuild.h' model/matrix/A.h '#include "model/job/FloxBuild.h"'
finds 'model/job may not include model/hardware/B.h' model/job/A.h '#include "model/hardware/B.h"'
finds 'views may not include app/Window.h' views/A.cpp '#include "app/Window.h"'
finds 'has no place in the order of folders' model/other/A.h '#include "model/base/B.h"'
finds 'a sentence with a command has two forms' model/base/A.cpp 'QString f() { return Tr::tr("Run \"git fsck\" first."); }'
finds '' model/base/A.cpp 'QString f() { return forSurface(Tr::tr("Run \"git fsck\" first."), Tr::tr("Check it with Git.")); }'
finds 'is part of a circle of includes' model/base/Circle.h '#include "model/base/B.h"'
finds 'no Qt Widgets' model/base/A.cpp '#include <QWidget>'
finds 'model/base/Gone.h is not there' views/A.cpp '// See model/base/Gone.h.'
finds '' views/A.cpp '// See model/base/B.h, and B.h.'
finds 'there is no Gone.h' views/A.cpp '// See Gone.h.'
finds 'cites what is in the repository' views/A.cpp '/// One package (DOMAIN: words).'
finds 'nothing waits' views/A.cpp '    process.waitForFinished();'
finds 'no event loop within another' views/A.cpp '    box.exec();'
finds 'no event loop within another' app/A.cpp '    return QFileDialog::getExistingDirectory(this);'
finds '' app/A.cpp 'return QApplication::exec();'
finds '' app/verbs/A.cpp '    loop.exec();'
finds 'connect by pointer' views/A.cpp 'connect(a, SIGNAL(b()), c, SLOT(d()));'
finds 'stand-ins belong to tests' app/A.cpp 'run("tests/standins/flox");'
finds 'neither skips nor sleeps' tests/A.cpp 'QSKIP("later");'
finds 'is not markup' views/A.cpp 'auto *label = new QLabel(branch);'
finds 'is not markup' views/A.cpp '    setToolTip(branch);'
finds 'is not markup' views/A.cpp '    button->setToolTip(branch);'
finds 'is not markup' views/A.cpp '#include <QMessageBox>'
finds '' views/widgets/A.cpp 'auto *label = new QLabel(branch);'
finds 'open an issue' app/A.cpp '// TO''DO: later'
finds 'one or many' app/A.cpp 'return count == 1 ? tr("1 recipe is left") : tr("%1 recipes are left").arg(count);'
finds '' app/A.cpp 'return tr("%n recipes are left", nullptr, count);' 'say(tr("exit status 1 if stale"));'
finds 'one more digit' app/A.cpp 'say(tr("choose \u201call\u201d"));'
finds '' app/A.cpp 'say(tr("choose \u201cmany\u201d"));'
finds 'in pieces' app/A.cpp 'say(tr("It is stale.") + why);'
finds 'in pieces' app/A.cpp "text += u' ' + Tr::tr(\"It is stale.\");"
finds 'in pieces' app/A.cpp 'text += tr(", %1 more").arg(count);'
finds '' app/A.cpp 'text += u"\n"_s + tr("It is stale.");' 'say(tr("It is stale because of %1.").arg(why + u" x"_s));'
finds 'stumble over' app/A.cpp 'label(tr("The one of which it is told"));'
finds 'stumble over' resources/help/A.md 'What is made anew.'
finds 'stumble over' resources/help/A.md 'Mend the recipe in the work tree.'
finds 'stumble over' resources/help/A.md 'A merge is under way.'
finds 'stumble over' resources/help/A.md 'Builds go on without a window.'
finds 'stumble over' app/A.cpp '        "and is built afresh."'
finds 'stumble over' app/verbs/A.cpp 'tell(u"that is no name of a host"_s);'
finds '' app/verbs/A.cpp 'tell(u"that is not a host name"_s);'
finds '' app/A.cpp '// Of which there are many.'
finds 'has no SPDX lines' model/base/A.cpp ''
sed -i 1d "$tree/${files[-1]}"
said=$("$here/style.sh" "$tree" 2>&1 || true)
for i in "${!files[@]}"; do
    judge "${whats[i]}" "$(grep "^${files[i]}:" <<<"$said" || true)" "${files[i]}" "$(<"$tree/${files[i]}")"
done

mapfile -t long < <(seq 118)
finds_in_tree '' ./README.md "${long[@]}"
finds_in_tree 'README.md:120: is too long' ./README.md "${long[@]}" 'one more'
finds_in_tree '' ./README.md 'See [this](model/base/B.h), [that](https://example.org/x) and [below](#below).'
finds_in_tree 'model/base/Gone.h is not there' ./README.md '![a picture](model/base/Gone.h)'
finds_in_tree 'does not belong at the top level' docs/A.h ''
printf '%s passed, %s failed\n' "$passed" "$failed"
((failed == 0))
