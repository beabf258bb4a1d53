// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchSource.h"

#include <QStringList>
#include <QWidget>

class QLabel;
class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QProgressBar;
class QToolButton;

namespace tmx {

class ElidedLabel;

/// The branches that can be compared, each with a check mark, those of other repositories last. A filter is above them,
/// a field for any other commit below. While branches are read, it shows a progress bar and a Stop button. A
/// remote-tracking branch that equals a local one is hidden unless the filter names it.
class BranchChooser : public QWidget
{
    Q_OBJECT
public:
    explicit BranchChooser(QWidget *parent = nullptr);

    /// Checked branches stay checked; branches that no longer exist are removed.
    void setSources(const QList<BranchSource> &sources, const QHash<QString, int> &counts);
    void setRepository(const QString &name);
    /// Branches of other repositories, as sideNamed() reads them. Checking one that is not among the sources asks for
    /// it.
    void setOthers(const QStringList &others);
    /// Labels, in the order in which they were checked.
    [[nodiscard]] const QStringList &checked() const { return m_checked; }
    /// "main of build-pytorch", for a source of that repository beside those of others.
    [[nodiscard]] static QString titleOf(const BranchSource &source, const QString &repository);
    void setChecked(const QStringList &labels); ///< checks those that exist, in this order

    void setReading(bool reading);
    [[nodiscard]] bool isReading() const { return m_reading; }
    void setProgress(int done, int total);
    void setStopped(bool stopped); ///< reading stopped early; offers to read the rest

Q_SIGNALS:
    void checkedChanged(const QStringList &labels);
    void commitEntered(const QString &revision); ///< a revision to compare as well
    void stopRequested();
    void readRequested();

protected:
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void filter(const QString &text);
    void addOthers();
    void number();
    void colourBoxes();
    void wire();

    ElidedLabel *m_title;
    QLineEdit *m_filter;
    QListWidget *m_list;
    QLineEdit *m_commit;
    QLabel *m_equal; ///< how many remote-tracking branches are hidden
    QLabel *m_state;
    QProgressBar *m_progress;
    QToolButton *m_stop;
    Qt::CheckState m_pressed = Qt::Unchecked; ///< of the item, before the click
    QStringList m_checked;
    QStringList m_others;
    bool m_reading = false;
};

} // namespace tmx
