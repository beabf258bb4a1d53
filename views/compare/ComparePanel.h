// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/CountedFacts.h"
#include "model/matrix/ComparisonModel.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;
class QPushButton;
class QSplitter;
class QToolButton;

namespace tmx {

class BranchChooser;
class ComparisonDelegate;
class ElidedLabel;
class FactChips;
class FactTable;
class Legend;
class MatrixView;
class NoticeBar;
class SideBySide;
class SidesTable;

/// A comparison of branches: the chooser, the grid with its legend, totals and filters, and for the current cell its
/// facts and recipes side by side. Shows and emits signals; compares nothing itself. F8 and Shift+F8 move between
/// differing cells.
class ComparePanel : public QWidget
{
    Q_OBJECT
public:
    enum class Format { Markdown, Json };

    explicit ComparePanel(std::shared_ptr<const Catalog> catalog, QWidget *parent = nullptr);

    [[nodiscard]] BranchChooser *chooser() const { return m_chooser; }
    [[nodiscard]] ComparisonModel *model() const { return m_model; }
    /// Null if fewer than two branches are chosen. The current cell stays if it still exists, else the first differing
    /// cell is selected. The choice of facts that count stays.
    void setComparison(std::shared_ptr<const CountedFacts> facts);
    void setReading(bool reading);     ///< branches are being read
    void setComparing(bool comparing); ///< a comparison is being made
    void showNotice(const QString &sentence, bool failed);
    void nextDifference();
    void previousDifference();

Q_SIGNALS:
    void menuRequested(const QString &name, const QPoint &globalPosition); ///< for a variant
    /// The user wants the shown comparison in a file, or on the clipboard.
    void exportRequested(tmx::ComparePanel::Format format, bool toClipboard);

protected:
    void keyPressEvent(QKeyEvent *event) override; ///< Esc closes the window
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *makeTools();
    QWidget *makeDetail();
    void recount();
    void fillFilters();
    void applyFilter();
    void fillSlices();
    void showCell();
    void showRecipes(bool show);
    void fitFacts();
    void goTo(const QModelIndex &index);
    [[nodiscard]] QModelIndex
    worthALook() const; ///< the current cell, else a differing one, else one that a side lacks
    void updateSummary();

    std::shared_ptr<const Catalog> m_catalog;
    std::shared_ptr<const CountedFacts> m_counted;
    CountedFacts::Choices m_choices;
    ComparisonModel *m_model;
    BranchChooser *m_chooser;
    bool m_comparing = false;
    NoticeBar *m_notice;
    ElidedLabel *m_summary; ///< one line: how many cells they share, and what differs
    SidesTable *m_table;    ///< what each builds, lacks and alone has
    ElidedLabel *m_common;  ///< what is the same in all
    QLabel *m_sides;        ///< the same in lines, where the table has no room
    QToolButton *m_differences;
    QToolButton *m_missing;
    QComboBox *m_slice;
    QComboBox *m_row;
    QComboBox *m_isa;
    QPushButton *m_export;
    FactChips *m_chips;
    Legend *m_legend;
    MatrixView *m_grid;
    ComparisonDelegate *m_delegate;
    QWidget *m_detail = nullptr;
    QLabel *m_title;
    ElidedLabel *m_cellWords;
    QToolButton *m_previous;
    QToolButton *m_next;
    QToolButton *m_allFacts;
    QToolButton *m_showRecipes;
    QSplitter *m_halves = nullptr;
    std::optional<bool> m_recipesChosen; ///< by the user; else the window's height decides
    FactTable *m_facts;
    SideBySide *m_recipes;
    Variant m_current; ///< the variant of the shown cell
};

} // namespace tmx
