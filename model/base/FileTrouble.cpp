// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/FileTrouble.h"

#include "model/base/Tr.h"

namespace tmx {

QString troubleWords(FileTrouble trouble)
{
    switch (trouble) {
    case FileTrouble::Link: return Tr::tr("it is a link");
    case FileTrouble::Folder: return Tr::tr("it is a folder");
    case FileTrouble::TooLarge: return Tr::tr("it is larger than a recipe can be (1 MiB)");
    case FileTrouble::NotText: return Tr::tr("it is not text");
    case FileTrouble::Unreadable: return Tr::tr("it cannot be read");
    case FileTrouble::None: break;
    }
    return {};
}

} // namespace tmx
