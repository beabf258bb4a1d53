// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Finding.h"
#include "model/repository/ChangeSet.h"

#include <QHash>
#include <QWidget>

class QLabel;
class QPushButton;
class QStackedWidget;

namespace tmx {

class Banner;
class ChangeView;
class CodeView;
class FindingList;
class FindingsModel;
struct RecipePaneContent;

/// What the audit says of the cell's recipe: the findings, below them the text at the line of the current one, or the
/// difference that a fix would make, to be applied or not. Asks only: whoever hears its signals works the fix out and
/// applies it.
class AuditPage : public QWidget
{
    Q_OBJECT
public:
    explicit AuditPage(QWidget *parent = nullptr);

    void setContent(const RecipePaneContent &content);
    /// What a fix, or rendering again, would make of the recipe; `title` is one sentence.
    void showProposal(const QString &title, const QList<ChangeSet> &changes);
    void showTrouble(const QString &sentence); ///< of a fix that cannot be, or of a check that failed
    enum class NixCheck { Absent, Idle, Running };
    /// `answer`: what the last check came to; empty: nothing.
    void setNixCheck(NixCheck state, const QString &answer = {});
    /// How many findings of each rule the branch has that can be fixed in place.
    void setFixable(const QHash<QString, int> &counts);
    [[nodiscard]] int problems() const; ///< errors and warnings

Q_SIGNALS:
    void lineRequested(const tmx::Finding &finding); ///< in the recipe's own tab
    void fixRequested(const tmx::Finding &finding);
    void fixAllRequested(const QString &rule);                 ///< all findings of that rule on the branch
    void renderRequested();                                    ///< from the template
    void applyRequested(const QList<tmx::ChangeSet> &changes); ///< the proposal that is shown
    void nixCheckRequested();
    void nixStopRequested();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    [[nodiscard]] QWidget *makeTools();
    [[nodiscard]] QWidget *makeProposalBar();
    [[nodiscard]] Finding current() const;
    void fix();
    void updateApply();
    void closeProposal();
    void showCurrent();

    QString m_name;
    bool m_canRender = false;
    NixCheck m_nix = NixCheck::Absent;
    FindingsModel *m_model;
    FindingList *m_list;
    QLabel *m_summary;
    QHash<QString, int> m_fixable;
    QPushButton *m_fix;
    QPushButton *m_fixAll;
    QPushButton *m_render;
    QPushButton *m_check;
    Banner *m_answer;
    QStackedWidget *m_top;
    QLabel *m_nothing;
    QStackedWidget *m_below;
    CodeView *m_code;
    ChangeView *m_changes;
    QLabel *m_proposal;
    QPushButton *m_apply;
};

} // namespace tmx
