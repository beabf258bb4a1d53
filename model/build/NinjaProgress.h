// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace tmx {

/// How far a build is, read from ninja's `[finished/total]` and Nix's phases.
/// Dependencies interleave, each line with its derivation's name and `> ` in front: the package's own derivation counts
/// as soon as it has steps, before that the one with the largest total. Within one, a nested project starts again at
/// [1/..]: the largest total is followed.
class NinjaProgress
{
public:
    /// One line without escape sequences and newline. True when something below changed.
    bool read(QStringView line);

    [[nodiscard]] int step() const { return m_step; }
    [[nodiscard]] int total() const { return m_total; } ///< 0 = no step seen yet
    [[nodiscard]] QString phase() const
    {
        return m_phase;
    } ///< of the package itself: "buildPhase"; else of whoever came last
    [[nodiscard]] QString derivation() const
    {
        return m_derivation;
    } ///< whose steps these are; empty when the line did not say
    /// They are the package's own, as far as the lines tell: nix-build prints them without names.
    [[nodiscard]] bool isOfPackage() const
    {
        return m_total > 0 && (m_package.isEmpty() ? m_derivation.isEmpty() : isPackage(m_derivation));
    }

private:
    bool readStep(QStringView derivation, int step, int total);
    [[nodiscard]] bool isPackage(QStringView derivation) const;

    QString m_package; ///< "python3.13-pytorch-python313-cpu-avx2-2.8.0", from flox's first line
    QString m_derivation;
    QString m_phase;
    bool m_phaseIsPackages = false;
    int m_step = 0;
    int m_total = 0;
};

/// The name in front of `> ` in a line of a builder; empty in any other line. Nix allows letters, digits and +-._?= in
/// it.
[[nodiscard]] QStringView derivationPrefix(QStringView line);

} // namespace tmx
