// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/ProcessTable.h"
#include "tests/support/LocalServer.h"

#include <QRandomGenerator>
#include <QSysInfo>
#include <QTemporaryDir>

#include <csignal>
#include <pwd.h>

namespace tmx::test {

/// A real Slurm with two nodes on this host: munged, slurmctld and two slurmd, all in one folder, without cgroups,
/// accounting and root services. Each node claims to have ten processors. A job of the partition "urgent" preempts
/// those of "build", the default one.
class SlurmCluster
{
public:
    SlurmCluster()
    {
        QByteArray key(1024, Qt::Uninitialized);
        for (char &byte : key)
            byte = char(QRandomGenerator::system()->bounded(256));
        putFile(path(QStringLiteral("munge.key")), key);
        QFile::setPermissions(path(QStringLiteral("munge.key")), QFile::ReadOwner | QFile::WriteOwner);
        putFile(path(QStringLiteral("cgroup.conf")), "CgroupPlugin=disabled\n");
        QDir().mkpath(path(QStringLiteral("state")));
        const QString user = QString::fromLocal8Bit(::getpwuid(::getuid())->pw_name);
        const QString host = QSysInfo::machineHostName();
        putFile(
            config(),
            QStringLiteral(
                "ClusterName=test\nSlurmctldHost=%1(127.0.0.1)\nSlurmUser=%2\nSlurmdUser=%2\nAuthType=auth/munge\n"
                "CryptoType=crypto/munge\nAuthInfo=socket=%3/munge.sock\nStateSaveLocation=%3/state\n"
                "SlurmdSpoolDir=%3/spool-%n\nSlurmctldPidFile=%3/slurmctld.pid\nSlurmdPidFile=%3/slurmd-%n.pid\n"
                "SlurmctldPort=%4\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSwitchType=switch/none\n"
                "MpiDefault=none\nReturnToService=2\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
                "JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n"
                "SlurmctldTimeout=10\nSlurmdTimeout=10\nKillWait=2\nSlurmdParameters=config_overrides\n"
                "NodeName=n1 NodeHostname=%1 NodeAddr=127.0.0.1 Port=%5 CPUs=10 RealMemory=200000 State=UNKNOWN\n"
                "NodeName=n2 NodeHostname=%1 NodeAddr=127.0.0.1 Port=%6 CPUs=10 RealMemory=200000 State=UNKNOWN\n"
                "PreemptType=preempt/partition_prio\nPreemptMode=CANCEL\n"
                "PartitionName=build Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP\n"
                "PartitionName=urgent Nodes=n[1-2] MaxTime=INFINITE State=UP PriorityTier=10 PreemptMode=OFF\n")
                .arg(host, user, m_folder.path())
                .arg(freePort())
                .arg(freePort())
                .arg(freePort())
                .toUtf8());
        m_environment.insert(QStringLiteral("SLURM_CONF"), config());
        m_munge = server(QStringLiteral("munged"), {QStringLiteral("--foreground"), QStringLiteral("--force"),
                                                    QStringLiteral("--key-file=") + path(QStringLiteral("munge.key")),
                                                    QStringLiteral("--socket=") + path(QStringLiteral("munge.sock")),
                                                    QStringLiteral("--pid-file=") + path(QStringLiteral("munged.pid")),
                                                    QStringLiteral("--log-file=") + path(QStringLiteral("munged.log")),
                                                    QStringLiteral("--seed-file=") + path(QStringLiteral("seed"))});
        startController();
        m_nodes[0] = startNode(0);
        m_nodes[1] = startNode(1);
        waitUntilIdle();
    }
    ~SlurmCluster()
    {
        // All remaining processes have its folder in their command lines.
        for (auto *one : {&m_nodes[0], &m_nodes[1], &m_controller, &m_munge})
            one->reset();
        const QList<ProcessEntry> left = processesWith("SLURM_CONF=" + QFile::encodeName(config()), processTable());
        for (const ProcessEntry &process : left)
            ::kill(pid_t(process.pid), SIGKILL);
    }
    Q_DISABLE_COPY_MOVE(SlurmCluster)

    [[nodiscard]] QString config() const { return path(QStringLiteral("slurm.conf")); }
    /// Waits until both nodes answer, and nothing runs or ends on them.
    void waitUntilIdle() const
    {
        QTRY_COMPARE_WITH_TIMEOUT(
            ask(QStringLiteral("sinfo"), {QStringLiteral("-h"), QStringLiteral("-o"), QStringLiteral("%T %D")}),
            "idle 2\n", 120'000);
    }
    /// Output of one of Slurm's programs.
    QByteArray ask(const QString &program, const QStringList &arguments) const
    {
        QProcess process;
        process.setProcessEnvironment(m_environment);
        process.start(program, arguments);
        process.waitForFinished();
        return process.readAllStandardOutput();
    }
    void startController() { m_controller = server(QStringLiteral("slurmctld"), {QStringLiteral("-D")}); }
    void killController() { m_controller.reset(); }
    /// Kills a node's slurmd and starts it again; its jobs continue.
    void restartNode(int node)
    {
        m_nodes[node].reset();
        m_nodes[node] = startNode(node);
    }

private:
    [[nodiscard]] QString path(const QString &name) const { return m_folder.filePath(name); }
    [[nodiscard]] std::unique_ptr<LocalServer> server(const QString &program, const QStringList &arguments) const
    {
        return std::make_unique<LocalServer>(program, arguments, path(program + QStringLiteral(".log")), m_environment);
    }
    [[nodiscard]] std::unique_ptr<LocalServer> startNode(int node) const
    {
        return server(QStringLiteral("slurmd"),
                      {QStringLiteral("-D"), QStringLiteral("-N"), QStringLiteral("n%1").arg(node + 1)});
    }

    QTemporaryDir m_folder;
    QProcessEnvironment m_environment = QProcessEnvironment::systemEnvironment();
    std::unique_ptr<LocalServer> m_munge;
    std::unique_ptr<LocalServer> m_controller;
    std::unique_ptr<LocalServer> m_nodes[2];
};

} // namespace tmx::test
