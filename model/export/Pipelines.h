// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/export/CiPipeline.h"

namespace tmx {

/// Shared by the texts of both hosts; ciPipeline() is the entry point.

/// Systems in the order of the text.
QStringList ciSystems();

/// A runner of the user.
struct OwnRunner {
    QString label;      ///< empty if there is none
    bool alone = false; ///< no other labels are needed
};
OwnRunner ownRunner(const CiOptions &options, const QString &system);

/// Jobs of one system that fit in one matrix.
struct CiChunk {
    QString system;
    int number = 1; ///< number among its system's chunks, from 1
    QList<CiJob> jobs;
};
QList<CiChunk> chunksOf(const CiMatrix &matrix, CiHost host);

/// Comments at the top: how the text was generated, and `advice`, further comment lines.
QByteArray pipelineHead(const CiMatrix &matrix, const CiOptions &options, const QByteArray &advice);

Result<QByteArray> githubWorkflow(const CiMatrix &matrix, const CiOptions &options);
Result<QByteArray> gitlabPipeline(const CiMatrix &matrix, const CiOptions &options);

} // namespace tmx
