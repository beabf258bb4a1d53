// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/ShortNames.h"

#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"

#include <QSet>

#include <array>

using namespace Qt::StringLiterals;

namespace tmx {

ShortNames::ShortNames(const QStringList &names)
{
    QHash<QString, Variant> variants;
    std::array<QSet<QString>, 3> values; // of package, Python and toolkit
    const auto partsOf = [](const Variant &variant) {
        return std::array{variant.family, variant.python.isEmpty() ? QString() : pythonVersion(variant.python),
                          variant.cuda};
    };
    for (const QString &name : names) {
        const auto parsed = VariantName::parse(name, {});
        if (!parsed || !parsed->suffix.isEmpty() || variants.contains(name))
            continue;
        variants.insert(name, parsed->variant);
        const auto parts = partsOf(parsed->variant);
        for (size_t i = 0; i < parts.size(); ++i)
            values.at(i).insert(parts.at(i));
    }
    values.at(2).remove(QString()); // recipes without CUDA belong to each toolkit
    const auto worded = [](size_t part, const QString &value) {
        return value.isEmpty() ? QString()
               : part == 1     ? Tr::tr("Python %1").arg(value)
               : part == 2     ? Tr::tr("CUDA %1").arg(value)
                               : value;
    };
    QStringList common;
    for (size_t i = 0; i < values.size() && !variants.isEmpty(); ++i) {
        if (values.at(i).size() == 1)
            common.append(worded(i, *values.at(i).cbegin()));
    }
    common.removeAll(QString());
    m_common = common.join(u", "_s);
    for (const auto &[name, variant] : variants.asKeyValueRange()) {
        const auto parts = partsOf(variant);
        QStringList words;
        for (size_t i = 0; i < parts.size(); ++i) {
            if (values.at(i).size() > 1)
                words.append(worded(i, parts.at(i)));
        }
        words += {variant.row, variant.isa, variant.rest};
        words.removeAll(QString());
        m_short.insert(name, words.join(u' '));
    }
}

QString ShortNames::of(const QString &name) const
{
    return m_short.value(name, name);
}

QString ShortNames::head() const
{
    return m_common.isEmpty() ? Tr::tr("Variant") : Tr::tr("Variant (%1)", "what all have in common").arg(m_common);
}

} // namespace tmx
