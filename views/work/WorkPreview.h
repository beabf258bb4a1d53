// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/WorkOffer.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QStackedWidget;

namespace tmx {

class CodeView;
class DiffView;
class ElidedLabel;
class StepTree;

/// What some work would do: how much, the files in groups with a box each, and the text, or the difference, of the
/// current one.
class WorkPreview : public QWidget
{
    Q_OBJECT
public:
    explicit WorkPreview(QWidget *parent = nullptr);

    /// What was ticked in an offer like it stays so.
    void setOffer(const WorkOffer &offer);
    /// Nothing is offered; the sentence says why where there is one to say.
    void clear(const QString &sentence);
    [[nodiscard]] const Plan &plan() const; ///< with the choices that were made

Q_SIGNALS:
    void chosenChanged();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    [[nodiscard]] QWidget *makeText();
    void showCounts();
    void showStep();

    WorkOffer m_offer;
    QLabel *m_summary;
    ElidedLabel *m_notes;
    StepTree *m_tree;
    QStackedWidget *m_body; ///< the list and the text, or why there is none
    QLabel *m_nothing;
    QLabel *m_reason;
    QCheckBox *m_whole;
    QStackedWidget *m_texts;
    CodeView *m_code;
    DiffView *m_diff;
};

} // namespace tmx
