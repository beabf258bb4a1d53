#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# soak.sh [ROUNDS [CTEST ARGS...]]: long rounds of the tests that the arguments pick (such as -R 'kill|build'; all of them by default).
# A test with rounds of its own (kill -9, races, generated input) does ROUNDS of them (100 by default), as TORCH_MATRIX_ROUNDS tells it. Every
# other test runs ROUNDS times, until it fails.
set -euo pipefail
rounds=${1:-${TORCH_MATRIX_ROUNDS:-100}}
(($# == 0)) || shift
[[ $rounds =~ ^[1-9][0-9]*$ ]] || { echo "soak.sh: '$rounds' is not a number of rounds" >&2; exit 2; }
export TORCH_MATRIX_ROUNDS=$rounds
export TORCH_MATRIX_TIMEOUT=${TORCH_MATRIX_TIMEOUT:-36000}
test=$(dirname "${BASH_SOURCE[0]}")/test.sh
status=0
"$test" --no-tests=ignore -L rounds "$@" || status=$?
"$test" --no-tests=ignore -LE rounds --repeat "until-fail:$rounds" "$@" || status=$?
exit "$status"
