// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/queue/SlurmForm.h"

#include "views/widgets/Buttons.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QFormLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QSpinBox>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int mostMinutes = 525600; ///< one year
constexpr int mostAtOnce = 100000;
constexpr int rowsOfCommand = 4;

QLineEdit *makeLine(const QString &text, const QString &name, const QString &placeholder, const QString &tip)
{
    auto *line = new QLineEdit(text);
    line->setPlaceholderText(placeholder);
    describe(line, name, tip);
    return line;
}

} // namespace

SlurmForm::SlurmForm(const SlurmWish &wish, QWidget *parent)
    : QWidget(parent)
    , m_partition(makeLine(wish.partition, tr("Partition"), tr("the cluster's default"), {}))
    , m_constraint(makeLine(wish.constraint, tr("Features of the nodes"), tr("none"),
                            tr("Features that a node must have, such as avx512&bigmem.")))
    , m_minutes(makeNumber(0, mostMinutes, tr("Time limit of a build, in minutes"), {}))
    , m_atOnce(makeNumber(0, mostAtOnce, tr("Builds at a time"), {}))
    , m_options(makeLine(wish.options.join(u' '), tr("More options for sbatch"), u"--account=NAME --qos=NAME"_s, {}))
    , m_command(new QPlainTextEdit)
{
    m_minutes->setSpecialValueText(tr("the partition's default"));
    m_minutes->setSuffix(tr(" min"));
    m_minutes->setValue(wish.minutes);
    m_atOnce->setSpecialValueText(tr("no limit"));
    m_atOnce->setValue(wish.atOnce);
    m_command->setReadOnly(true);
    m_command->setTabChangesFocus(true);
    m_command->setAccessibleName(tr("Command that runs sbatch"));
    m_command->setFixedHeight(m_command->fontMetrics().lineSpacing() * rowsOfCommand + 2 * m_command->frameWidth() +
                              10);

    auto *form = new QFormLayout(this);
    form->setContentsMargins({});
    form->addRow(new Label(tr("&Partition"), m_partition), m_partition);
    form->addRow(new Label(tr("&Features"), m_constraint), m_constraint);
    form->addRow(new Label(tr("&Time limit"), m_minutes), m_minutes);
    form->addRow(new Label(tr("At a &time"), m_atOnce), m_atOnce);
    form->addRow(new Label(tr("More &options"), m_options), m_options);
    form->addRow(new Label(tr("Co&mmand"), m_command), m_command);
    for (QLineEdit *line : {m_partition, m_constraint, m_options})
        connect(line, &QLineEdit::textEdited, this, &SlurmForm::edited);
    for (QSpinBox *number : {m_minutes, m_atOnce})
        connect(number, &QSpinBox::valueChanged, this, &SlurmForm::edited);
}

SlurmWish SlurmForm::wish() const
{
    return {m_partition->text().trimmed(), m_constraint->text().trimmed(), m_minutes->value(), m_atOnce->value(),
            QProcess::splitCommand(m_options->text())};
}

void SlurmForm::setJobs(const QList<Job> &jobs)
{
    QStringList lines;
    for (const SlurmSubmission &submission : submissionsOf(jobs))
        lines.append(submission.command);
    m_command->setPlainText(lines.join(u'\n'));
}

} // namespace tmx
