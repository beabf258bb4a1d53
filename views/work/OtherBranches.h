// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/BranchPlace.h"

#include <QWidget>

class QCheckBox;
class QListWidget;

namespace tmx {

/// Chooses other branches, of any repository, that get the same change: a box, and below it a list while it is ticked.
class OtherBranches : public QWidget
{
    Q_OBJECT
public:
    explicit OtherBranches(QWidget *parent = nullptr);

    void setPlaces(const QList<BranchPlace> &places); ///< hidden without any
    [[nodiscard]] QList<BranchPlace> chosen() const;

Q_SIGNALS:
    void edited();

private:
    QList<BranchPlace> m_places;
    QCheckBox *m_box;
    QListWidget *m_list;
};

} // namespace tmx
