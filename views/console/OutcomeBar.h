// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/outcome/BuildOutcome.h"

#include <QWidget>

class QBoxLayout;
class QPlainTextEdit;
class QToolButton;

namespace tmx {

class CopyButton;
class Label;

/// How the build ended, in one sentence; the important error lines expand below it.
class OutcomeBar : public QWidget
{
    Q_OBJECT
public:
    explicit OutcomeBar(QWidget *parent = nullptr);

    void setOutcome(const BuildOutcome &outcome, bool isOwn = true);
    void setExpanded(bool expanded);
    [[nodiscard]] bool isExpanded() const;
    [[nodiscard]] QString sentence() const;

Q_SIGNALS:
    void firstErrorRequested(qint64 offset); ///< offset in the log
    void recipeRequested(int line);          ///< the line of the recipe that caused the failure
    void hashFixRequested(const QString &stated, const QString &right);
    void retryRequested();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    [[nodiscard]] QColor accent() const;
    void applyColors();

    BuildOutcome m_outcome;
    QBoxLayout *m_row = nullptr; ///< the sentence and the buttons
    Label *m_sentence = nullptr;
    QToolButton *m_first = nullptr;
    QToolButton *m_expand = nullptr;
    CopyButton *m_copy = nullptr;
    QToolButton *m_recipe = nullptr;
    QToolButton *m_fixHash = nullptr;
    QToolButton *m_retry = nullptr;
    QPlainTextEdit *m_errors = nullptr;
};

} // namespace tmx
