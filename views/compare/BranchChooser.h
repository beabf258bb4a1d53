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

/// The branches that can be compared, with a check mark each; a filter above them, a field for any other commit below,
/// and while they are being read a bar and a way to stop it. Remote-tracking branches that equal a local one show only
/// when the filter names them.
class BranchChooser : public QWidget
{
    Q_OBJECT
public:
    explicit BranchChooser(QWidget *parent = nullptr);

    /// What is there; what was checked stays checked, and what went away is gone.
    void setSources(const QList<BranchSource> &sources, const QHash<QString, int> &counts);
    /// Labels, in the order in which they were checked.
    [[nodiscard]] const QStringList &checked() const { return m_checked; }
    void setChecked(const QStringList &labels); ///< those that are there, in this order

    void setReading(bool reading);
    void setProgress(int done, int total);
    void setStopped(bool stopped); ///< not all was read; offers to read the rest

Q_SIGNALS:
    void checkedChanged(const QStringList &labels);
    void commitEntered(const QString &revision); ///< to be compared as well
    void stopRequested();
    void readRequested();

protected:
    void changeEvent(QEvent *event) override;

private:
    void filter(const QString &text);
    void colourBoxes();

    QLineEdit *m_filter;
    QListWidget *m_list;
    QLineEdit *m_commit;
    QLabel *m_equal; ///< how many remote-tracking branches are hidden
    QLabel *m_state;
    QProgressBar *m_progress;
    QToolButton *m_stop;
    QStringList m_checked;
    bool m_reading = false;
};

} // namespace tmx
