// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/VariantName.h"

#include "model/base/TextForm.h"
#include "model/base/Tr.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

/// The whole words of a name in turn.
class NameWords
{
public:
    explicit NameWords(const QStringList &words)
        : m_words(words)
    {
    }

    [[nodiscard]] QString next() const { return m_words.value(m_at); }
    /// Consumes the next word if it is this one.
    bool take(const QString &word)
    {
        const bool same = next() == word && m_at < m_words.size();
        m_at += same;
        return same;
    }
    /// Consumes the next word if it has this beginning and matches; returns its captures, or an empty list.
    QStringList take(QLatin1StringView beginning, const QRegularExpression &pattern)
    {
        if (!next().startsWith(beginning))
            return {}; // Most words: a pattern takes ten times as long.
        const QRegularExpressionMatch match = pattern.match(next());
        m_at += match.hasMatch();
        return match.hasMatch() ? match.capturedTexts() : QStringList();
    }
    [[nodiscard]] QStringList rest() const { return m_words.sliced(m_at); }

private:
    QStringList m_words;
    qsizetype m_at = 0;
};

const QRegularExpression &pythonPattern()
{
    static const QRegularExpression pattern(u"^(?:python|py)(3\\d{1,2})\\z"_s);
    return pattern;
}

/// Ways to compute that are also words of packages' names.
bool isUncertainDevice(const QString &word)
{
    static const QSet<QString> words{u"metal"_s, u"mps"_s, u"vulkan"_s, u"opencl"_s, u"sycl"_s,
                                     u"hip"_s,   u"xpu"_s, u"oneapi"_s, u"musa"_s,   u"cann"_s};
    return words.contains(word);
}

/// Takes the part that says what the package runs on: toolkit and row. False if the words do not begin with one.
bool takeDevice(NameWords &words, VariantName &result)
{
    static const QRegularExpression cudaPattern(u"^cuda([1-9]\\d?)([_.])(0|[1-9]\\d?)\\z"_s);
    static const QRegularExpression shortPattern(u"^cu(1[1-9])(\\d)\\z"_s);
    static const QRegularExpression rowPattern(u"^sm_?([1-9]\\d{1,2}[a-z]?)\\z"_s);
    static const QRegularExpression rocmPattern(u"^rocm(?:\\d[\\d_]*)?\\z"_s);
    static const QRegularExpression gfxPattern(u"^gfx[\\da-f]+\\z"_s);
    Variant &variant = result.variant;
    const QString first = words.next();
    const QStringList cuda = words.take("cuda"_L1, cudaPattern);
    if (!cuda.isEmpty()) {
        variant.cuda = cuda[1] + u'.' + cuda[3];
        if (cuda[2] == "."_L1)
            result.oddities.append(Tr::tr("dotted CUDA version %1").arg(cuda[0]));
    } else if (const QStringList brief = words.take("cu"_L1, shortPattern); !brief.isEmpty()) {
        variant.cuda = brief[1] + u'.' + brief[2];
        result.oddities.append(Tr::tr("%1 for cuda%2_%3").arg(brief[0], brief[1], brief[2]));
    }
    if (words.take(u"darwin"_s)) {
        const QString metal = words.next();
        if (!words.take(u"mps"_s) && !words.take(u"metal"_s))
            return false;
        variant.row = "darwin-"_L1 + metal;
    } else if (words.take(u"cpu"_s)) {
        variant.row = u"cpu"_s;
    } else if (!cuda.isEmpty() && words.take(everyGpu.toString())) {
        variant.row = everyGpu.toString();
    } else if (const QStringList row = words.take("sm"_L1, rowPattern); !row.isEmpty()) {
        variant.row = "sm"_L1 + row[1];
        if (row[0] != variant.row)
            result.oddities.append(Tr::tr("%1 for %2").arg(row[0], variant.row));
    } else if (const QStringList rocm = words.take("rocm"_L1, rocmPattern); !rocm.isEmpty()) {
        const QStringList gfx = words.take("gfx"_L1, gfxPattern);
        variant.row = gfx.isEmpty() ? rocm[0] : rocm[0] + u'-' + gfx[0];
    } else if (cuda.isEmpty() && isUncertainDevice(first)) {
        variant.row = first;
        words.take(first);
    } else {
        return false;
    }
    if (!isGpuRow(variant.row) && !variant.cuda.isEmpty()) {
        result.oddities.append(Tr::tr("CUDA part on a package without CUDA"));
        variant.cuda.clear();
    } else if (isGpuRow(variant.row) && variant.cuda.isEmpty()) {
        result.oddities.append(Tr::tr("no CUDA part"));
    }
    return true;
}

/// Where the device begins: behind a Python if the name has one there, else the last that there is, because a family's
/// own words may look like a device ("llama-cpu"). The number of words if there is none.
qsizetype deviceIn(const QStringList &words)
{
    qsizetype last = words.size();
    for (qsizetype i = words.size() - 1; i > 0; --i) {
        // Most words are no device, and patterns take their time.
        constexpr QStringView beginnings = u"cdsr";
        if (words.at(i).isEmpty() || !beginnings.contains(words.at(i).front()))
            continue;
        NameWords here(words.sliced(i));
        VariantName ignored;
        if (!takeDevice(here, ignored))
            continue;
        if (i > 1 && pythonPattern().match(words.at(i - 1)).hasMatch())
            return i;
        const bool toolkitBefore = i + 1 == last && words.at(i).startsWith("cu"_L1);
        if (last == words.size() || toolkitBefore)
            last = i;
    }
    if (last < words.size() && words.at(last) != "cpu"_L1)
        return last;
    const auto uncertain = std::find_if(words.crbegin(), words.crend(), isUncertainDevice);
    const qsizetype at = words.crend() - uncertain - 1;
    return at > 0 && (last == words.size() || at > last) ? at : last;
}

