# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# CPack runs this before it packs: an archive (cpack -G TGZ) carries the libraries that the programs need, and the loader that belongs to them, so
# that it starts on any Linux from the folder in which it was unpacked, with bin/torch-matrix. Packages of a distribution carry none.
if(NOT CPACK_GENERATOR STREQUAL "TGZ")
    return()
endif()
set(top ${CPACK_TEMPORARY_INSTALL_DIRECTORY})
set(home ${top}/lib/torch-matrix)
file(MAKE_DIRECTORY ${home}/lib ${home}/plugins)
file(RENAME ${top}/bin/torch-matrix ${home}/torch-matrix.program)
file(RENAME ${top}/libexec/torch-matrix-window ${home}/torch-matrix-window.program)
file(REMOVE_RECURSE ${top}/libexec)

# What Qt loads by name.
foreach(kind platforms platformthemes sqldrivers iconengines imageformats wayland-shell-integration wayland-decoration-client
        wayland-graphics-integration-client xcbglintegrations)
    if(EXISTS ${CPACK_TORCH_MATRIX_PLUGINS}/${kind})
        get_filename_component(parent ${kind} DIRECTORY)
        file(COPY ${CPACK_TORCH_MATRIX_PLUGINS}/${kind} DESTINATION ${home}/plugins/${parent})
    endif()
endforeach()
foreach(platform eglfs linuxfb minimal minimalegl vkkhrdisplay vnc)
    file(REMOVE ${home}/plugins/platforms/libq${platform}.so)
endforeach()

file(GLOB_RECURSE modules ${home}/plugins/*.so)
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${home}/torch-matrix.program ${home}/torch-matrix-window.program
    MODULES ${modules} RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing)
if(missing)
    message(FATAL_ERROR "these libraries are not found: ${missing}")
endif()
foreach(library IN LISTS libraries)
    get_filename_component(name ${library} NAME)
    if(name MATCHES "^ld-linux")
        # Its time tells the program's cache which build this is (DiskCache).
        get_filename_component(loader ${library} REALPATH)
        configure_file(${loader} ${home}/ld.so COPYONLY)
        file(TOUCH ${home}/ld.so)
    else()
        file(COPY ${library} DESTINATION ${home}/lib FOLLOW_SYMLINK_CHAIN)
    endif()
endforeach()

# A program finds the window and plugins beside itself, which is here the loader.
file(WRITE ${home}/qt.conf "[Paths]\nPrefix = .\nPlugins = plugins\n")
foreach(program torch-matrix torch-matrix-window)
    file(WRITE ${home}/${program} "#!/bin/sh
here=$(dirname \"$(readlink -f \"$0\")\")
unset QT_PLUGIN_PATH
exec \"$here/ld.so\" --library-path \"$here/lib\" --argv0 \"$0\" \"$here/${program}.program\" \"$@\"
")
    file(CHMOD ${home}/${program} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endforeach()
file(CREATE_LINK ../lib/torch-matrix/torch-matrix ${top}/bin/torch-matrix SYMBOLIC)
