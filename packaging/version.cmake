# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# cmake -D SOURCE=... -D VERSION=... -D COMMIT=... -D OUTPUT=... -P version.cmake: writes the source that holds the version and the commit. Every
# build runs it; the file changes, and is compiled, only when the commit does. COMMIT is for builders without git; else git says it.
if(NOT COMMIT AND EXISTS ${SOURCE}/.git)
    execute_process(COMMAND git -C ${SOURCE} rev-parse --short=7 HEAD OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT COMMIT)
    set(COMMIT unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include "app/Version.h"

const char tmx::versionNumber[] = "@VERSION@";
const char tmx::versionText[] = "@VERSION@ (@COMMIT@)";
]])
