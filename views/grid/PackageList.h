// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchSnapshot.h"

#include <QWidget>

class QTreeWidget;

namespace tmx {

class Label;

/// The packages of a branch without a matrix: their nixpkgs and what they import, with build and history of the
/// selected ones, and what a matrix is.
class PackageList : public QWidget
{
    Q_OBJECT
public:
    explicit PackageList(QWidget *parent = nullptr);
    void setSnapshot(const BranchSnapshot &snapshot);
    [[nodiscard]] QString currentName() const; ///< Flox's name of the package; empty if there is none
    [[nodiscard]] QStringList selectedNames() const;
    bool setCurrentName(const QString &name);

Q_SIGNALS:
    void currentChanged();
    void selectionChanged();
    void activated(const QString &name); ///< Enter or double click
    void buildRequested(const QStringList &names);
    void historyRequested(const QString &name);

private:
    Label *m_about;
    QTreeWidget *m_list;
};

} // namespace tmx
