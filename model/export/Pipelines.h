// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/export/CiPipeline.h"

namespace tmx {

/// What the texts of the two hosts share; ciPipeline() is the way in.

/// Systems in the order of the text.
QStringList ciSystems();

/// A runner of the user's.
struct OwnRunner {
    QString label;      ///< empty: there is none
    bool alone = false; ///< the label says all
};
OwnRunner ownRunner(const CiOptions &options, const QString &system);

/// Jobs of one system that fit into one matrix.
struct CiChunk {
    QString system;
    int number = 1; ///< of its system, from 1
    QList<CiJob> jobs;
};
QList<CiChunk> chunksOf(const CiMatrix &matrix, CiHost host);

/// Comments at the top: how the text was made, and `advice`, lines of comments.
QByteArray pipelineHead(const CiMatrix &matrix, const CiOptions &options, const QByteArray &advice);

Result<QByteArray> githubWorkflow(const CiMatrix &matrix, const CiOptions &options);
Result<QByteArray> gitlabPipeline(const CiMatrix &matrix, const CiOptions &options);

} // namespace tmx
