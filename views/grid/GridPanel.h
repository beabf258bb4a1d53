// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/matrix/Lens.h"

#include <QModelIndex>
#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLineEdit;
class QMenu;
class QToolButton;

namespace tmx {

class ElidedLabel;
class MatrixFilterModel;
class MatrixModel;
class MatrixView;
class SliceBar;
class StateFilterBar;
struct MatrixPart;
struct MatrixSlice;
struct Variant;

/// The grid of a branch with its selectors, filters, table and counts. Shows and emits signals; changes nothing itself.
/// Names are canonical names of variants. Ctrl+F moves to the filter from anywhere in the window; Esc there clears it
/// and moves back.
class GridPanel : public QWidget
{
    Q_OBJECT
public:
    explicit GridPanel(QWidget *parent = nullptr);

    /// The panel does not own it; it must live as long as the panel.
    void setModel(MatrixModel *model);

    /// Name of the focused cell's variant; empty if there is none, or if the variant cannot be named. In a cell with
    /// several variants: the one that was clicked or navigated to, else the first that passes the filter.
    [[nodiscard]] QString currentName() const;
    /// Names of the selected variants in grid order; without a selection, of the current cell's variants. Leaves out
    /// variants that cannot exist, and in a cell with several variants those that the filter hides.
    [[nodiscard]] QStringList selectedNames() const;
    /// Moves to a cell. Switches to its slice if another one is shown, and clears the filter if it hides the cell.
    /// Returns false if the branch has no such variant.
    bool setCurrentName(const QString &name);

    /// The machine of Lens::Machine; an empty name means none, and that lens cannot be chosen.
    void setMachine(const QString &name);
    /// Instead of the slices that the panel chooses by its width: side by side where two or more fit.
    void showSlice(const MatrixSlice &slice);
    void setLens(Lens lens);
    [[nodiscard]] bool offers(Lens lens) const;

    void focusFilter();
    void clearFilter();
    void showUsers(const QString &path); ///< of all slices, the recipes that import the file
    void setFilter(const QString &text); ///< only this text
    void focusGrid();
    void lend(int height); ///< to what comes below the panel; the cells stay where they are

Q_SIGNALS:
    void currentChanged(const QString &name);
    void selectionChanged();
    void activated(const QString &name); ///< Enter, Space or double click
    /// G, C or the menu, for the selection: the names whose state allows to generate or commit them. If no selected one
    /// does, all selected names, so that the receiver can say why not.
    void generateRequested(const QStringList &names);
    void commitRequested(const QStringList &names);
    void buildRequested(const QStringList &names);      ///< B or the menu, for the selection
    void dependentsRequested(const QStringList &names); ///< menu: build with what is built against them
    void logRequested(const QString &job);              ///< menu, for a current cell whose build failed
    void retryRequested(const QStringList &jobs);
    void lineRequested(int line); ///< of the current recipe
    void errorsCopyRequested(const QString &job);
    void publishRequested(const QStringList &names);      ///< menu, for the selected variants that have a recipe
    void copyRequested(const QStringList &names);         ///< menu, for the selection: copy to another branch
    void generateLikeRequested(const QStringList &names); ///< menu, for the selected variants without a recipe
    void historyRequested(const QString &name);           ///< menu, for the current cell
    void compareRequested();
    void editorRequested(const QString &name);
    void folderRequested(const QString &name);
    void pathCopyRequested(const QString &name);
    void deleteRequested(const QStringList &names);
    void discardRequested(const QStringList &names);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void makeToolRow();
    void connectView();
    void updateSummary();
    void updateEmptyText();
    void keepSelected();
    void tellCurrent();
    void showMenu(const QPoint &globalPosition);
    [[nodiscard]] QModelIndexList selectedCells() const;
    [[nodiscard]] QList<MatrixPart> selectedParts() const;
    [[nodiscard]] QStringList namesIn(std::initializer_list<RecipeState> states) const;
    void open(const QModelIndex &cell);
    bool showSliceOf(const Variant &variant);
    void arrangeSlices();
    void giveRoom();
    void toggleSideBySide(bool on);
    void addGrids(QMenu *menu);
    [[nodiscard]] QStringList namesToGenerate() const;
    [[nodiscard]] QStringList namesToCommit() const;
    [[nodiscard]] QStringList namesWithRecipe() const;
    [[nodiscard]] QStringList selectedPackages() const;
    void copyPackages() const;

    MatrixModel *m_model = nullptr;
    MatrixFilterModel *m_filter;
    MatrixView *m_view;
    QHBoxLayout *m_tools;
    SliceBar *m_slices;
    QLineEdit *m_text;
    QToolButton *m_showAll;
    QToolButton *m_sideBySide;
    QComboBox *m_lens;
    StateFilterBar *m_states;
    ElidedLabel *m_summary;
    QString m_part; ///< in a cell with several variants: the name of the one that was clicked or navigated to
    QString m_told; ///< the last name that currentChanged reported
    QString m_kept; ///< the last current cell that no filter chose
    bool m_filtering = false;
    bool m_arranging = false;
    bool m_widened = false;      ///< shows an overview because it fits
    bool m_choosesSlices = true; ///< until the user chooses
    bool m_wantsSideBySide = true;
};

} // namespace tmx
