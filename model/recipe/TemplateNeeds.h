// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <QVariantHash>

#include <optional>

namespace tmx {

/// The value at a dotted path of nested tables; nullptr where there is none.
const QVariant *valueAt(const QVariantHash &data, QStringView path);

/// What a template text asks of its data. KTextTemplate renders a name that it does not find as nothing; in a recipe
/// that would be a flag or a version that has vanished, so names are looked up before.
struct TemplateNeeds {
    struct Name {
        QString path; ///< "gpu.capability"
        int line = 0; ///< 1-based
    };
    QStringList excluded; ///< of `{# not for: ... #}`: must not be true
    QList<Name> used;     ///< every name in a variable, condition or loop that the template does not define itself
    QStringList required; ///< of `{# needs: ... #}`: must be there and not empty
    QStringList includes; ///< names of the templates that it includes

    static TemplateNeeds of(const QString &text);

    /// What is wrong with `data` for this template: "line 3 uses x.y, which a recipe does not know"; nullopt when
    /// nothing is.
    [[nodiscard]] std::optional<QString> complaint(const QVariantHash &data) const;
};

} // namespace tmx
