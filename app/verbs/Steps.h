// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/Plan.h"
#include "model/repository/GitValues.h"

#include <QJsonObject>

namespace tmx {

/// {"keep": [], "create": [], "rewrite": [], "rename": [], "delete": []} as it would be done: what is there and not
/// chosen is kept.
QJsonObject stepsJson(const QList<PlanStep> &steps);

/// "create  NAME  reason", one line a step, the kept ones last; those that could be chosen are marked.
QString stepsText(const QList<PlanStep> &steps);

/// "38 to create, 2 to rewrite"; "nothing to do".
QString countsText(const QMap<PlanStep::Action, int> &chosen);

/// "committed to main as 0123456789", or that there was nothing to commit; and what prints the texts that were saved.
QString commitText(const CommitResult &commit);
/// What prints the texts that were not put back.
QString notRestoredText(const QStringList &kept);
/// "commit", "branch", "saved", "kept" into an object.
void insertCommit(QJsonObject &object, const CommitResult &commit);
void insertKept(QJsonObject &object, const QString &saved, const QStringList &kept);

} // namespace tmx
