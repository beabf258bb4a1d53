// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace standin {

/// What a test requests from the stand-in. TORCH_MATRIX_STANDIN_FLOX has words separated by commas, `word` or
/// `word:number`.
///   fail         the compiler finds an error; also if the recipe has the text "stand-in: fail"
///   fail-old     the same in the words of Nix before 2.30
///   oom          the compiler is killed for lack of memory
///   oom-builder  the whole builder is killed
///   slow:S       spreads its steps over S seconds
///   hold         never ends by itself
///   detached     two children in separate sessions that ignore SIGINT and SIGTERM; prints "child PID" for each
///   leftover     builds, and leaves such children behind
///   no-result    builds, and leaves no link
///   children     a tree of children that ignore SIGINT and SIGTERM; prints "child PID" for each; never ends
///   stubborn     ignores SIGINT itself
///   crash        kills itself (SIGABRT)
///   halves       splits every UTF-8 character into two writes
///   burst:N      N lines as fast as the reader takes them
///   steps:N      ninja's steps (12)
///   nested       a dependency and a nested project with their own counts
///   already      built before
///   one-output, old-words: other forms of the closing message
///   colour       the compiler prints colour
///   logged-out, published: for auth, show and publish
/// TORCH_MATRIX_STANDIN_STORE names a folder that replaces /nix/store: results are files in it, so that their links
/// have a target.
bool asked(std::string_view word);
double number(std::string_view word, double otherwise);

/// Both write at once, with no buffer between, so that the order of the two streams is the order of the calls.
void out(std::string_view text);
void err(std::string_view text);

/// Prints flox's error line and says how to exit.
int fail(const std::string &message);

} // namespace standin
