// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Process.h"
#include "model/outcome/OutcomeReader.h"
#include "tests/support/BuildRepository.h"

/// flox as played by the stand-in, with a log like a job's.
class LoggedBuild
{
public:
    explicit LoggedBuild(const BuildRepository &repository)
    {
        m_process.setProcessChannelMode(QProcess::MergedChannels);
        m_process.setStandardOutputFile(log());
        m_process.start(QStringLiteral("flox"),
                        {QStringLiteral("build"), QStringLiteral("-d"), repository.path(), BuildRepository::package()});
    }
    ~LoggedBuild()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    Q_DISABLE_COPY_MOVE(LoggedBuild)

    [[nodiscard]] QString log() const { return m_folder.filePath(QStringLiteral("log")); }
    [[nodiscard]] bool hasEnded() const { return m_process.state() == QProcess::NotRunning; }
    [[nodiscard]] tmx::BuildOutcome outcome() const
    {
        tmx::ProcessOutcome ended;
        ended.started = true;
        ended.exitCode = m_process.exitCode();
        return tmx::outcomeOfLog(log(), BuildRepository::package(), ended);
    }

private:
    QTemporaryDir m_folder;
    QProcess m_process;
};
