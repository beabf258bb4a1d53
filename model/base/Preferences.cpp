// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Preferences.h"

#include "model/base/Tr.h"

#include <QSettings>
#include <QStandardPaths>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QString preferencesFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/torch-matrix"_s;
}

/// The file that QSettings uses for this program, with explicit names, because verbs set no application name.
QString preferencesFile()
{
    return preferencesFolder() + u"/torch-matrix.conf"_s;
}

/// Calls `take` with key and member of each preference.
template <class P, class Take>
void forEachPreference(P &preferences, const Take &take)
{
    take(u"appearance"_s, preferences.appearance);
    take(u"code/font"_s, preferences.codeFont);
    take(u"code/size"_s, preferences.codeSize);
    take(u"editor"_s, preferences.editor);
    take(u"build/engine"_s, preferences.engine);
    take(u"build/place"_s, preferences.place);
    take(u"build/cores"_s, preferences.cores);
    take(u"notifications"_s, preferences.notifications);
    take(u"folders/catalog"_s, preferences.catalogFolder);
    take(u"folders/templates"_s, preferences.templateFolder);
}

} // namespace

Preferences Preferences::load()
{
    const QSettings file(preferencesFile(), QSettings::IniFormat);
    Preferences preferences;
    forEachPreference(preferences, [&file]<class T>(const QString &key, T &value) {
        if (const QVariant stored = file.value(key); stored.canConvert<T>())
            value = stored.value<T>();
    });
    return preferences;
}

Result<void> Preferences::save() const
{
    QSettings file(preferencesFile(), QSettings::IniFormat);
    QVariantHash usual;
    const Preferences defaults;
    forEachPreference(defaults, [&usual](const QString &key, const auto &value) { usual.insert(key, value); });
    forEachPreference(*this, [&usual, &file](const QString &key, const auto &value) {
        if (usual.value(key) == QVariant(value))
            file.remove(key);
        else
            file.setValue(key, value);
    });
    file.sync();
    if (file.status() != QSettings::NoError)
        return Error{Tr::tr("save the settings"), preferencesFile(), Tr::tr("the file cannot be written"), {}};
    return {};
}

QString Preferences::usedCatalogFolder() const
{
    return catalogFolder.isEmpty() ? preferencesFolder() + u"/catalog"_s : catalogFolder;
}

QString Preferences::usedTemplateFolder() const
{
    return templateFolder.isEmpty() ? preferencesFolder() + u"/templates"_s : templateFolder;
}

} // namespace tmx
