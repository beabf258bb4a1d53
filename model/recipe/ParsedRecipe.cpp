// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/ParsedRecipe.h"

#include "model/nix/Parse.h"

namespace tmx {

ParsedRecipe::ParsedRecipe(const QByteArray &text)
    : m_parsed(std::make_unique<const nix::ParseResult>(nix::parse(text)))
{
}

ParsedRecipe::~ParsedRecipe() = default;

RecipeFacts ParsedRecipe::facts() const
{
    return readFacts(*m_parsed);
}

Meaning ParsedRecipe::meaning() const
{
    return readMeaning(*m_parsed);
}

} // namespace tmx
