// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Settings.h"

#include <functional>

namespace tmx {

/// Values by Setting::key, as torch-matrix.toml has them: "mkl", "3", a revision. What is absent is not stated.
using SettingsValues = QMap<QString, QString>;

/// One value of a profile. The reader and writer of torch-matrix.toml, changes of a key, forms, JSON, cache keys and
/// the most common values all follow from settingsTable(): a new member of Profile needs one entry there.
struct Setting {
    /// Where a file states the value for more than some profiles. [[profile]] states all but those of Templates.
    enum Scope {
        Branch,    ///< at the top; [[cuda]] may state nixpkgs and what belongs to it
        Family,    ///< in a table by family, at the top and in [[cuda]]
        Templates, ///< in a list of "FAMILY/SHAPE" at the top; that of GPU recipes also in [[cuda]]
        Toolkit,   ///< in [[cuda]]
        Profiles,  ///< nowhere else
    };
    QString key;        ///< "nixpkgs", "version"
    QString table = {}; ///< for Family and Templates, the key of the table or list: "versions", "gpu_templates"
    Scope scope = Branch;
    QString what = {}; ///< for `settings set --help`

    std::function<QString(const Profile &)> value = {};
    std::function<void(Profile &, const QString &)> set = {};

    QStringView form = {};  ///< pattern of allowed values; empty: any text
    QStringList words = {}; ///< the allowed ones, if there are only some; the first is the default
    int most = 0;           ///< the value is a whole number up to this; 0: it is a text
    QString unit = {};      ///< settings of one unit describe one thing: a revision and the hash of its tarball
    bool follows = false;   ///< the value belongs to those before it in its unit, and is unknown if they change
    QString builds = {};    ///< it only exists for "cuda", "cpu", "metal" or "cuda cpu"; empty: for all

    [[nodiscard]] bool appliesTo(const ProfileKey &key) const;
    [[nodiscard]] QString byDefault() const;
    /// Whether its unit has an earlier setting among `said`, so that an old value does not apply any more.
    [[nodiscard]] bool isOutdatedBy(const SettingsValues &said) const;
    /// States the value; the default is not stated.
    void put(SettingsValues &values, const QString &value) const;
};

/// In the order of files.
const QList<Setting> &settingsTable();
const Setting *settingOf(const QString &key);

void apply(const SettingsValues &said, const ProfileKey &key, Profile &profile);
/// The values that turn `now` into `wanted`.
SettingsValues difference(const ProfileKey &key, const Profile &now, const Profile &wanted);

/// The value that most of the selected profiles have, like Settings::common(); of those that share with `like` what its
/// unit has before it.
QString commonValue(const Settings &settings, const Setting &setting, const ProfileSelector &where,
                    const Profile &like);

} // namespace tmx
