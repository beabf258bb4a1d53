// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <QVariantHash>

#include <optional>

namespace tmx {

/// The value at a dotted path of nested tables; nullptr if there is none.
const QVariant *valueAt(const QVariantHash &data, QStringView path);

/// The data that a template needs. KTextTemplate renders a missing name as nothing; in a recipe that would silently
/// drop a flag or a version, so names are checked first.
struct TemplateNeeds {
    struct Name {
        QString path; ///< "gpu.capability"
        int line = 0; ///< 1-based
    };
    QStringList excluded; ///< from `{# not for: ... #}`: must not be true
    QList<Name> used;     ///< every name in a variable, condition or loop, except those that the template defines
    QStringList required; ///< from `{# needs: ... #}`: must exist and not be empty
    QStringList includes; ///< names of the templates that it includes

    static TemplateNeeds of(const QString &text);

    /// The problem of `data` for this template: "line 3 uses x.y, which a recipe does not know"; nullopt if there is
    /// none.
    [[nodiscard]] std::optional<QString> complaint(const QVariantHash &data) const;
};

} // namespace tmx
