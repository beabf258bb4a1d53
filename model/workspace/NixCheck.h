// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QObject>

#include <chrono>
#include <memory>

namespace tmx {

/// What nix-instantiate said of a text.
struct NixParseVerdict {
    bool accepted = false;
    QString sentence; ///< for people: that it reads, why not and where, or why it could not be asked
    int line = 0;     ///< of the error, from 1; 0: none told
    int column = 0;
    bool operator==(const NixParseVerdict &) const = default;
};

/// Reads what `nix-instantiate --parse` printed (both streams). Pure.
NixParseVerdict readNixParse(const QByteArray &output, int exitCode);

/// Lets real Nix read a recipe, in a process of its own. Nothing is evaluated, built or fetched.
class NixCheck : public QObject
{
    Q_OBJECT
public:
    explicit NixCheck(QObject *parent = nullptr);
    ~NixCheck() override;

    /// Empty when no nix-instantiate is on PATH. Searches the disk: for a worker.
    static QString program();

    /// Starts over when one is running; `finished` follows, unless stop() comes first.
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
