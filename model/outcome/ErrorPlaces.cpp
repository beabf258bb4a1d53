// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/outcome/ErrorPlaces.h"

#include "model/log/AnsiText.h"
#include "model/log/PackedLog.h"
#include "model/outcome/OutcomeReader.h"

#include <QIODevice>

namespace tmx {

namespace {

constexpr qsizetype mostPlaces = 500;
constexpr qint64 mostBytes = 256 * 1024 * 1024;
constexpr qint64 mostOfLine = 4096;

} // namespace

QList<double> errorPlaces(const QString &log)
{
    const std::unique_ptr<QIODevice> file = openLog(log);
    QList<double> places;
    qint64 lines = 0, read = 0;
    bool begins = true; // and does not continue a long line
    while (file && read < mostBytes) {
        const QByteArray line = file->readLine(mostOfLine);
        if (line.isEmpty())
            break;
        read += line.size();
        AnsiParser parser;
        if (begins && places.size() < mostPlaces && saysError(parser.parse(QString::fromUtf8(line)).text.trimmed()))
            places.append(double(lines));
        begins = line.endsWith('\n');
        lines += begins;
    }
    for (double &place : places)
        place /= double(std::max<qint64>(lines, 1));
    return places;
}

} // namespace tmx
