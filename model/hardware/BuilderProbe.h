// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/NixBuilders.h"

#include <QJsonObject>
#include <QObject>

#include <chrono>
#include <memory>

namespace tmx {

/// A remote builder with its answer.
struct BuilderAnswer {
    enum class State {
        Asked, ///< it has not answered yet
        Answers,
        Silent, ///< it is unreachable, does not accept this user, or has no Nix
    };
    NixBuilder builder;
    State state = State::Asked;
    QString nixVersion; ///< for a builder that answers: "2.26.3"; empty: not reported
    QString problem;    ///< for a builder that does not: the reason, without a full stop
    bool operator==(const BuilderAnswer &) const = default;
};

/// The remote builders of this machine.
struct BuilderReport {
    QList<BuilderAnswer> builders;
    QStringList remarks; ///< sentences: invalid settings of Nix, or a note that its daemon connects with other keys
    bool operator==(const BuilderReport &) const = default;
};

/// "aarch64-linux, x86_64-linux · 4 builds at a time · speed 2 · big-parallel · only builds that require cuda"
QString factsText(const NixBuilder &builder);
/// "Answers, Nix 2.26.3", "Does not answer: connect to host arm port 22: Connection refused", "Being asked"
QString answerText(const BuilderAnswer &answer);
/// {"store", "systems": [], "maxJobs", "speedFactor", "supportedFeatures": [], "mandatoryFeatures": [], "answers",
/// "nixVersion", "problem"}
QJsonObject toJson(const BuilderAnswer &answer);

/// Parses a builder's answer: the output of `nix store info`, with ssh's messages in it. Pure.
BuilderAnswer readAnswer(const NixBuilder &builder, int exitCode, const QString &output);

/// Checks whether each remote builder in nixBuilding() answers, eight at a time, as this user and without asking for a
/// password. Never blocks.
class BuilderProbe : public QObject
{
    Q_OBJECT
public:
    explicit BuilderProbe(QObject *parent = nullptr);
    ~BuilderProbe() override;

    /// Restarts if it is running. The limit applies to each builder.
    void start(std::chrono::milliseconds limit = std::chrono::seconds(15));
    void cancel(); ///< `finished` is not emitted

Q_SIGNALS:
    void changed(const tmx::BuilderReport &report);  ///< once the builders are known, and whenever one has answered
    void finished(const tmx::BuilderReport &report); ///< exactly once, never from within start()

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
