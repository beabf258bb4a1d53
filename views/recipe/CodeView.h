// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Finding.h"
#include "views/recipe/CodeArea.h"

namespace tmx {

/// A recipe with line numbers and Nix colours. Findings of the audit are marked in the text and in the gutter; tooltips
/// show them.
class CodeView : public CodeArea
{
    Q_OBJECT
public:
    explicit CodeView(QWidget *parent = nullptr);

    void setCode(const QByteArray &text); ///< UTF-8; a final newline adds no line
    [[nodiscard]] const QByteArray &code() const { return m_code; }

    /// Those of that file: empty for the recipe itself.
    void setFindings(const QList<Finding> &findings, const QString &file = {});
    void showFinding(
        const Finding &finding); ///< moves the caret to it, or to the beginning if the finding is about the whole file

protected:
    bool viewportEvent(QEvent *event) override;
    [[nodiscard]] int gutterWidth() const override;
    void paintGutter(QPainter &painter, int line, const QRect &rect) const override;
    [[nodiscard]] QColor lineColor(int line) const override;
    [[nodiscard]] QList<Mark> marks(int line) const override;
    void restartHighlighting() override;
    bool highlightNext() override;

private:
    /// A finding on a line, in characters.
    struct Place {
        Finding finding;
        int start = 0;
        int length = 0;
    };
    [[nodiscard]] Place placeOf(const Finding &finding) const;

    QByteArray m_code;
    QMultiHash<int, Place> m_places; ///< by 0-based line
    int m_nextLine = 0;
    Highlighter::State m_state;
};

} // namespace tmx
