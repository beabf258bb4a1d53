// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/NormalForm.h"
#include "model/recipe/Meaning.h"

#include <unordered_map>

namespace tmx {

/// Whether a function of nixpkgs takes the attributes of a derivation, or a function that gives them: overrideAttrs,
/// overridePythonAttrs, buildPythonPackage, mkDerivation.
bool takesDerivation(const nix::Term *function);
/// `import` of what is fetched, or of <nixpkgs>: a nixpkgs that is to be called with the set of its settings.
bool isNixpkgs(const nix::Term *function);

/// Rewrites the normal forms of recipes with what is known of nixpkgs.
class MeaningForm
{
public:
    explicit MeaningForm(nix::Terms &terms)
        : m_terms(terms)
    {
    }

    /// Lists of `meta` whose order means nothing are sorted.
    const nix::Term *exact(const nix::Term *term);

    /// exact() without what reaches neither compiler nor output (UnbuiltKind). An attribute or variable that something
    /// else mentions stays.
    const nix::Term *build(const nix::Term *term);
    /// What the last build() left out.
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
    std::vector<UnbuiltKind> m_kept; ///< that something mentions
    std::unordered_map<const nix::Term *, const nix::Term *> m_known;
    QString m_where;     ///< path of the attribute
    quint32 m_level = 0; ///< lambdas around the term
    QList<Unbuilt> m_unbuilt;
};

} // namespace tmx
