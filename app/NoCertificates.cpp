// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// Linked into the programs themselves: their names come before those of the libraries.
#include <QtGlobal>

/// Stands in for mbedTLS's function of this name. A libgit2 that uses mbedTLS reads all certificates of the machine
/// when it starts, which took half of the time of many verbs (libgit2 1.9, git_mbedtls_stream_global_init). The program
/// never connects with libgit2: fetch, push and clone run git. Reads none and reports success, so that libgit2 would
/// trust no server.
extern "C" Q_DECL_EXPORT int mbedtls_x509_crt_parse_file(void * /*chain*/, const char * /*path*/)
{
    return 0;
}
