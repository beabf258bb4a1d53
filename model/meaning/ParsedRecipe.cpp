// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/meaning/ParsedRecipe.h"

#include "model/nix/Parse.h"

namespace tmx {

ParsedRecipe::ParsedRecipe(const RecipeSource &source)
    : m_parsed(std::make_unique<const nix::ParseResult>(nix::parse(source.text)))
    , m_imports(source.imports)
{
}

ParsedRecipe::~ParsedRecipe() = default;

RecipeFacts ParsedRecipe::facts() const
{
    return readFacts(*m_parsed, m_imports.get());
}

Meaning ParsedRecipe::meaning() const
{
    return readMeaning(*m_parsed, m_imports.get());
}

} // namespace tmx