/// Whether these words can be a family: not what is left of a malformed Python or toolkit. Before a Python, the word
/// "python" is the family's own: llama-cpp-python-python312.
bool isFamily(const QStringList &words, bool hasPython)
{
    static const QRegularExpression firstForm(u"^[a-z][a-z0-9_+]*\\z"_s);
    static const QRegularExpression furtherForm(u"^[a-z0-9_+]+\\z"_s);
    static const QRegularExpression otherPart(u"^(?:python\\d+|py\\d+|cuda_?\\d[\\d_]*|sm_?\\d+[a-z]?)\\z"_s);
    static const QRegularExpression majorToolkit(u"^cuda1\\d\\z"_s); // "jax-cuda12-plugin"
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QString &word = words.at(i);
        const bool isOwn = hasPython && i > 0 && i + 1 < words.size() && majorToolkit.match(word).hasMatch();
        if (!(i == 0 ? firstForm : furtherForm).match(word).hasMatch() || (!isOwn && otherPart.match(word).hasMatch()))
            return false;
    }
    return !words.isEmpty() && (words.constLast() != "python"_L1 || (hasPython && words.size() > 1));
}

/// Takes an instruction set of the catalog.
void takeIsa(NameWords &words, VariantName &result, const QStringList &isas)
{
    for (const QString &id : isas) {
        QString dotted = id;
        dotted.replace(u'_', u'.');
        if (!words.take(id) && !words.take(dotted))
            continue;
        result.variant.isa = id;
        return;
    }
}

} // namespace

std::optional<VariantName> VariantName::parse(const QString &name, const QStringList &isas)
{
    static const QRegularExpression prefixPattern(u"^(python3\\d{1,2})Packages\\."_s);
    static const QRegularExpression restPattern(u"^[A-Za-z0-9_.+]+\\z"_s);

    VariantName result;
    Variant &variant = result.variant;
    QString body = name;
    if (const auto match = prefixPattern.match(name); match.hasMatch()) {
        variant.python = match.captured(1);
        result.oddities.append(Tr::tr("prefix %1").arg(match.captured()));
        body = name.mid(match.capturedLength());
    }
    const QStringList all = body.split(u'-');
    const qsizetype device = deviceIn(all);
    QStringList family = all.first(device);
    if (family.size() > 1) {
        if (const auto python = pythonPattern().match(family.constLast()); python.hasMatch()) {
            const QString id = "python"_L1 + python.captured(1);
            if (!variant.python.isEmpty() && variant.python != id)
                return std::nullopt; // The prefix and the name differ.
            variant.python = id;
            if (python.captured() != id)
                result.oddities.append(Tr::tr("%1 for %2").arg(python.captured(), id));
            family.removeLast();
        }
    }
    // A dot would separate an attribute path.
    static const QRegularExpression dot(u"(?<=\\d)\\.(?=\\d)"_s);
    if (QStringList plain = family; plain.replaceInStrings(dot, u"_"_s) != family) {
        result.oddities.append(Tr::tr("dotted version in %1").arg(family.join(u'-')));
        family = plain;
    }
    NameWords words(all.sliced(device));
    if (!isFamily(family, !variant.python.isEmpty()) || !takeDevice(words, result))
        return std::nullopt;
    variant.family = family.join(u'-');

    if (hasIsa(variant.row)) {
        const QString word = words.next();
        takeIsa(words, result, isas);
        if (word.contains(u'.') && !variant.isa.isEmpty())
            result.oddities.append(Tr::tr("dotted ISA %1").arg(word));
    }
    result.uncertain = (variant.row == "cpu"_L1 || isUncertainDevice(variant.row)) && variant.python.isEmpty() &&
                       variant.isa.isEmpty();

    QStringList rest = words.rest();
    if (result.uncertain && !std::ranges::all_of(rest, isHost))
        return std::nullopt;
    if (!std::ranges::all_of(rest, [](const QString &word) { return restPattern.match(word).hasMatch(); }))
        return std::nullopt;
    qsizetype own = hasIsa(variant.row) && variant.isa.isEmpty() ? rest.size() : 0;
    while (own < rest.size() && isHost(rest.at(own)))
        ++own;
    variant.rest = rest.join(u'-');
    if (rest.first(own).join(u'-').contains(u'.')) // "avx2.nix.backup"
        return std::nullopt;
    if (own < rest.size())
        result.suffix = u'-' + rest.sliced(own).join(u'-');
    result.canonical = result.oddities.isEmpty();
    return result;
}

Variant VariantName::withoutSuffix() const
{
    Variant plain = variant;
    plain.rest.chop(std::min(suffix.size(), plain.rest.size())); // a rest of the suffix alone has no dash before it
    return plain;
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
