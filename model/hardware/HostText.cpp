// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/HostText.h"

#include "model/base/Tr.h"
#include "model/base/WindowThread.h"
#include "model/hardware/HostFiles.h"
#include "model/hardware/HostReportJson.h"
#include "model/hardware/NvidiaSmi.h"
#include "model/hardware/PastedHost.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <optional>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

constexpr QByteArrayView beginning = "#torch-matrix capture 1";
constexpr QByteArrayView fileMark = "#torch-matrix file ";
constexpr QByteArrayView commandMark = "#torch-matrix nvidia-smi ";
constexpr QByteArrayView endMark = "#torch-matrix end";

/// Only files that readHostFiles reads are taken from a capture, because its paths come from another machine.
bool isKnownFile(const QByteArray &path)
{
    static const QRegularExpression pattern(
        u"^(proc/(cpuinfo|meminfo|sys/kernel/hostname|driver/nvidia/version|device-tree/(compatible|model))|etc/"
        u"(os-release|nix/machines|nix/nix\\.conf)"
        "|sys/bus/pci/devices/[0-9a-f:.]{7,16}/(vendor|device|class))$"_s);
    return pattern.match(QString::fromUtf8(path)).hasMatch() && !path.contains("..");
}

void put(const QDir &root, const QByteArray &path, const QByteArray &content)
{
    const QString target = root.filePath(QString::fromUtf8(path));
    QFile file(target);
    if (QDir().mkpath(QFileInfo(target).path()) && file.open(QIODevice::WriteOnly))
        file.write(content);
}

/// A capture's sections. Files are written below `root`, so that another machine is read by the same functions as this
/// one.
struct Capture {
    QDir root;
    std::optional<NvidiaSmiAnswer> smi = {};
    NixAnswer nix = {};
    qint64 disk = 0;
    bool whole = false;

    void take(const QByteArray &section, const QByteArray &content);
};

void Capture::take(const QByteArray &section, const QByteArray &content)
{
    if (section.startsWith(fileMark)) {
        const QByteArray path = section.sliced(fileMark.size());
        if (isKnownFile(path))
            put(root, path, content);
        if (path == "etc/nix/machines")
            nix.machineFiles.insert(u"/etc/nix/machines"_s, QString::fromUtf8(content));
    } else if (section.startsWith(commandMark)) {
        const bool withCapability = section.endsWith(" compute_cap");
        const qsizetype last = content.trimmed().lastIndexOf('\n');
        const QByteArray exit = content.trimmed().sliced(last + 1);
        const NvidiaSmiAnswer answer = readNvidiaSmi(content.first(std::max<qsizetype>(0, last)),
                                                     exit.split(' ').value(1).toInt(), withCapability);
        if (!smi || smi->gpus.isEmpty())
            smi = answer;
    } else if (section == "#torch-matrix pci") {
        QDir().mkpath(root.filePath(u"sys/bus/pci/devices"_s));
    } else if (section == "#torch-matrix disk") {
        disk = content.trimmed().toLongLong() * 1024;
    } else if (section == "#torch-matrix nix") {
        nix.settings = QString::fromUtf8(content);
        nix.command = u"nix config show"_s;
    }
}

Result<HostReport> readCapture(const QByteArray &text, const QString &name)
{
    const QTemporaryDir folder;
    if (!folder.isValid())
        return Error{Tr::tr("read the capture of"), name, folder.errorString(), {}};
    Capture capture{QDir(folder.path())};
    QByteArray section;
    QByteArray content;
    for (const QByteArray &line : text.split('\n')) {
        if (line.startsWith("#torch-matrix ")) {
            capture.take(section, std::exchange(content, {}));
            section = line.trimmed();
            capture.whole |= section == endMark;
        } else {
            content += line + '\n';
        }
    }
    for (const QString &place : {u"/usr/share/misc/pci.ids"_s, u"/usr/share/hwdata/pci.ids"_s}) {
        // This machine's pci.ids is used for the other machine's devices.
        if (QFile::exists(place) && QDir().mkpath(capture.root.filePath(u"usr/share/misc"_s)))
            QFile::link(place, capture.root.filePath(u"usr/share/misc/pci.ids"_s));
    }
    HostReport report = combine(
        readHostFiles(folder.path()),
        capture.smi.value_or(NvidiaSmiAnswer{.problem = Tr::tr("nvidia-smi is not installed there.")}), capture.nix);
    // Free disk space here says nothing about the other machine.
    report.freeDiskBytes = capture.disk;
    report.sources.remove(u"disk"_s);
    if (capture.disk > 0)
        report.sources.insert(u"disk"_s, u"df"_s);
    if (report.name.isEmpty())
        report.name = name;
    if (!capture.whole)
        report.remarks.prepend(Tr::tr("The capture ends early; what follows may be missing."));
    return report;
}

/// lscpu --json as the lines that lscpu prints.
QByteArray linesOfLscpu(const QJsonArray &fields, int depth = 0)
{
    QByteArray lines;
    for (const QJsonValue &field : fields) {
        lines += QString(u"%1 %2\n"_s).arg(field["field"_L1].toString(), field["data"_L1].toString()).toUtf8();
        if (depth < 8)
            lines += linesOfLscpu(field["children"_L1].toArray(), depth + 1);
    }
    return lines;
}

} // namespace

Result<HostReport> readHostText(const QByteArray &text, const QString &name)
{
    belongsToAWorker("reading a machine's report");
    const QByteArray trimmed = text.trimmed();
    if (trimmed.startsWith('{')) {
        QJsonParseError problem;
        const QJsonDocument document = QJsonDocument::fromJson(trimmed, &problem);
        if (document.isNull())
            return Error{Tr::tr("read the machine"), name, problem.errorString(), {}};
        if (const QJsonArray fields = document.object().value("lscpu"_L1).toArray(); !fields.isEmpty())
            return readPastedHost(linesOfLscpu(fields), name);
        return hostReportFromJson(document.object());
    }
    // A login shell may print a greeting before the script's output.
    if (const qsizetype start = text.indexOf(beginning); start >= 0)
        return readCapture(text.sliced(start), name);
    return readPastedHost(text, name);
}

Result<HostReport> readHostFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{Tr::tr("read the machine from"), path, file.errorString().toLower(), {}};
    return readHostText(file.read(largestHostText), QFileInfo(path).completeBaseName());
}

QByteArray captureScript()
{
    QFile script(u":/torch-matrix/hardware/capture.sh"_s);
    const bool opened = script.open(QIODevice::ReadOnly);
    Q_ASSERT(opened);
    return opened ? script.readAll() : QByteArray();
}

QStringList sshArguments(const QString &host)
{
    return u"-T -o BatchMode=yes -o ConnectTimeout=10 --"_s.split(u' ') +
           QStringList{host, QString::fromUtf8(captureScript())};
}

} // namespace tmx
