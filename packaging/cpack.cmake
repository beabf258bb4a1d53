# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# Read by CPack for each kind of package that it makes.
if(CPACK_GENERATOR STREQUAL "TGZ")
    set(CPACK_PACKAGING_INSTALL_PREFIX /)
endif()
