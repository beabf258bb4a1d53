// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/WorkHooks.h"

#include "model/base/Tr.h"

namespace tmx {

WorkHooks WorkHooks::part(int begin, int end) const
{
    WorkHooks hooks{{}, stop};
    if (progress)
        hooks.progress = [whole = progress, begin, end](int done, int total) {
            whole(total > 0 ? begin + int(qint64(end - begin) * done / total) : end, 100);
        };
    return hooks;
}

Error stoppedError()
{
    return {Tr::tr("finish"), {}, Tr::tr("it was stopped"), Tr::tr("Nothing was changed.")};
}

} // namespace tmx
