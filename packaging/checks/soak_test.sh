#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# soak_test.sh: that soak.sh fails when a profile ran no test. A stand-in for test.sh says which tests ran.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$here/../soak.sh" "$scratch"
cat >"$scratch/test.sh" <<'SH'
#!/usr/bin/env bash
for name in $RAN; do echo "1/1 Test  #7: $name ......   Passed    0.10 sec"; done
SH
chmod +x "$scratch/test.sh"
passed=0 failed=0

# ends STATUS WHAT TESTS PROFILE...: soak.sh ends so and says WHAT when these tests run.
ends() {
    local expected=$1 what=$2 ran=$3 said status=0
    shift 3
    said=$(RAN=$ran "$scratch/soak.sh" "$@" 2>&1) || status=$?
    if [[ $status == "$expected" && $said == *"$what"* ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'expected %s and "%s" of %s with %s, and got %s and "%s"\n' "$expected" "$what" "$*" "$ran" "$status" "$said"
    fi
}

ends 0 'totals:' 'tst_anything'
ends 1 "no test ran for the profile 'all'" ''
ends 0 'totals:' 'tst_race' race 5
ends 1 "no test ran for the profile 'fuzz'" 'tst_race' fuzz 5
ends 1 "no test ran for the profile 'kill'" 'tst_race' race kill
ends 0 'totals:' 'tst_race tst_verb_killed' race kill
ends 2 "'other' is no profile" 'tst_race' other
printf '%s passed, %s failed\n' "$passed" "$failed"
((failed == 0))
