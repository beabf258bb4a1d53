// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/matrix/RuleProblems.h"

#include <QWidget>

class QPushButton;
class QScrollArea;
class QStackedWidget;
class QTreeWidget;

namespace tmx {

class CellMapView;
class EmptyPage;
class Label;

/// The findings of a branch by rule: left the rules with counts; right what happens if one is ignored, the cells, the
/// findings that say the same together, and what can be done. Shows and emits signals; changes nothing itself.
class ProblemsView : public QWidget
{
    Q_OBJECT
public:
    explicit ProblemsView(QWidget *parent = nullptr);

    /// The chosen rule stays if it still has findings.
    void setProblems(const std::shared_ptr<const Catalog> &catalog,
                     const std::shared_ptr<const BranchSnapshot> &snapshot);
    [[nodiscard]] QString rule() const; ///< the chosen one; empty: none
    [[nodiscard]] int count() const;    ///< of findings

Q_SIGNALS:
    void cellChosen(const QString &name);
    /// The recipes of the rule, or of the finding that says `sentence`, that the view shows now.
    void shown(const QStringList &recipes, const QString &rule, const QString &sentence);
    void fixAllRequested(const QString &rule);
    void ignoreRequested(const QString &rule, const QStringList &recipes); ///< the recipes of the chosen findings
    void filterRequested(const QString &rule);                             ///< to see the cells in the grid

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void tellShown();
    void showRule();
    void showGroup();
    void fitRules();
    [[nodiscard]] const RuleProblems *current() const;
    [[nodiscard]] const QStringList &recipes() const; ///< of the chosen finding, else of the rule

    std::shared_ptr<const Catalog> m_catalog;
    std::shared_ptr<const BranchSnapshot> m_snapshot;
    QList<RuleProblems> m_problems;
    QStackedWidget *m_body;
    EmptyPage *m_nothing;
    QTreeWidget *m_rules;
    Label *m_title;
    Label *m_consequence;
    CellMapView *m_map;
    QScrollArea *m_cells;
    QTreeWidget *m_groups;
    QPushButton *m_fixAll;
    QPushButton *m_ignore;
    QPushButton *m_show;
};

} // namespace tmx
