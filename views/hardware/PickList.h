// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/VariantPicker.h"

#include <QListView>
#include <QStyledItemDelegate>

class QStandardItemModel;

namespace tmx {

/// Draws an entry as two lines: the name, elided at its start because its end identifies it, and a quiet line below.
class TwoLineDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    TwoLineDelegate(int quietRole, QObject *parent);
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    int m_quietRole;
};

/// A list of variants, as tall as its entries: the surrounding panel scrolls. Enter or a click on one requests to show
/// it.
class PickList : public QListView
{
    Q_OBJECT
public:
    explicit PickList(QWidget *parent = nullptr);

    /// `cuda`: a toolkit whose driver is told elsewhere.
    void setPicks(const QList<Pick> &picks, const QString &cuda = {});
    /// An entry of two lines.
    struct Entry {
        QString name; ///< the variant's name; empty if there is none, and `facts` says why
        QString facts;
        QString tip; ///< plain text
    };
    void setEntries(const QList<Entry> &entries);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

Q_SIGNALS:
    void showRequested(const QString &name);

protected:
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;

private:
    static QString nameAt(const QModelIndex &index);
    void ask(const QModelIndex &index);
    QStandardItemModel *m_model;
};

} // namespace tmx
