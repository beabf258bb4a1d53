// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"
#include "model/change/ChangeSet.h"
#include "model/git/GitValues.h"
#include "model/snapshot/BranchContent.h"
#include "model/snapshot/Inference.h"
#include "model/snapshot/RecipeCache.h"

#include <QHash>

#include <memory>
#include <optional>

namespace tmx {

class Preparation;

/// Writes torch-matrix.toml.
struct SettingsRequest {
    QString branch;
    std::optional<Settings> settings; ///< settings to write; nullopt: the current ones with `key` changed
    QString key;                      ///< in the form of withSettingsKey(); empty: none
    QString value;
    bool rewrite = false;                    ///< an existing file may be rewritten although its comments are lost
    std::optional<IgnoredRule> ignored = {}; ///< to add; `settings` and `key` are not used then
    ChangeSet::Until until = ChangeSet::Until::Commit;
    bool operator==(const SettingsRequest &) const = default;
};

Result<ChangeSet> savedSettings(const RecipeCache &recipes, const BranchContent &content,
                                const SettingsRequest &request);
Result<QList<ChangeSet>> prepared(const Preparation &preparation, const SettingsRequest &request);

/// The settings of a branch, and their file if there is one.
struct SettingsReading {
    QString branch; ///< empty: a detached HEAD
    QString title;  ///< BranchSnapshot::title()
    Settings settings;
    Inference inference;            ///< what they were inferred from; empty if they were not inferred
    QString problem;                ///< why the file could not be read; then the settings are those without it
    std::optional<QByteArray> file; ///< content of torch-matrix.toml; nullopt: none
    bool checkedOut = true;
};

/// Reads the settings of a branch (empty: the checked-out one). For workers and verbs.
Result<SettingsReading> readSettingsOf(const std::shared_ptr<const Catalog> &catalog, const QString &path,
                                       const QString &branch = {});

/// The file for these settings, verified by reading it back. Errors: an unknown version (in inferred settings), or
/// something else that a file cannot express.
Result<QByteArray> settingsFileFor(const Catalog &catalog, const Settings &settings);

/// Whether edited settings can be saved, and how many variants they cover.
struct SettingsVerdict {
    QString problem; ///< one sentence; empty if they can be saved
    QString warning; ///< for settings that can be saved: a version that the pin does not contain; empty if there is
                     ///< none
    int promised = 0;
    int impossible = 0; ///< covered variants that cannot exist, included in the number above
    bool operator==(const SettingsVerdict &) const = default;
};

/// Writes the settings to a text, reads it back as if opening the branch, and counts variants. Pure.
SettingsVerdict judgeSettings(const Catalog &catalog, const Settings &settings);

/// Templates that can render a family's recipes, by family: "pytorch/pinned-overlays-gpu", ...; sorted, including the
/// user's own. Reads folders: for workers.
QHash<QString, QStringList> templatesByFamily(const Catalog &catalog);

} // namespace tmx
