#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# soak.sh [ROUNDS [CTEST ARGS...]]: long rounds. Every test that the arguments pick (such as -R 'kill|build'; all of them by default) runs ROUNDS times
# (100 by default), until one fails, and is told ROUNDS in TORCH_MATRIX_ROUNDS, so that a test with rounds of its own (kill -9) does as many.
set -euo pipefail
rounds=${1:-${TORCH_MATRIX_ROUNDS:-100}}
(($# == 0)) || shift
[[ $rounds =~ ^[1-9][0-9]*$ ]] || { echo "soak.sh: '$rounds' is not a number of rounds" >&2; exit 2; }
export TORCH_MATRIX_ROUNDS=$rounds
exec "$(dirname "${BASH_SOURCE[0]}")/test.sh" --repeat "until-fail:$rounds" "$@"
