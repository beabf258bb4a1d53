// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QComboBox;
class QTabBar;

namespace tmx {

class ElidedLabel;
class MatrixModel;

/// Chooses the slice that the grid shows: family, Python, CUDA. If there is a choice, each is a row of tabs where that
/// fits, else a selector; else a quiet word. Each also offers "all", which gives an overview.
class SliceBar : public QWidget
{
    Q_OBJECT
public:
    explicit SliceBar(QWidget *parent = nullptr);

    void setModel(MatrixModel *model);
    void setRoom(int width); ///< in pixels: tabs are shown where they fit into it
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void chosen(); ///< by the user

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    enum class Width { Shown, Selectors, Least };
    struct Entry {
        QString id;
        QString title;
        QString shortTitle; ///< where there is little room; may be empty
        QString tab = {};   ///< with the counts, in few words
        bool operator==(const Entry &) const = default;
    };
    struct Part {
        QComboBox *box = nullptr;
        QTabBar *tabs = nullptr;
        ElidedLabel *label = nullptr;
        QList<Entry> choices = {};
    };
    Part addPart(const QString &name, const QString &tip);
    static void fill(Part &part, const QList<Entry> &choices, const QString &current);
    static void setLeast(const Part &part);
    [[nodiscard]] QSize sizeWith(Width width) const;
    void refresh();
    void arrange();
    void shareRoom();
    void choose();

    MatrixModel *m_model = nullptr;
    Part m_family;
    Part m_python;
    Part m_cuda;
    int m_room = 0;
};

} // namespace tmx
