// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/grid/CellLook.h"

#include "model/matrix/MatrixRoles.h"

#include <QHash>
#include <QModelIndex>

namespace tmx {

CellLook CellLook::of(const QModelIndex &index)
{
    CellLook look;
    look.state = RecipeState(index.data(RecipeStateRole).toInt());
    look.present = index.data(PresentRole).toBool();
    look.dimmed = index.data(DimmedRole).toBool();
    if (!look.possible())
        return look;
    if (auto parts = index.data(PartsRole).value<QList<MatrixPart>>(); parts.size() > 1) {
        for (MatrixPart &part : parts) {
            part.title.clear();
            part.name.clear();
            part.package.clear();
            part.word.clear();
        }
        look.parts = parts;
        return look;
    }
    look.word = index.data().toString();
    if (const QVariant fit = index.data(FitRole); fit.isValid()) {
        look.fit = Fit(fit.toInt());
        look.fitWord = index.data(FitWordRole).toString();
    }
    if (look.problems = index.data(ProblemCountRole).toInt(); look.problems > 0) {
        look.gravest = Severity(index.data(ProblemSeverityRole).toInt());
        look.problemWord = index.data(ProblemWordRole).toString();
    }
    look.build = BuildState::Phase(index.data(BuildPhaseRole).toInt());
    look.buildWord = index.data(BuildWordRole).toString();
    if (look.build != BuildState::Phase::None) {
        look.buildStep = index.data(BuildStepRole).toInt();
        look.buildTotal = index.data(BuildTotalRole).toInt();
    }
    return look;
}

size_t qHash(const CellLook &look, size_t seed)
{
    return qHashMulti(seed, int(look.state), look.present, look.dimmed, look.parts.size(), look.word, look.fitWord,
                      look.problems, int(look.build), look.buildStep);
}

} // namespace tmx
