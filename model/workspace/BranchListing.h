// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/VariantFilter.h"
#include "model/workspace/RepositoryReading.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonObject>

#include <functional>

namespace tmx {

class DiskCache;

/// All facts that the recipe states, by id.
QJsonObject toJson(const RecipeFacts &facts);
QJsonObject toJson(const Finding &finding);
QJsonArray toJson(const QList<Finding> &findings);

/// The JSON of `list --json` for one branch: its settings, its counts, and every variant with its state, its facts and
/// its findings. The man page describes the fields.
QJsonObject branchJson(const BranchSnapshot &snapshot, const QHash<QString, BuildState> &builds,
                       const VariantFilter &filter = {});

/// What `list` tells about one branch.
struct ListedBranch {
    QByteArray text;
    bool settingsError = false; ///< its settings file cannot be read
};

/// A form of the listing.
struct ListingForm {
    QByteArray key;      ///< identifies what `text` depends on besides the branch; empty: nothing is cached
    bool builds = false; ///< it needs the states of builds
    std::function<QByteArray(const std::shared_ptr<const Catalog> &, const std::shared_ptr<const BranchSnapshot> &,
                             const QHash<QString, BuildState> &)>
        text;
};
/// branchJson() on one line.
ListingForm jsonForm(const VariantFilter &filter = {});

/// Some branches of a repository.
struct BranchListing {
    QString repository;
    QList<ListedBranch> branches;
    QList<UnreadBranch> unread; ///< those that could not be read; they are not in `branches`

    [[nodiscard]] bool hasSettingsErrors() const;
    /// The document of `list --json`: UTF-8; each branch is one line of jsonForm().
    [[nodiscard]] QByteArray document() const;
};

/// Lists branches, several at a time. If the same program listed a branch before with the same recipes and in the same
/// form, its text comes from `cache`; the catalog is loaded only if a branch is not cached. For workers. Errors: a
/// broken catalog; if no branch can be read, the first branch's error.
Result<BranchListing> listBranches(const std::function<Result<std::shared_ptr<const Catalog>>()> &loadCatalog,
                                   const BranchSources &sources, const ListingForm &form, const DiskCache &cache);

/// In the format of the documents of `list` and `pick`: {"branch", "error"}.
QJsonArray toJson(const QList<UnreadBranch> &unread);

} // namespace tmx
