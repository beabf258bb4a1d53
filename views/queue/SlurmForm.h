// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/Job.h"
#include "model/build/SlurmArray.h"

#include <QWidget>

class QLineEdit;
class QPlainTextEdit;
class QSpinBox;

namespace tmx {

/// What a cluster is asked for, and below it, to read and to copy, the command that it gets.
class SlurmForm : public QWidget
{
    Q_OBJECT
public:
    explicit SlurmForm(const SlurmWish &wish, QWidget *parent = nullptr);

    [[nodiscard]] SlurmWish wish() const;
    /// Shows what sbatch is given for these jobs.
    void setJobs(const QList<Job> &jobs);

Q_SIGNALS:
    void edited();

private:
    QLineEdit *m_partition;
    QLineEdit *m_constraint;
    QSpinBox *m_minutes;
    QSpinBox *m_atOnce;
    QLineEdit *m_options;
    QPlainTextEdit *m_command;
};

} // namespace tmx
