# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# The checks that read the sources rather than run the program; ctest runs them with the tests.
add_test(NAME style COMMAND ${CMAKE_SOURCE_DIR}/packaging/checks/style.sh ${CMAKE_SOURCE_DIR})
add_test(NAME style_finds COMMAND ${CMAKE_SOURCE_DIR}/packaging/checks/style_test.sh)
add_test(NAME soak_finds COMMAND ${CMAKE_SOURCE_DIR}/packaging/checks/soak_test.sh)
add_test(NAME root COMMAND ${CMAKE_SOURCE_DIR}/packaging/checks/root_test.sh)
add_test(NAME retry COMMAND ${CMAKE_SOURCE_DIR}/packaging/checks/retry_test.sh)
add_test(NAME layout COMMAND ${CMAKE_SOURCE_DIR}/packaging/checks/layout.sh ${CMAKE_SOURCE_DIR})
add_test(NAME tidy COMMAND ${CMAKE_SOURCE_DIR}/packaging/checks/tidy.sh ${CMAKE_BINARY_DIR})
add_test(NAME install COMMAND ${CMAKE_SOURCE_DIR}/packaging/checks/install.sh ${CMAKE_BINARY_DIR})
set_tests_properties(tidy PROPERTIES TIMEOUT 900 COST 4) # tests/CMakeLists.txt has the other costs
set_tests_properties(style style_finds soak_finds root retry layout PROPERTIES LABELS sources)
# They take minutes, or judge the machine and not the change: packaging/test.sh --ci runs them.
set_tests_properties(tidy install PROPERTIES LABELS "sources;slow")
