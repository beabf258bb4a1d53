// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/WrittenSettings.h"
#include "model/change/SettingsChange.h"

namespace tmx {

/// Branch settings as their form shows them, in the user's notation. Without the coverage.
struct SettingsFields {
    struct Family {
        QString id;
        bool built = false;
        /// "gpu_template" is `mixed` if the toolkits have different ones; none is the family's default.
        SettingsValues values;
        bool operator==(const Family &) const = default;
    };
    struct Toolkit {
        QString version; ///< "12.9"
        SettingsValues values;
        bool operator==(const Toolkit &) const = default;
    };
    /// The catalog's families, then those that only the settings have.
    QList<Family> families;
    QList<Toolkit> toolkits;
    QStringList pythons;   ///< "python313"; the first is the preferred one
    SettingsValues values; ///< of the branch

    static const QString mixed;

    [[nodiscard]] Family family(const QString &id) const;
    [[nodiscard]] Toolkit toolkit(const QString &version) const;
    bool operator==(const SettingsFields &) const = default;
};

SettingsFields fieldsOf(const Catalog &catalog, const WrittenSettings &settings);
SettingsFields fieldsOf(const Catalog &catalog, const Settings &settings);

/// `settings` with the differences between `before` and `now`; everything else stays, whether a field shows it or not.
WrittenSettings withFields(WrittenSettings settings, const SettingsFields &before, const SettingsFields &now);

/// The differences of `now` from `before`. Release, attribute and pin of single toolkits, the companions' source of
/// torch, the notation and the metadata revision are not part of a change.
SettingsChange changeBetween(const SettingsFields &before, const SettingsFields &now);

/// `now` with the differences of `mine` from `before`: edits in a form are kept when the form starts over with other
/// settings.
SettingsFields rebased(const SettingsFields &mine, const SettingsFields &before, SettingsFields now);

} // namespace tmx
