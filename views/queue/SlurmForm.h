// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/job/Job.h"
#include "model/job/SlurmArray.h"

#include <QWidget>

class QLineEdit;
class QPlainTextEdit;
class QSpinBox;

namespace tmx {

/// The options of a Slurm job, and below them the resulting command, to read and to copy.
class SlurmForm : public QWidget
{
    Q_OBJECT
public:
    explicit SlurmForm(const SlurmWish &wish, QWidget *parent = nullptr);

    [[nodiscard]] SlurmWish wish() const;
    /// Shows the arguments that sbatch gets for these jobs.
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
