// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Finding.h"
#include "model/change/ChangeSet.h"
#include "views/recipe/RecipePaneContent.h"

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

/// The audit's findings for the cell's recipe. Below them is the text at the current finding's line, or the difference
/// that a fix would make, with a button to apply it. The page only emits signals; other code computes and applies
/// fixes.
class AuditPage : public QWidget
{
    Q_OBJECT
public:
    explicit AuditPage(QWidget *parent = nullptr);

    void setContent(const RecipePaneContent &content);
    /// The change that a fix or a new rendering makes to the recipe. `title` is one sentence.
    void showProposal(const QString &title, const QList<ChangeSet> &changes);
    void showTrouble(const QString &sentence); ///< a fix that is impossible, or a check that failed
    enum class NixCheck { Absent, Idle, Running };
    /// `answer`: the result of the last check; empty if there is none.
    void setNixCheck(NixCheck state, const QString &answer = {});
    /// For each rule, the number of findings on the branch that can be fixed in place.
    void setFixable(const QHash<QString, int> &counts);
    [[nodiscard]] int problems() const; ///< errors and warnings

Q_SIGNALS:
    void lineRequested(const tmx::Finding &finding); ///< show it in the recipe's own tab
    void fixRequested(const tmx::Finding &finding);
    void fixAllRequested(const QString &rule);                 ///< all findings of that rule on the branch
    void renderRequested();                                    ///< render the recipe from the template
    void applyRequested(const QList<tmx::ChangeSet> &changes); ///< apply the proposal that is shown
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
    QByteArray m_text;
    QList<ImportedFile> m_imported;
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
