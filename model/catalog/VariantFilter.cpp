// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/VariantFilter.h"

namespace tmx {

namespace {

/// Whether `wanted`, "2.9", is this version or begins it: "2.9.1", but not "2.91".
bool begins(const QString &wanted, const QString &version)
{
    return version == wanted || version.startsWith(wanted + u'.');
}

} // namespace

bool VariantFilter::accepts(const Variant &variant, const Settings &settings) const
{
    const FamilyName name = FamilyName::of(variant.family);
    if (!family.isEmpty() && family != name.word && family != name.word + name.version && family != variant.family)
        return false;
    if (!version.isEmpty()) {
        const bool named = version == name.version || QString(version).remove(u'.') == name.version;
        if (!named && !begins(version, settings.profileOf(variant).version))
            return false;
    }
    const bool ofPython = python == noneWord ? variant.python.isEmpty()
                                             : python == variant.python || python == pythonVersion(variant.python);
    if (!python.isEmpty() && !ofPython)
        return false;
    const QString toolkit = QString(cuda).replace(u'_', u'.');
    return cuda.isEmpty() || (cuda == noneWord ? variant.cuda.isEmpty() : variant.cuda == toolkit);
}

} // namespace tmx
