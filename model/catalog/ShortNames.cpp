// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/ShortNames.h"

#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"

#include <QSet>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QString worded(NamePart part, const QString &value)
{
    return value.isEmpty()            ? QString()
           : part == NamePart::Python ? Tr::tr("Python %1").arg(value)
           : part == NamePart::Cuda   ? Tr::tr("CUDA %1").arg(value)
                                      : value;
}

/// In the order of a name; the other two stand in each row.
constexpr std::array first{NamePart::Package, NamePart::Python, NamePart::Cuda};

} // namespace

QString titleOf(NamePart part)
{
    switch (part) {
    case NamePart::Gpu: return Tr::tr("GPU");
    case NamePart::Cpu: return Tr::tr("CPU");
    case NamePart::Cuda: return Tr::tr("CUDA");
    case NamePart::Python: return Tr::tr("Python");
    case NamePart::Package: return Tr::tr("Package");
    }
    Q_UNREACHABLE_RETURN({});
}

ShortNames::ShortNames(const QStringList &names)
{
    std::array<QSet<QString>, allNameParts.size()> values;
    for (const QString &name : names) {
        const auto parsed = VariantName::parse(name, {});
        if (!parsed || m_parts.contains(name))
            continue;
        const Variant &variant = parsed->variant;
        QStringList cpu{variant.isa, variant.rest};
        cpu.removeAll(QString());
        const Parts parts{variant.row, cpu.join(u' '), variant.cuda,
                          variant.python.isEmpty() ? QString() : pythonVersion(variant.python), variant.family};
        m_parts.insert(name, parts);
        for (size_t i = 0; i < parts.size(); ++i)
            values.at(i).insert(parts.at(i));
    }
    values.at(size_t(NamePart::Cuda)).remove(QString()); // recipes without CUDA belong to each toolkit
    for (size_t i = 0; i < values.size(); ++i)
        m_differ.at(i) = values.at(i).size() > 1;
    m_differ.at(size_t(NamePart::Cpu)) = !m_parts.isEmpty();
    QStringList common;
    for (const NamePart part : first) {
        if (values.at(size_t(part)).size() == 1)
            common.append(worded(part, *values.at(size_t(part)).cbegin()));
    }
    common.removeAll(QString());
    m_common = common.join(u", "_s);
}

QString ShortNames::of(const QString &name) const
{
    const auto parts = m_parts.constFind(name);
    if (parts == m_parts.cend())
        return name;
    QStringList words{differing(*parts), parts->at(size_t(NamePart::Gpu)), parts->at(size_t(NamePart::Cpu))};
    words.removeAll(QString());
    return words.join(u' ');
}

QString ShortNames::differing(const Parts &parts) const
{
    QStringList words;
    for (const NamePart part : first) {
        if (differ(part))
            words.append(worded(part, parts.at(size_t(part))));
    }
    words.removeAll(QString());
    return words.join(u' ');
}

QStringList ShortNames::inTurn(const QStringList &names) const
{
    QStringList texts;
    QString before;
    for (const QString &name : names) {
        const QString now = differing(m_parts.value(name));
        const bool again = !now.isEmpty() && now == before;
        texts.append(again ? of(name).sliced(now.size() + 1) : of(name));
        before = now;
    }
    return texts;
}

QString ShortNames::part(const QString &name, NamePart part) const
{
    const auto parts = m_parts.constFind(name);
    return parts != m_parts.cend() ? parts->at(size_t(part)) : part == NamePart::Gpu ? name : QString();
}

} // namespace tmx
