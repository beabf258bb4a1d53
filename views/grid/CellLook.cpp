// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/grid/CellLook.h"

#include "model/matrix/MatrixRoles.h"

#include <QHash>
#include <QModelIndex>

#include <algorithm>

namespace tmx {

CellLook CellLook::of(const QModelIndex &index)
{
    CellLook look;
    look.dimmed = index.data(DimmedRole).toBool();
    look.elsewhere = index.data(ElsewhereRole).toBool();
    const auto parts = index.data(PartsRole).value<QList<MatrixPart>>();
    if (std::ranges::none_of(parts, &MatrixPart::possible))
        return look;
    for (const MatrixPart &part : parts) {
        MatrixPart shown{.label = part.label, .state = part.state, .present = part.present, .face = part.face};
        shown.dimmed = part.dimmed && parts.size() > 1;
        look.parts.append(shown);
    }
    return look;
}

size_t qHash(const CellLook &look, size_t seed)
{
    seed = qHashMulti(seed, look.dimmed, look.elsewhere, look.parts.size());
    for (const MatrixPart &part : look.parts)
        seed = qHashMulti(seed, part.face.sign.index(), part.face.word, part.face.details, part.face.marks.size(),
                          part.face.percent, int(part.state));
    return seed;
}

} // namespace tmx
