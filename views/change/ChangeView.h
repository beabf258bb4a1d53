// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/ChangeSet.h"

#include <QWidget>

class QCheckBox;
class QStackedWidget;
class QTreeView;

namespace tmx {

class ChangeModel;
class CodeView;
class DiffView;
class ElidedLabel;
class Label;

/// Changes before they are made: what they come to, the files in groups with a box each, why each changes, and the text
/// of the current one or its difference, which a worker finds; and the errors that the audit finds in what is chosen,
/// with a box to go on with them. Every change of the window is looked at in one of these.
class ChangeView : public QWidget
{
    Q_OBJECT
public:
    enum Part {
        Summary = 1, ///< a sentence on top, and the warnings
        Text = 2,    ///< beside the list, of which the only file is not listed; without it the list has the reasons,
                     ///< and the text is below it once a file is opened by Enter or a double click
    };
    Q_DECLARE_FLAGS(Parts, Part)
    explicit ChangeView(Parts parts = Parts(Summary | Text));

    /// What was chosen, expanded and current in changes of the same branches stays so.
    void setChanges(const QList<ChangeSet> &changes);
    /// Shows nothing but a sentence.
    void clear(const QString &sentence);
    /// Width of the column of files that a person chose; 0: none did, and it fits by itself.
    [[nodiscard]] int fileWidth() const { return m_fileWidth; }
    void setFileWidth(int width);
    void choose(bool all); ///< every file that is listed and has a box, or none
    /// Lists those that have all these words in name, path, reason or heading; what is chosen stays so.
    void setFilter(const QString &text);
    [[nodiscard]] const QList<ChangeSet> &changes() const; ///< with the choices that were made
    [[nodiscard]] ChangeModel *model() const { return m_model; }
    [[nodiscard]] const ChangedFile *current() const; ///< null: a group, or none

Q_SIGNALS:
    void chosenChanged();
    void currentChanged();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void makeTree();
    [[nodiscard]] QWidget *makeText();
    void showSummary();
    void showErrors();
    void showCurrent();
    void applyFilter();
    void fitColumns();
    void openText(bool open);
    void compare(const QByteArray &before, const QByteArray &after);

    Parts m_parts;
    ChangeModel *m_model;
    Label *m_summary;
    Label *m_errors;
    QCheckBox *m_force;
    ElidedLabel *m_notes;
    QTreeView *m_tree;
    QStackedWidget *m_body; ///< list and text, or why there is none
    Label *m_nothing;
    Label *m_reason;
    QCheckBox *m_whole;
    QStackedWidget *m_texts;
    CodeView *m_code;
    DiffView *m_diff;
    QWidget *m_below = nullptr; ///< text of the file that was opened; null where it is beside the list
    QStringList m_words;        ///< of the filter
    int m_fileWidth = 0;
    bool m_fitting = false;   ///< the program changes the width, not a person
    quint64 m_comparison = 0; ///< the last that was asked for
};

Q_DECLARE_OPERATORS_FOR_FLAGS(ChangeView::Parts)

} // namespace tmx
