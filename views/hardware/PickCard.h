// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/VariantPicker.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace tmx {

class Chip;
class CopyButton;

/// The fitting variant in large type with the button that gets it; below it its state, reasons and other steps. Or why
/// none fits.
class PickCard : public QFrame
{
    Q_OBJECT
public:
    explicit PickCard(QWidget *parent = nullptr);

    /// `better`: what fits better than the pick of the branch; comes first, each with the way to it.
    void showPick(const QString &branch, const Pick &pick, const QList<BetterPick> &better = {});
    void showNothing(const QString &branch, const QString &why);
    void showNoLine(); ///< no repository is open: nothing can be picked

Q_SIGNALS:
    void showRequested(const QString &name);
    void generateRequested(const QString &name);
    void buildRequested(const QString &name);
    void branchRequested(const QString &branch, const QString &name); ///< to open another branch at a variant

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    /// `package`: flox's name for it.
    void setName(const QString &name, const QString &package = {});
    void showBetter(const QString &branch, const Pick &pick, const QList<BetterPick> &better);
    void showSentence(const QString &headline, const QString &sentence);

    QWidget *m_better = nullptr;
    QLabel *m_title = nullptr;
    Chip *m_fit = nullptr;
    QLabel *m_name = nullptr;
    QLabel *m_why = nullptr;
    QLabel *m_more = nullptr;
    CopyButton *m_copy = nullptr;
    QPushButton *m_show = nullptr;
    QPushButton *m_generate = nullptr;
    QPushButton *m_build = nullptr;
    CopyButton *m_command = nullptr;
    QString m_variant; ///< empty: none fits
};

/// A word for how it fits the machine: "Exact", "Runs, not tuned", "Runs, CPU only".
QString fitWord(const Pick &pick);

} // namespace tmx
