// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/RecipeFacts.h"

#include "model/nix/Parse.h"

namespace tmx {

RecipeFacts readFacts(const QByteArray &text)
{
    RecipeFacts facts;
    const nix::ParseResult parsed = nix::parse(text);
    if (parsed.error) {
        const nix::ParseError &error = *parsed.error;
        facts.error = {error.message, {error.place.line, error.place.column, error.span.offset, error.span.length}};
    }
    return facts;
}

QList<Fact> RecipeFacts::rows() const
{
    QList<Fact> rows;
    if (error)
        rows.append({QStringLiteral("error"), QStringLiteral("error"), error->message, error->spot.line});
    return rows;
}

} // namespace tmx
