// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QObject>

#include <chrono>
#include <memory>

namespace tmx {

/// Result of checking a text with nix-instantiate.
struct NixParseVerdict {
    bool accepted = false;
    QString sentence; ///< for people: that the text parses, or why not and where, or why the check failed
    int line = 0;     ///< line of the error, from 1; 0 if Nix did not print one
    int column = 0;
    bool operator==(const NixParseVerdict &) const = default;
};

/// Parses the output of `nix-instantiate --parse` (both streams). Pure.
NixParseVerdict readNixParse(const QByteArray &output, int exitCode);

/// Checks a recipe with Nix's own parser, in a separate process. Evaluates, builds and fetches nothing.
class NixCheck : public QObject
{
    Q_OBJECT
public:
    explicit NixCheck(QObject *parent = nullptr);
    ~NixCheck() override;

    /// Path of nix-instantiate; empty if it is not on PATH. Searches the disk: for a worker.
    static QString program();

    /// Restarts if a check is running. `finished` follows, unless stop() is called first.
    void start(const QByteArray &text, std::chrono::milliseconds limit = std::chrono::seconds(30));
    void stop();
    [[nodiscard]] bool isRunning() const;

Q_SIGNALS:
    void finished(const tmx::NixParseVerdict &verdict);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
