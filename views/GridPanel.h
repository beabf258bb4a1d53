// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/RecipeState.h"

#include <QModelIndex>
#include <QWidget>

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
struct Variant;

/// The grid of a branch and all that belongs to it: selectors, filters, the table, the counts. Shows and asks; does
/// nothing itself. Names are canonical names of variants. Ctrl+F goes to the filter from anywhere in the window; Esc
/// there clears it and goes back.
class GridPanel : public QWidget
{
    Q_OBJECT
public:
    explicit GridPanel(QWidget *parent = nullptr);

    /// The panel does not own it; it must live as long as the panel.
    void setModel(MatrixModel *model);

    /// Of the cell that has the focus; empty without one, or where no variant can be named. Of a cell with several
    /// variants: the one that was clicked or gone to, else the first that the filter leaves.
    [[nodiscard]] QString currentName() const;
    /// Those selected, in grid order, else the current cell's. What cannot exist is never among them, and of a cell
    /// with several variants none that is filtered out.
    [[nodiscard]] QStringList selectedNames() const;
    /// Goes to a cell: to its slice if another is shown, past the filter if that hides it. False when the branch has no
    /// such variant.
    bool setCurrentName(const QString &name);

    /// The machine that the cells can be coloured by; empty: none, and the switch goes off.
    void setMachine(const QString &name);
    [[nodiscard]] bool coloursByMachine() const;

    void focusFilter();
    void clearFilter();
    void focusGrid();

Q_SIGNALS:
    void currentChanged(const QString &name);
    void selectionChanged();
    void activated(const QString &name); ///< Enter, Space or double click
    /// G, C or the menu, for the selection: those of it in a state that can be generated or committed; all of it when
    /// there is none, so that the answer can say why not.
    void generateRequested(const QStringList &names);
    void commitRequested(const QStringList &names);
    void colourByMachineChanged(bool on);                 ///< whoever hears it hands the model its verdicts, or none
    void buildRequested(const QStringList &names);        ///< B or the menu, for the selection
    void publishRequested(const QStringList &names);      ///< the menu, for those of the selection with a recipe
    void copyRequested(const QStringList &names);         ///< the menu, for the selection: to another branch
    void generateLikeRequested(const QStringList &names); ///< the menu, for those of the selection without a recipe
    void historyRequested(const QString &name);           ///< the menu, as the rest: of the current cell
    void compareRequested();
    void editorRequested(const QString &name);
    void folderRequested(const QString &name);
    void pathCopyRequested(const QString &name);
    void deleteRequested(const QStringList &names);
    void discardRequested(const QStringList &names);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void makeToolRow();
    void connectView();
    void updateSummary();
    void updateEmptyText();
    void tellCurrent();
    void showMenu(const QPoint &globalPosition);
    [[nodiscard]] QModelIndexList selectedCells() const;
    [[nodiscard]] QList<MatrixPart> selectedParts() const;
    [[nodiscard]] QStringList namesIn(std::initializer_list<RecipeState> states) const;
    void open(const QModelIndex &cell);
    bool showSliceOf(const Variant &variant);
    void addGrids(QMenu *menu);
    [[nodiscard]] QStringList namesToGenerate() const;
    [[nodiscard]] QStringList namesToCommit() const;
    [[nodiscard]] QStringList namesWithRecipe() const;
    [[nodiscard]] QStringList selectedPackages() const;
    void copyPackages() const;

    MatrixModel *m_model = nullptr;
    MatrixFilterModel *m_filter;
    MatrixView *m_view;
    SliceBar *m_slices;
    QLineEdit *m_text;
    QToolButton *m_showAll;
    QToolButton *m_byMachine;
    StateFilterBar *m_states;
    ElidedLabel *m_summary;
    QString m_part; ///< name of the variant that was clicked or gone to, in a cell with several
    QString m_told; ///< the name that currentChanged told last
};

} // namespace tmx
