// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/meaning/Meaning.h"
#include "model/nix/NormalForm.h"

#include <unordered_map>

namespace tmx {

/// Whether a nixpkgs function takes a derivation's attributes, or a function that returns them: overrideAttrs,
/// overridePythonAttrs, buildPythonPackage, mkDerivation.
bool takesDerivation(const nix::Term *function);
/// Whether it is the `import` of a fetched nixpkgs or of <nixpkgs>, to be called with its settings.
bool isNixpkgs(const nix::Term *function);

/// Rewrites the normal forms of recipes using knowledge of nixpkgs.
class MeaningForm
{
public:
    explicit MeaningForm(nix::Terms &terms)
        : m_terms(terms)
    {
    }

    /// Sorts the lists in `meta` whose order has no meaning.
    const nix::Term *exact(const nix::Term *term);

    /// exact() without what affects neither compiler nor output (UnbuiltKind). An attribute or variable that another
    /// part mentions is kept.
    const nix::Term *build(const nix::Term *term);
    /// What the last build() removed.
    [[nodiscard]] QList<Unbuilt> unbuilt() const;

private:
    const nix::Term *rewritten(const nix::Term *term);
    const nix::Term *rewrittenParts(const nix::Term *term);
    const nix::Term *importArguments(const nix::Term *settings);
    const nix::Term *attributes(const nix::Term *term);
    const nix::Term *attribute(std::string_view name, const nix::Term *value);
    const nix::Term *meta(const nix::Term *value);
    const nix::Term *phase(const nix::Term *value, bool last);
    const nix::Term *script(const nix::Term *text, bool last);
    const nix::Term *sortedDefinitions(const nix::Term *flags);
    bool leaveOut(UnbuiltKind kind, std::string_view name, const nix::Term *value);
    [[nodiscard]] bool isOld(const nix::Term *term, std::string_view name) const;
    [[nodiscard]] bool drops(UnbuiltKind kind) const;
    void note(UnbuiltKind kind, QByteArrayView value);

    nix::Terms &m_terms;
    bool m_building = false;
    std::vector<UnbuiltKind> m_kept; ///< kinds that another part mentions
    std::unordered_map<const nix::Term *, const nix::Term *> m_known;
    QString m_where;     ///< path of the attribute
    quint32 m_level = 0; ///< number of lambdas around the term
    QList<Unbuilt> m_unbuilt;
};

} // namespace tmx
