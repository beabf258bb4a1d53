// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QTabBar;

namespace tmx {

class MatrixModel;

/// Chooses the slice that the grid shows: family, Python, CUDA. If there is a choice, each is a row of tabs where that
/// fits, else a selector; else a quiet word. Each also offers "all", which gives an overview.
class SliceBar : public QWidget
{
    Q_OBJECT
public:
    explicit SliceBar(QWidget *parent = nullptr);

    void setModel(MatrixModel *model);
    /// With selectors: tabs take only room that is left.
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void chosen(); ///< by the user

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
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
        QLabel *label = nullptr;
        QList<Entry> choices = {};
    };
    Part addPart(const QString &name, const QString &tip);
    static void fill(Part &part, const QList<Entry> &choices, const QString &current);
    [[nodiscard]] QSize withSelectors(bool least) const;
    void refresh();
    void arrange();
    void choose();

    MatrixModel *m_model = nullptr;
    Part m_family;
    Part m_python;
    Part m_cuda;
};

} // namespace tmx
