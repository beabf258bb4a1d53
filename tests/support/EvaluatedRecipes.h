// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Settings.h"
#include "model/recipe/NixText.h"

#include "tests/support/FileText.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

namespace tmx::testing {

/// One rendered recipe, and the result of evaluating it with Nix and fixtures/nixpkgs.
struct Evaluated {
    const Settings *settings = nullptr;
    Variant variant;
    QString file;
    QJsonObject facts;
    QByteArray recipe;

    [[nodiscard]] QString text(const char *key) const { return facts.value(QLatin1StringView(key)).toString(); }
    [[nodiscard]] QStringList list(const char *key) const
    {
        return facts.value(QLatin1StringView(key)).toVariant().toStringList();
    }
    [[nodiscard]] QJsonObject table(const char *key) const { return facts.value(QLatin1StringView(key)).toObject(); }
};

/// Standard output of nix-instantiate; a failure fails the test with its message.
inline QByteArray runNix(const QStringList &arguments)
{
    const QString program = QStandardPaths::findExecutable(QStringLiteral("nix-instantiate"));
    if (program.isEmpty()) {
        QTest::qFail("nix-instantiate is not installed", __FILE__, __LINE__);
        return {};
    }
    QProcess process;
    process.start(program, QStringList{QStringLiteral("--store"), QStringLiteral("dummy://")} + arguments);
    if (!process.waitForFinished(120000) || process.exitCode() != 0) {
        QTest::qFail(process.readAllStandardError().constData(), __FILE__, __LINE__);
        return {};
    }
    return process.readAllStandardOutput();
}

inline QString inQuotes(const QString &text)
{
    return u'"' + inNixQuotes(text) + u'"';
}

/// The Nix system that builds the variant.
inline QString systemOf(const Variant &variant)
{
    if (variant.isa.isEmpty())
        return QStringLiteral("aarch64-darwin");
    return variant.isa.startsWith(QLatin1StringView("arm")) ? QStringLiteral("aarch64-linux")
                                                            : QStringLiteral("x86_64-linux");
}

/// Sets the facts of each recipe, in one evaluation.
inline void evaluate(QList<Evaluated> &recipes)
{
    QString asked;
    for (const Evaluated &recipe : std::as_const(recipes)) {
        const bool companion = recipe.variant.family != QLatin1StringView("pytorch");
        const Profile profile = recipe.settings->profileOf(recipe.variant);
        const bool published = companion && profile.torchOrigin == TorchOrigin::Published;
        const bool fetched = companion && profile.torchOrigin == TorchOrigin::Fetched;
        asked += QStringLiteral("{ file = %1; pin = %2; system = %3; published = %4; archive = %5; } ")
                     .arg(inQuotes(recipe.file), inQuotes(profile.pin.revision), inQuotes(systemOf(recipe.variant)),
                          inQuotes(published ? torchVariantOf(recipe.variant).name() : QString()),
                          inQuotes(fetched ? profile.torchRepository.archive() : QString()));
    }
    const QString expression = QStringLiteral("import %1 { recipes = [ %2]; }")
                                   .arg(inQuotes(QString::fromUtf8(TM_FIXTURES "/nixpkgs/facts.nix")), asked);
    // By file: a thousand recipes are too long for an argument.
    const QString file = QDir::tempPath() + QStringLiteral("/recipes-%1.nix").arg(QCoreApplication::applicationPid());
    tmx::test::putFile(file, expression.toUtf8());
    const QByteArray output =
        runNix({QStringLiteral("--eval"), QStringLiteral("--strict"), QStringLiteral("--json"), file});
    QFile::remove(file);
    const QJsonArray facts = QJsonDocument::fromJson(output).array();
    QCOMPARE(facts.size(), recipes.size());
    for (qsizetype i = 0; i < recipes.size(); ++i)
        recipes[i].facts = facts[i].toObject();
}

} // namespace tmx::testing
