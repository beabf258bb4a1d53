// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/VariantName.h"

#include "model/base/TextForm.h"
#include "model/base/Tr.h"

#include <QRegularExpression>

#include <algorithm>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

/// Parses a name from its beginning, part by part; each part ends at a dash or at the end of the name.
class NameScanner
{
public:
    explicit NameScanner(const QString &name)
        : m_rest(name)
    {
    }

    /// Consumes `word` if it is the complete next part.
    bool take(const QString &word)
    {
        if (!m_rest.startsWith(word) || (m_rest.size() > word.size() && m_rest[word.size()] != u'-'))
            return false;
        m_rest = m_rest.mid(word.size());
        if (m_rest.size() > 1)
            m_rest = m_rest.mid(1);
        return true;
    }

    /// Consumes the next part if it matches; returns its captures, or an empty list.
    QStringList take(const QRegularExpression &pattern)
    {
        const QRegularExpressionMatch match = pattern.match(m_rest.section(u'-', 0, 0));
        if (!match.hasMatch() || !take(match.captured()))
            return {};
        return match.capturedTexts();
    }

    [[nodiscard]] const QString &rest() const { return m_rest; }

private:
    QString m_rest;
};

} // namespace

std::optional<VariantName> VariantName::parse(const QString &name, const QStringList &families, const QStringList &isas)
{
    static const QRegularExpression prefixPattern(u"^(python3\\d{1,2})Packages\\."_s);
    static const QRegularExpression pythonPattern(u"^(?:python|py)(3\\d{1,2})\\z"_s);
    static const QRegularExpression cudaPattern(u"^cuda([1-9]\\d?)([_.])(0|[1-9]\\d?)\\z"_s);
    static const QRegularExpression rowPattern(u"^sm_?([1-9]\\d{1,2}[a-z]?)\\z"_s);
    static const QRegularExpression suffixPattern(u"^[A-Za-z0-9_.+]+(-[A-Za-z0-9_.+]+)*\\z"_s);

    VariantName result;
    Variant &variant = result.variant;
    QString body = name;
    if (const auto match = prefixPattern.match(name); match.hasMatch()) {
        variant.python = match.captured(1);
        result.oddities.append(Tr::tr("prefix %1").arg(match.captured()));
        body = name.mid(match.capturedLength());
    }
    NameScanner scanner(body);

    const auto family =
        std::find_if(families.cbegin(), families.cend(), [&](const QString &id) { return scanner.take(id); });
    if (family == families.cend())
        return std::nullopt;
    variant.family = *family;

    if (const QStringList python = scanner.take(pythonPattern); !python.isEmpty()) {
        const QString id = "python"_L1 + python[1];
        if (!variant.python.isEmpty() && variant.python != id)
            return std::nullopt; // The prefix and the name differ.
        variant.python = id;
        if (python[0] != id)
            result.oddities.append(Tr::tr("%1 for %2").arg(python[0], id));
    }
    if (variant.python.isEmpty())
        return std::nullopt;

    const QStringList cuda = scanner.take(cudaPattern);
    if (!cuda.isEmpty()) {
        variant.cuda = cuda[1] + u'.' + cuda[3];
        if (cuda[2] == "."_L1)
            result.oddities.append(Tr::tr("dotted CUDA version %1").arg(cuda[0]));
    }

    if (scanner.take(u"darwin-mps"_s)) {
        variant.row = u"darwin-mps"_s;
    } else if (scanner.take(u"cpu"_s)) {
        variant.row = u"cpu"_s;
    } else if (const QStringList row = scanner.take(rowPattern); !row.isEmpty()) {
        variant.row = "sm"_L1 + row[1];
        if (row[0] != variant.row)
            result.oddities.append(Tr::tr("%1 for %2").arg(row[0], variant.row));
    } else {
        return std::nullopt;
    }
    if (!variant.row.startsWith("sm"_L1) && !variant.cuda.isEmpty()) {
        result.oddities.append(Tr::tr("CUDA part on a package without CUDA"));
        variant.cuda.clear();
    } else if (variant.row.startsWith("sm"_L1) && variant.cuda.isEmpty()) {
        result.oddities.append(Tr::tr("no CUDA part"));
    }

    if (variant.row != "darwin-mps"_L1) {
        for (const QString &id : isas) {
            QString dotted = id;
            dotted.replace(u'_', u'.');
            if (scanner.take(id)) {
                variant.isa = id;
                break;
            }
            if (dotted != id && scanner.take(dotted)) {
                variant.isa = id;
                result.oddities.append(Tr::tr("dotted ISA %1").arg(dotted));
                break;
            }
        }
        if (variant.isa.isEmpty())
            return std::nullopt;
    }

    if (!scanner.rest().isEmpty()) {
        if (!suffixPattern.match(scanner.rest()).hasMatch())
            return std::nullopt;
        result.suffix = u'-' + scanner.rest();
        result.oddities.append(Tr::tr("suffix %1").arg(result.suffix));
    }
    result.canonical = result.oddities.isEmpty();
    return result;
}

QString packageOf(const QString &path)
{
    QStringView name = path;
    if (name.endsWith("/default.nix"_L1))
        return packageOf(name.chopped("/default.nix"_L1.size()).toString());
    name = name.sliced(name.lastIndexOf(u'/') + 1);
    return name.endsWith(".nix"_L1) ? name.chopped(4).toString() : name.toString();
}

bool isBuildableName(const QString &name)
{
    return hasForm(name, u"[a-z0-9][a-z0-9_-]{0,199}");
}

} // namespace tmx
