// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchSnapshot.h"
#include "tests/support/BuiltInCatalog.h"

#include <QtGlobal>

/// Snapshots composed cell by cell, without texts of recipes: for tests of their presentation.
namespace tmx::testing {

inline void put(BranchSnapshot &snapshot, const Variant &variant, RecipeState state, const QString &reason = {},
                const QByteArray &text = "{ }: { }\n")
{
    VariantEntry &entry = snapshot.entries[variant.name()];
    entry.variant = variant;
    entry.file = variant.file();
    entry.state = state;
    entry.reason = reason;
    entry.present = state != RecipeState::Missing && state != RecipeState::NotCovered;
    entry.covered = snapshot.settings.covers(variant);
    entry.text = entry.present ? text : QByteArray();
}

/// The cell of a snapshot with one toolkit and Python; `isa` "" with row "darwin-mps".
inline Variant cellOf(const BranchSnapshot &snapshot, const QString &row, const QString &isa)
{
    const bool gpu = row.startsWith(QLatin1String("sm"));
    return {QStringLiteral("pytorch"), snapshot.settings.pythons().first(),
            gpu ? snapshot.settings.toolkits().first() : QString(), row, isa};
}

inline void put(BranchSnapshot &snapshot, const QString &row, const QString &isa, RecipeState state,
                const QString &reason = {})
{
    put(snapshot, cellOf(snapshot, row, isa), state, reason);
}

/// A branch with built-in settings on which every covered recipe is in `state`.
inline BranchSnapshot branchOf(const QString &line, RecipeState state = RecipeState::Current)
{
    BranchSnapshot snapshot;
    snapshot.repository = QStringLiteral("/repository");
    snapshot.branch = line;
    snapshot.checkedOut = true;
    snapshot.settings = *builtInCatalog()->settings(line);
    const QList<Variant> promised = snapshot.settings.promised();
    for (const Variant &variant : promised)
        put(snapshot, variant, state);
    return snapshot;
}

inline std::shared_ptr<const BranchSnapshot> shared(BranchSnapshot snapshot)
{
    return std::make_shared<const BranchSnapshot>(std::move(snapshot));
}

/// The program's snapshot of `content`, with its own catalog.
inline BranchSnapshot snapshotOf(const BranchContent &content)
{
    return makeSnapshot(builtInCatalog(), QStringLiteral("/repository"), content);
}

} // namespace tmx::testing
