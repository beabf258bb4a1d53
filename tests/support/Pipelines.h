// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/export/CiPipeline.h"
#include "tests/support/Ran.h"

#include <QJsonArray>
#include <QTemporaryDir>

namespace tmx::test {

/// A pipeline as parsed by a YAML reader. Error: what violates the host's published schema.
inline Result<QJsonObject> readPipeline(CiHost host, const QByteArray &text)
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("pipeline.yml")));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.flush())
        return Error{QStringLiteral("write"), file.fileName(), file.errorString(), {}};
    const QString schemas = QStringLiteral(TM_SOURCE_DIR "/tests/schemas/");
    const Ran read = ran(
        QStringLiteral("python3"),
        {schemas + QStringLiteral("validate.py"),
         schemas + (host == CiHost::GitHub ? QStringLiteral("github-workflow.json") : QStringLiteral("gitlab-ci.json")),
         file.fileName()});
    if (read.exitCode != 0)
        return Error{QStringLiteral("read the pipeline"), {}, QString::fromUtf8(read.err), {}};
    return QJsonDocument::fromJson(read.out).object();
}

/// A matrix as the host would run it, if all recipes are built.
struct ReadMatrix {
    QString name; ///< name of the job that has the matrix
    QJsonObject job;
    QList<CiJob> jobs; ///< of its system, in the order of the text
};
inline QList<ReadMatrix> matricesOf(CiHost host, const QJsonObject &pipeline, const QByteArray &text)
{
    const bool github = host == CiHost::GitHub;
    QMap<QString, QList<CiJob>> recipes; // by system
    for (const QString &line : QString::fromUtf8(text).split(u'\n')) {
        const QString prefix = QStringLiteral("# recipe: ");
        if (!line.startsWith(prefix))
            continue;
        const QStringList words = line.mid(prefix.size()).trimmed().split(u' ');
        recipes[words.value(0)].append({words.value(1), words.value(2), words.value(0)});
    }
    const QJsonObject all = github ? pipeline[u"jobs"].toObject() : pipeline;
    QList<ReadMatrix> matrices;
    for (auto it = all.begin(); it != all.end(); ++it) {
        const QString head = github ? QStringLiteral("build-") : QStringLiteral(".torch-matrix ");
        if (!it.key().startsWith(head))
            continue;
        const QString name = it.key().mid(head.size());
        const QString system = github ? name.section(u'-', 0, 1) : name;
        const qsizetype most = matrixLimit(host);
        ReadMatrix matrix{it.key(), it->toObject(), recipes.value(system)};
        if (github)
            matrix.jobs = matrix.jobs.mid((name.section(u'-', 2).toInt() - 1) * most, most);
        if (!matrix.jobs.isEmpty())
            matrices.append(matrix);
    }
    return matrices;
}

/// Every script of a pipeline, by job and step.
inline QMap<QString, QString> scriptsOf(CiHost host, const QJsonObject &pipeline)
{
    QMap<QString, QString> scripts;
    const QJsonObject all = host == CiHost::GitHub ? pipeline[u"jobs"].toObject() : pipeline;
    for (auto it = all.begin(); it != all.end(); ++it) {
        for (const auto &step : (*it)[u"steps"].toArray()) {
            if (!step[u"run"].isUndefined())
                scripts.insert(it.key() + u'/' + step[u"name"].toString(), step[u"run"].toString());
        }
        for (const auto &script : (*it)[u"script"].toArray())
            scripts.insert(it.key(), script.toString());
    }
    return scripts;
}

} // namespace tmx::test
