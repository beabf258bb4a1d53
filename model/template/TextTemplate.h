// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <QVariantHash>

#include <functional>
#include <memory>
#include <optional>
#include <variant>

namespace tmx {

/// The value at a dotted path of nested tables; nullptr if there is none.
const QVariant *valueAt(const QVariantHash &data, QStringView path);

/// A parsed template. The language: `{{ gpu.id }}`, `{{ gpu.products|join:", " }}`, `{# comment #}`,
/// `{% include "family/parts/x" %}`, `{% if a and not b == "c" or d %} {% elif e %} {% else %} {% endif %}`,
/// `{% for flag in isa.flags %} {{ flag.text }} {% endfor %}`. A tag is on one line; a tag that is alone on its line
/// leaves no line behind. `{# needs: a.b #}` and `{# not for: c.d #}` say which data a template is for. Names are known
/// after parsing, so that complaint() finds a misspelt one in a branch that is not taken.
class TextTemplate
{
public:
    /// "+4" columns: the text is for a tag that is indented so.
    struct Include {
        QString name;
        int columns = 0;
        bool operator==(const Include &) const = default;
    };
    /// Appends the text of a template that this one includes.
    using Included = std::function<void(const Include &, QString &out)>;

    /// Each line of the text is indented by `columns`. Error: what is wrong, with its line ("line 3: ...").
    [[nodiscard]] static std::variant<TextTemplate, QString> parse(const QString &text, int columns = 0);

    [[nodiscard]] const QList<Include> &includes() const { return m_includes; }
    /// The problem of `data` for this template: "line 3 uses x.y, which the branch settings do not set"; nullopt if
    /// there is none.
    [[nodiscard]] std::optional<QString> complaint(const QVariantHash &data) const;
    /// `data` must be without complaint.
    void render(const QVariantHash &data, const Included &included, QString &out) const;

private:
    friend class TemplateParser;
    struct Node;
    struct Condition;
    struct Name {
        QString path; ///< "gpu.capability"
        int line = 0; ///< 1-based
    };
    class Rendering;

    std::shared_ptr<const std::vector<Node>> m_nodes;
    QList<Name> m_names;    ///< used in a variable, condition or loop, except those of loop variables; each once
    QStringList m_required; ///< must be set and not be empty
    QStringList m_excluded; ///< must not be true
    QList<Include> m_includes;
};

} // namespace tmx
