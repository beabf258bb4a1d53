// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/GitValues.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace tmx {

class DiffView;
class FactTable;
class SearchBar;
struct MeaningDifference;
struct RecipePaneContent;

/// Differences of the recipe from the last commit or from the template; against the template the differing facts come
/// first. Alt+Down and Alt+Up move between the changes.
class ChangesPage : public QWidget
{
    Q_OBJECT
public:
    enum class Side { Head, Template };

    explicit ChangesPage(QWidget *parent = nullptr);
    void setContent(const RecipePaneContent &content);
    [[nodiscard]] SearchBar *searchBar() const { return m_search; }
    [[nodiscard]] Side side() const { return m_side; }
    void setSide(Side side);
    [[nodiscard]] int uncommitted() const
    {
        return m_against[int(Side::Head)].changes;
    } ///< changes since the last commit

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct Against {
        QList<DiffLine> lines;
        QString emptySentence; ///< shown instead of an empty difference
        int changes = 0;
        int added = 0;
        int removed = 0;
    };
    static Against count(const QList<DiffLine> &lines, const QString &emptySentence);
    void showFacts(const QList<MeaningDifference> &differences);
    void showSide();
    void showPlace();
    void showSwitch(QPushButton *button, const QString &text, const Against &against);

    Against m_against[2]; ///< indexed by Side
    QByteArray m_text;
    Side m_side = Side::Head;
    bool m_sideChosen = false; ///< the user chose the side: do not change it any more
    QPushButton *m_head = nullptr;
    QPushButton *m_template = nullptr;
    QLabel *m_summary = nullptr;
    QLabel *m_place = nullptr;
    QToolButton *m_previous = nullptr;
    QToolButton *m_next = nullptr;
    FactTable *m_facts = nullptr; ///< how the recipe's facts differ from the template's
    QStackedWidget *m_stack = nullptr;
    QLabel *m_nothing = nullptr;
    DiffView *m_diff = nullptr;
    SearchBar *m_search = nullptr;
};

} // namespace tmx
