// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/GitFixture.h"
#include "tests/support/FileText.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QProcessEnvironment>

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx::test {
namespace {

void must(bool done, const char *what, const QByteArray &more = {})
{
    if (!done)
        qFatal("%s %s", what, more.constData());
}

const QTemporaryDir &privateHome()
{
    static const QTemporaryDir home;
    static const bool prepared = [] {
        must(home.isValid(), "cannot make a folder");
        // Some of these are set if the tests run from a hook or a prompt.
        for (const QString &name : QProcessEnvironment::systemEnvironment().keys()) {
            if (name.startsWith("GIT_"_L1) || name == "EMAIL"_L1)
                qunsetenv(name.toLocal8Bit().constData());
        }
        qputenv("HOME", home.path().toUtf8());
        qputenv("XDG_CONFIG_HOME", home.filePath(u".config"_s).toUtf8());
        qputenv("GIT_CONFIG_NOSYSTEM", "1");
        qputenv("LC_ALL", "C.UTF-8");
        return true;
    }();
    Q_UNUSED(prepared)
    return home;
}

} // namespace

GitFixture::GitFixture(const QString &branch, const QString &format)
{
    home();
    setGlobalConfig(defaultGlobalConfig());
    must(m_folder.isValid(), "cannot make a folder");
    m_root = QFileInfo(m_folder.path()).canonicalFilePath() + u"/repository"_s;
    must(QDir().mkpath(m_root), "cannot make a folder");
    git({u"init"_s, u"--quiet"_s, u"--initial-branch="_s + branch, u"--ref-format="_s + format});
}

int GitFixture::tryGit(const QStringList &arguments, QByteArray *output, const QByteArray &input) const
{
    QProcess process;
    process.setWorkingDirectory(m_root);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(u"git"_s, arguments);
    process.write(input);
    process.closeWriteChannel();
    must(process.waitForFinished(60000), "git did not end:", arguments.join(u' ').toUtf8());
    if (output)
        *output = process.readAll();
    return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
}

QByteArray GitFixture::git(const QStringList &arguments, const QByteArray &input) const
{
    QByteArray output;
    const int code = tryGit(arguments, &output, input);
    must(code == 0, "git failed:", arguments.join(u' ').toUtf8() + '\n' + output);
    if (output.endsWith('\n'))
        output.chop(1);
    return output;
}

void GitFixture::write(const QString &relative, const QByteArray &text) const
{
    putFile(path(relative), text);
}

QByteArray GitFixture::read(const QString &relative) const
{
    QFile file(path(relative));
    must(file.open(QIODevice::ReadOnly), "cannot read", relative.toUtf8());
    return file.readAll();
}

QString GitFixture::commitFile(const QString &relative, const QByteArray &text, const QString &message) const
{
    write(relative, text);
    git({u"add"_s, u"--force"_s, u"--"_s, relative});
    git({u"commit"_s, u"--quiet"_s, u"-m"_s, message});
    return head();
}

QString GitFixture::head() const
{
    QByteArray output;
    return tryGit({u"rev-parse"_s, u"--verify"_s, u"--quiet"_s, u"HEAD"_s}, &output) == 0
               ? QString::fromLatin1(output.trimmed())
               : QString();
}

QByteArray GitFixture::fsck() const
{
    QByteArray output;
    const int code = tryGit({u"fsck"_s, u"--strict"_s, u"--no-dangling"_s, u"--no-progress"_s}, &output);
    // For a repository without a commit it prints a note.
    QByteArrayList lines = output.split('\n');
    lines.removeIf([](const QByteArray &line) { return line.startsWith("notice: "); });
    output = lines.join('\n');
    return code == 0 ? output.trimmed() : "exit code " + QByteArray::number(code) + '\n' + output;
}

QByteArray GitFixture::status() const
{
    return git({u"status"_s, u"--porcelain"_s, u"--untracked-files=all"_s});
}

QString GitFixture::home()
{
    return privateHome().path();
}

void GitFixture::setGlobalConfig(const QByteArray &text)
{
    putFile(home() + u"/.gitconfig"_s, text);
}

QByteArray GitFixture::defaultGlobalConfig()
{
    return "[user]\n\tname = Ada Tester\n\temail = ada@example.org\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n";
}

ObeyPermissions::ObeyPermissions()
{
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2] = {};
    must(::syscall(SYS_capget, &header, data) == 0, "capget");
    m_effective[0] = data[0].effective;
    m_effective[1] = data[1].effective;
    data[0].effective &= ~((1U << CAP_DAC_OVERRIDE) | (1U << CAP_DAC_READ_SEARCH) | (1U << CAP_FOWNER));
    must(::syscall(SYS_capset, &header, data) == 0, "capset");
}

ObeyPermissions::~ObeyPermissions()
{
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2] = {};
    must(::syscall(SYS_capget, &header, data) == 0, "capget");
    data[0].effective = m_effective[0];
    data[1].effective = m_effective[1];
    must(::syscall(SYS_capset, &header, data) == 0, "capset");
}

} // namespace tmx::test
