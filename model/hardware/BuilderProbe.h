// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/NixBuilders.h"

#include <QJsonObject>
#include <QObject>

#include <chrono>
#include <memory>

namespace tmx {

/// A remote builder, and whether it answers.
struct BuilderAnswer {
    enum class State {
        Asked, ///< it has not answered yet
        Answers,
        Silent, ///< it cannot be reached, does not let this user in, or has no Nix
    };
    NixBuilder builder;
    State state = State::Asked;
    QString nixVersion; ///< of one that answers: "2.26.3"; empty: it did not say
    QString problem;    ///< of one that does not: why, in words without a full stop
    bool operator==(const BuilderAnswer &) const = default;
};

/// The remote builders of this machine.
struct BuilderReport {
    QList<BuilderAnswer> builders;
    QStringList remarks; ///< sentences: what Nix refuses in its settings, that its daemon asks with other keys
    bool operator==(const BuilderReport &) const = default;
};

/// "aarch64-linux, x86_64-linux · 4 builds at a time · speed 2 · big-parallel · only builds that require cuda"
QString factsText(const NixBuilder &builder);
/// "Answers, Nix 2.26.3", "Does not answer: connect to host arm port 22: Connection refused", "Being asked"
QString answerText(const BuilderAnswer &answer);
/// {"store", "systems": [], "maxJobs", "speedFactor", "supportedFeatures": [], "mandatoryFeatures": [], "answers",
/// "nixVersion", "problem"}
QJsonObject toJson(const BuilderAnswer &answer);

/// What a builder answered: `nix store info`, with ssh's own words in it. Pure.
BuilderAnswer readAnswer(const NixBuilder &builder, int exitCode, const QString &output);

/// Asks each remote builder that nixBuilding() names whether it answers, eight at a time, as this user and without
/// asking anybody for a password. Never blocks.
class BuilderProbe : public QObject
{
    Q_OBJECT
public:
    explicit BuilderProbe(QObject *parent = nullptr);
    ~BuilderProbe() override;

    /// Starts over when it is running. The limit is for each builder.
    void start(std::chrono::milliseconds limit = std::chrono::seconds(15));
    void cancel(); ///< `finished` does not come then

Q_SIGNALS:
    void changed(const tmx::BuilderReport &report);  ///< once they are known, and when one has answered
    void finished(const tmx::BuilderReport &report); ///< exactly once, never from within start()

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
