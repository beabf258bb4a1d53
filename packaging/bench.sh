#!/usr/bin/env bash
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# bench.sh [--quick] [--json] [--runs N] [ROW...]: builds the release preset and measures the program's work beside the same work of another
# program, in turn in the same run. One table: work, the other, both times, ratio (median of 7, least to most), ratio of processor time, memory,
# machine. Without ROW all rows, which takes half an hour; --help lists them. --quick measures three times, and nothing large.
# Nothing passes or fails by a time.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=packaging/lib.sh
. "$here/lib.sh"
# shellcheck source=packaging/root.sh
. "$here/root.sh"

setup build run tests
options=(-DTORCH_MATRIX_TESTS=ON) # the rows are a program of the tests
build release torch-matrix torch-matrix-window bench
plainly "$source/build/release/bin/bench" "$@"
