// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchReading.h"

#include <QObject>

namespace tmx {

/// Sides of a comparison that a user named beside the repository's branches: any revision, branches of other
/// repositories. Read in workers, and read again when one of those repositories moves. Never blocks.
class NamedSides : public QObject
{
    Q_OBJECT
public:
    explicit NamedSides(std::shared_ptr<const Catalog> catalog, QObject *parent = nullptr);
    ~NamedSides() override; ///< waits for the workers

    void open(const QString &repository); ///< another one drops all sides
    /// `words` are readSideAnywhere's, a folder as seen from the repository. added() or failed() follows.
    void add(const QString &words);
    void refresh(); ///< all of them; one that cannot be read any more is dropped, and failed() tells of it
    void setWatching(bool watching);

    [[nodiscard]] const QList<ReadBranch> &sides() const; ///< in the order in which they were added
    [[nodiscard]] bool isReading() const;

Q_SIGNALS:
    void added(const QString &label);
    void changed(); ///< sides() holds others than before
    void failed(const tmx::Error &error);

private:
    void take(const QString &words, const Result<ReadBranch> &side);
    void watch();

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
