// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/GitValues.h"
#include "views/recipe/CodeArea.h"

namespace tmx {

/// A unified difference: line numbers of both sides in the gutter, the sign in front of each line (so that it is copied
/// and read aloud), a tint behind it, changed words marked, Nix colours. A change is a run of added and removed lines.
class DiffView : public CodeArea
{
    Q_OBJECT
public:
    explicit DiffView(QWidget *parent = nullptr);

    /// `after` is the whole text of the new side: a difference shows only parts of it, and the whole text tells which
    /// parts are inside a string.
    void setDiff(const QList<DiffLine> &lines, const QByteArray &after);

    [[nodiscard]] int changeCount() const { return int(m_changes.size()); }
    [[nodiscard]] int currentChange() const; ///< 1-based: the change with the caret or the nearest one above it; 0 =
                                             ///< none
    void nextChange();
    void previousChange();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    [[nodiscard]] int gutterWidth() const override;
    void paintGutter(QPainter &painter, int line, const QRect &rect) const override;
    [[nodiscard]] QColor lineColor(int line) const override;
    [[nodiscard]] QList<Mark> marks(int line) const override;
    void restartHighlighting() override;
    bool highlightNext() override;

private:
    struct Change {
        int first = 0; ///< index in m_lines
        int last = 0;
    };
    struct Word {
        int start = 0;
        int length = 0;
    };
    void goToChange(const Change &change);
    void findChanges();
    void markWords(const Change &change);
    [[nodiscard]] int numberWidth() const;
    [[nodiscard]] Highlighter::Formats formatsOf(const DiffLine &line);

    QList<DiffLine> m_lines;
    QList<Change> m_changes;
    QHash<int, Word> m_words; ///< by line of the difference
    QByteArray m_after;
    QStringList m_afterLines;
    int m_highestNumber = 0;

    int m_nextLine = 0;       ///< next line of the difference to colour
    bool m_otherFile = false; ///< what follows is not of m_after
    int m_afterLine = 0;      ///< number of lines of the new side that m_state has processed
    Highlighter::State m_state;
    Highlighter::State m_oldState; ///< the state within a run of removed lines
};

} // namespace tmx
