// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/log/NinjaProgress.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

bool isNameCharacter(QChar c)
{
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9') || u"+-._?="_s.contains(c);
}

/// `[n/m] ` at the start of the line; ninja may pad n with blanks.
std::optional<std::pair<int, int>> stepOf(QStringView line)
{
    const qsizetype slash = line.indexOf(u'/');
    const qsizetype close = line.indexOf(u']');
    if (!line.startsWith(u'[') || slash < 2 || close < slash + 2 || close > 24)
        return {};
    bool goodStep = false;
    bool goodTotal = false;
    const int step = line.sliced(1, slash - 1).trimmed().toInt(&goodStep);
    const int total = line.sliced(slash + 1, close - slash - 1).toInt(&goodTotal);
    if (!goodStep || !goodTotal || step < 0 || total <= 0 || step > total)
        return {};
    return std::pair(step, total);
}

} // namespace

QStringView derivationPrefix(QStringView line)
{
    const qsizetype end = line.indexOf(u"> ");
    const qsizetype length = end < 0 && line.endsWith(u'>') ? line.size() - 1 : end;
    if (length <= 0 || !std::all_of(line.begin(), line.begin() + length, isNameCharacter))
        return {};
    return line.first(length);
}

bool NinjaProgress::isPackage(QStringView derivation) const
{
    return !derivation.isEmpty() && QStringView(m_package).startsWith(derivation) &&
           (m_package.size() == derivation.size() || m_package.at(derivation.size()) == u'-');
}

bool NinjaProgress::read(QStringView line)
{
    const QStringView derivation = derivationPrefix(line);
    constexpr QStringView before = u"Building ";
    constexpr QStringView after = u" in Nix expression mode";
    // In a damaged log both may share the same blank.
    if (derivation.isEmpty() && line.size() > before.size() + after.size() && line.startsWith(before) &&
        line.endsWith(after)) {
        m_package = line.sliced(before.size()).chopped(after.size()).toString();
        return false;
    }
    const QStringView rest = derivation.isEmpty() ? line : line.sliced(std::min(derivation.size() + 2, line.size()));
    if (const auto step = stepOf(rest))
        return readStep(derivation, step->first, step->second);
    if (!rest.startsWith(u"Running phase: "))
        return false;
    const bool packages = isPackage(derivation);
    if (m_phaseIsPackages && !packages)
        return false;
    m_phaseIsPackages = packages;
    return std::exchange(m_phase, rest.sliced(15).trimmed().toString()) != m_phase;
}

bool NinjaProgress::readStep(QStringView derivation, int step, int total)
{
    const bool same = derivation == m_derivation;
    const bool takesOver = !same && isPackage(derivation) && !isPackage(m_derivation);
    const bool yields = !same && isPackage(m_derivation);
    // ninja drops steps that turn out to be up to date, so the total may shrink a little while the count continues.
    const bool continues = same && (total == m_total || (step > m_step && std::abs(total - m_total) <= m_total / 10));
    if (!takesOver && !continues && (yields || total <= m_total))
        return false;
    const bool changed = step != m_step || total != m_total || !same;
    m_derivation = derivation.toString();
    m_step = step;
    m_total = total;
    return changed;
}

} // namespace tmx
