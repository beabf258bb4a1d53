# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# What `cmake --install` puts on a machine besides the two programs, and the .deb that CPack makes of it.

# Man page and completions are the program's own answers, so no option of theirs is out of step.
set(made ${CMAKE_BINARY_DIR}/share)
file(MAKE_DIRECTORY ${made})
add_custom_command(OUTPUT ${made}/torch-matrix.1.gz
    COMMAND torch-matrix --man-page ${CMAKE_SOURCE_DIR}/packaging/torch-matrix.1 > ${made}/torch-matrix.1
    COMMAND gzip -9nf ${made}/torch-matrix.1
    DEPENDS torch-matrix ${CMAKE_SOURCE_DIR}/packaging/torch-matrix.1 VERBATIM)
set(answers ${made}/torch-matrix.1.gz)
foreach(shell bash zsh fish)
    add_custom_command(OUTPUT ${made}/torch-matrix.${shell}
        COMMAND torch-matrix --completions ${shell} > ${made}/torch-matrix.${shell} DEPENDS torch-matrix VERBATIM)
    list(APPEND answers ${made}/torch-matrix.${shell})
endforeach()
add_custom_target(answers ALL DEPENDS ${answers})

install(FILES ${made}/torch-matrix.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made}/torch-matrix.bash DESTINATION share/bash-completion/completions RENAME torch-matrix)
set(zsh_folder site-functions)
if(EXISTS /etc/debian_version)
    set(zsh_folder vendor-completions) # Debian's zsh reads no other below /usr
endif()
install(FILES ${made}/torch-matrix.zsh DESTINATION share/zsh/${zsh_folder} RENAME _torch-matrix)
install(FILES ${made}/torch-matrix.fish DESTINATION share/fish/vendor_completions.d)
install(FILES packaging/torch-matrix.desktop DESTINATION share/applications)
configure_file(packaging/torch-matrix.metainfo.xml ${made}/torch-matrix.metainfo.xml @ONLY)
install(FILES ${made}/torch-matrix.metainfo.xml DESTINATION share/metainfo RENAME io.github.torch_matrix.torch_matrix.metainfo.xml) # its id
install(FILES packaging/torch-matrix.mime.xml DESTINATION share/mime/packages RENAME torch-matrix.xml)
install(FILES resources/icons/torch-matrix.svg DESTINATION share/icons/hicolor/scalable/apps)
install(FILES resources/icons/symbolic/torch-matrix-symbolic.svg DESTINATION share/icons/hicolor/symbolic/apps)
foreach(size 16 22 24 32 48 64 128 256 512)
    install(FILES resources/icons/${size}x${size}/torch-matrix.png DESTINATION share/icons/hicolor/${size}x${size}/apps)
endforeach()

# cpack -G DEB, in a release build.
configure_file(packaging/debian/changelog ${made}/changelog.Debian @ONLY)
add_custom_command(OUTPUT ${made}/changelog.gz
    COMMAND gzip -9nc ${CMAKE_SOURCE_DIR}/packaging/CHANGELOG.md > ${made}/changelog.gz
    COMMAND gzip -9nc ${made}/changelog.Debian > ${made}/changelog.Debian.gz
    DEPENDS packaging/CHANGELOG.md ${made}/changelog.Debian BYPRODUCTS ${made}/changelog.Debian.gz VERBATIM)
add_custom_target(changelogs ALL DEPENDS ${made}/changelog.gz)
install(FILES ${made}/changelog.gz ${made}/changelog.Debian.gz packaging/debian/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_CONTACT "Torch Matrix contributors <torch-matrix@users.noreply.github.com>")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 0upstream1) # older than a package of Debian's own
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "git, libqt6sql6-sqlite, qt6-svg-plugins")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "openssh-client, pci.ids")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "manager of PyTorch build matrices with Flox")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Torch Matrix shows a build repository of PyTorch variants as a grid of GPU
architectures and CPU instruction sets. It writes the recipe of a cell,
commits it, builds it with Flox, and names the variant that fits a machine.
All of it works in a window and in the terminal.")

# cpack -G TGZ: an archive that carries its libraries.
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_SOURCE_DIR}/packaging/cpack.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/packaging/archive.cmake)
set(CPACK_TORCH_MATRIX_PLUGINS ${QT6_INSTALL_PREFIX}/${QT6_INSTALL_PLUGINS})
include(CPack)
