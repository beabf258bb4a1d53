// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArray>

namespace CLI {
class App;
} // namespace CLI

namespace tmx {

/// The man page: `text` (packaging/torch-matrix.1) completed from the verbs' definitions. `.\" VERB list` becomes the
/// verb's synopsis, `.\" OPTIONS` a list of the options of every verb, and @VERSION@ the version. Errors: a verb that
/// the text does not describe; a line that names no verb.
Result<QByteArray> manPage(const CLI::App &app, const QByteArray &text);

} // namespace tmx
