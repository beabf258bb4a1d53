// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/NewRepository.h"

#include <QDialog>

class QCheckBox;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace tmx {

class Banner;
class CellMapView;
struct CellMap;
class Label;

/// Options of a new repository. The dialog itself creates nothing.
class NewRepositoryDialog : public QDialog
{
    Q_OBJECT
public:
    /// What `defaults` has is ticked.
    NewRepositoryDialog(const Catalog &catalog, const Settings &defaults, const QString &folder,
                        QWidget *parent = nullptr);

    [[nodiscard]] NewRepository wanted() const;
    void setPreview(const CellMap &map, int recipes); ///< what it will have
    void setBusy(bool busy);
    void setProblem(const QString &sentence);
    void reject() override; ///< does nothing while the repository is being created

Q_SIGNALS:
    void edited(); ///< another preview is wanted
    void makeRequested();

private:
    void updateButtons();
    QLineEdit *m_folder;
    QPushButton *m_browse;
    QList<QCheckBox *> m_toolkits;
    QList<QCheckBox *> m_pythons;
    QLineEdit *m_pytorch;
    Label *m_count;
    CellMapView *m_map;
    Banner *m_problem;
    QProgressBar *m_progress;
    QPushButton *m_make;
    bool m_busy = false;
};

} // namespace tmx
