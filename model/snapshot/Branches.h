// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchReading.h"

#include <QObject>

namespace tmx {

/// All branches of a repository, kept up to date: reads them in workers, watches refs and work tree, and reads again
/// what moved. What was read stays until the next reading is complete. Give it a path and connect; never blocks.
class Branches : public QObject
{
    Q_OBJECT
public:
    explicit Branches(std::shared_ptr<const Catalog> catalog, QObject *parent = nullptr);
    ~Branches() override; ///< stops what is being read, and waits for the workers

    void open(const QString &path); ///< changed() or failed() follows; another path drops what was read
    void refresh();
    /// Ends the reading that is under way; what it has read by then is taken. refresh() reads the rest.
    void stop();
    /// Follows changes of refs and work tree. Off until it is asked for: a window that shows one branch needs no nine.
    void setWatching(bool watching);

    [[nodiscard]] const std::shared_ptr<const Catalog> &catalog() const;
    [[nodiscard]] const BranchesReading &reading() const;
    [[nodiscard]] bool isReading() const;

Q_SIGNALS:
    void changed();                       ///< reading() is another one
    void progressed(int done, int total); ///< of the reading under way
    void readingChanged(bool reading);    ///< began, ended
    void failed(const tmx::Error &error); ///< nothing could be read, or one branch could not

private:
    void start();
    void take(const Result<BranchesReading> &result);
    void watch();

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
