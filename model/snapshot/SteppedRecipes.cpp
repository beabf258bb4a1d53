// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/SteppedRecipes.h"

namespace tmx {

QList<Result<QByteArray>> renderedRecipes(const std::shared_ptr<const Catalog> &catalog, const Line &line,
                                          const QList<Variant> &variants, const WorkHooks &hooks)
{
    if (!hooks.progress && !hooks.stop)
        return renderedRecipes(catalog, line, variants);
    // A part is large enough for what each begins with to be of no weight.
    const qsizetype part = qMax(qsizetype(32), variants.size() / 20);
    QList<Result<QByteArray>> texts;
    texts.reserve(variants.size());
    while (texts.size() < variants.size()) {
        if (hooks.stopped()) {
            texts.append(QList<Result<QByteArray>>(variants.size() - texts.size(), stoppedError()));
            break;
        }
        texts.append(
            renderedRecipes(catalog, line, variants.sliced(texts.size(), qMin(part, variants.size() - texts.size()))));
        hooks.tell(int(texts.size()), int(variants.size()));
    }
    return texts;
}

} // namespace tmx
