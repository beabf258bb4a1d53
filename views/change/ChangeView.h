// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/ChangeSet.h"

#include <QWidget>

class QCheckBox;
class QSplitter;
class QStackedWidget;
class QTreeView;

namespace tmx {

class ChangeModel;
class CodeView;
class DiffView;
class FormArea;
class Label;

/// A preview of changes: a summary, the files in groups with a check box each, the reason for each change, and the text
/// or difference of the current file, which a worker computes. It also shows the errors that the audit finds in the
/// chosen files, with a box to continue despite them. The window previews every change in one of these.
class ChangeView : public QWidget
{
    Q_OBJECT
public:
    enum Part {
        Summary = 1, ///< a sentence on top, and the warnings
        Text = 2,    ///< shows the text beside the list; a list with one file is hidden. Without it the list shows the
                     ///< reasons, and the text of the current file is below
    };
    Q_DECLARE_FLAGS(Parts, Part)
    explicit ChangeView(Parts parts = Parts(Summary | Text));

    /// If the changes are of the same branches, the chosen, expanded and current items stay.
    void setChanges(const QList<ChangeSet> &changes);
    /// Shows only a sentence.
    void clear(const QString &sentence);
    /// Width of the files column that the user chose; 0 if it still fits itself.
    [[nodiscard]] int fileWidth() const { return m_fileWidth; }
    void setFileWidth(int width);
    void choose(bool all); ///< every listed file that has a box, or none
    /// Lists the files whose name, path, reason or heading has all these words. Choices are kept.
    void setFilter(const QString &text);
    [[nodiscard]] const QList<ChangeSet> &changes() const; ///< with the user's choices
    [[nodiscard]] ChangeModel *model() const { return m_model; }
    [[nodiscard]] const ChangedFile *current() const; ///< null for a group, or if there is none

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
    [[nodiscard]] QModelIndex firstChange() const;
    void openText(bool open);
    void compare(const QByteArray &before, const QByteArray &after);

    Parts m_parts;
    ChangeModel *m_model;
    Label *m_summary;
    Label *m_errors;
    QCheckBox *m_force;
    Label *m_notes;
    FormArea *m_notesArea;
    QTreeView *m_tree;
    QStackedWidget *m_body; ///< list and text, or the sentence that says why there is none
    Label *m_nothing;
    Label *m_reason;
    QCheckBox *m_whole;
    QStackedWidget *m_texts;
    CodeView *m_code;
    DiffView *m_diff;
    QWidget *m_below = nullptr; ///< text of the opened file; null if the text is beside the list
    QStringList m_words;        ///< words of the filter
    int m_fileWidth = 0;
    bool m_quiet = false;     ///< the current step is not the user's choice
    bool m_fitting = false;   ///< the program is changing the width, not the user
    quint64 m_comparison = 0; ///< identifies the latest requested comparison
};

Q_DECLARE_OPERATORS_FOR_FLAGS(ChangeView::Parts)

} // namespace tmx
