// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/meaning/Meaning.h"
#include "model/recipe/RecipeFacts.h"

#include <memory>

namespace tmx {

/// A recipe that is parsed once, for its facts and its meaning. Thread-safe.
class ParsedRecipe
{
public:
    explicit ParsedRecipe(const RecipeSource &source);
    ~ParsedRecipe();
    Q_DISABLE_COPY_MOVE(ParsedRecipe)

    [[nodiscard]] RecipeFacts facts() const; ///< as readFacts()
    [[nodiscard]] Meaning meaning() const;   ///< as readMeaning()

private:
    std::unique_ptr<const nix::ParseResult> m_parsed;
    std::shared_ptr<const RecipeImports> m_imports;
};

} // namespace tmx
