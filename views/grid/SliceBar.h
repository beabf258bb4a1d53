// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;

namespace tmx {

class MatrixModel;

/// Chooses the slice that the grid shows: family, Python, CUDA. Each is a selector if there is a choice, else a quiet
/// word. Each selector also offers "all", which gives an overview.
class SliceBar : public QWidget
{
    Q_OBJECT
public:
    explicit SliceBar(QWidget *parent = nullptr);

    void setModel(MatrixModel *model);

Q_SIGNALS:
    void chosen(); ///< by the user

private:
    struct Part {
        QComboBox *box = nullptr;
        QLabel *label = nullptr;
    };
    Part addPart(const QString &name, const QString &tip);
    struct Entry {
        QString id;
        QString title;
        QString shortTitle; ///< where there is little room; may be empty
        bool operator==(const Entry &) const = default;
    };
    static void fill(const Part &part, const QList<Entry> &choices, const QString &current);
    void refresh();
    void choose();

    MatrixModel *m_model = nullptr;
    Part m_family;
    Part m_python;
    Part m_cuda;
};

} // namespace tmx
