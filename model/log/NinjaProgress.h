// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace tmx {

/// Progress of a build, read from ninja's `[finished/total]` and Nix's phases. Lines of dependencies interleave; each
/// line begins with its derivation's name and `> `. The package's own derivation counts as soon as it has steps; before
/// that, the derivation with the largest total. A nested project in a derivation starts again at [1/..]: the largest
/// total is followed.
class NinjaProgress
{
public:
    /// Reads one line without escape sequences and newline. Returns true if something below changed.
    bool read(QStringView line);

    [[nodiscard]] int step() const { return m_step; }
    [[nodiscard]] int total() const { return m_total; } ///< 0 = no step seen yet
    [[nodiscard]] QString phase() const
    {
        return m_phase;
    } ///< phase of the package itself, "buildPhase"; else the latest phase of any derivation
    [[nodiscard]] QString derivation() const
    {
        return m_derivation;
    } ///< derivation of these steps; empty if the line did not name one
    /// Whether the steps are the package's own, as far as the lines tell: nix-build prints them without names.
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

/// The name in front of `> ` in a builder's line; empty in any other line. Nix allows letters, digits and +-._?= in
/// names.
[[nodiscard]] QStringView derivationPrefix(QStringView line);

} // namespace tmx
