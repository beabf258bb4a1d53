// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

#include <functional>
#include <optional>

namespace tmx {

/// The stage for jobs that are added to a .gitlab-ci.yml. GitLab refuses the whole file if one job's stage is not in
/// its list `stages`, which replaces the default (build, test, deploy), and which a file that it includes may contain
/// instead. Empty: the default for a job without a stage, test, is in the list. ".post", which is in every list, where
/// the list cannot be read.
/// `read`: the text of a file of the repository, by its path relative to the root; nullopt: there is none.
QString gitlabStage(const QByteArray &file, const std::function<std::optional<QByteArray>(const QString &)> &read);

} // namespace tmx
