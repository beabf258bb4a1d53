// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"

#include <QJsonObject>

#include <functional>

namespace tmx {

/// Expected properties of a variant's build.
struct VerifyExpectation {
    QString module;      ///< Python's name of the module: "torch", "torchvision"
    QString version;     ///< version of the family: "2.8.0"; empty: unknown
    QString torch;       ///< for a companion: version of PyTorch; empty: unknown
    QString capability;  ///< "9.0"; empty: no CUDA
    QString cuda;        ///< "12.8"; empty: no CUDA
    QStringList flags;   ///< required compiler flags for C++: "-mavx512f"
    QStringList foreign; ///< flags it must not have: those of wider instruction sets
    QString platform;    ///< "x86_64-linux"
};

/// `torch`, `family`: the versions that the branch builds; may be empty.
[[nodiscard]] VerifyExpectation expectationOf(const Catalog &catalog, const Variant &variant, const QString &torch,
                                              const QString &family);

struct VerifyCheck {
    enum class State { Passed, Failed, Unknown };
    QString id; ///< "import", "version", "arch", "cuda", "flags", "compute"
    State state = State::Unknown;
    QString sentence; ///< what was found; if it differs, also what was expected
    bool operator==(const VerifyCheck &) const = default;
};

/// Compares the output of resources/verify/verify_torch.py for a PyTorch (its JSON) with the expectation. Pure. Always
/// returns every check; a check without facts is Unknown.
[[nodiscard]] QList<VerifyCheck> judgeTorch(const QJsonObject &facts, const VerifyExpectation &expected);
/// Whether no check failed, and version, or the architectures if there are any, passed.
[[nodiscard]] bool passed(const QList<VerifyCheck> &checks);

/// A checked result of a build.
struct Verification {
    QString result; ///< store path, or the folder that was checked
    QJsonObject facts;
    QList<VerifyCheck> checks;
    bool imported = false;  ///< false: only its files were read
    QString whyNotImported; ///< a sentence
    qint64 closure = 0;     ///< bytes of the result and its closure; 0: unknown
    [[nodiscard]] bool passed() const { return tmx::passed(checks); }
};

/// Runs the script on a result: with the Python of its closure, PYTHONPATH from propagated-build-inputs and the host's
/// driver library, for at most `seconds`. If that is impossible, with any Python on the files only. `result`: a result
/// link, a store path, or any folder with lib/pythonX/site-packages. Checks `stop` ten times a second. For workers.
/// Errors: no such folder; no Python to run the script with.
[[nodiscard]] Result<Verification> verifyResult(const QString &result, const VerifyExpectation &expected,
                                                const std::function<bool()> &stop = {}, int seconds = 120);

/// Bytes of a result and its closure; for a folder outside the store, of its files. For workers.
[[nodiscard]] Result<qint64> sizeOfResult(const QString &result, const std::function<bool()> &stop = {});

[[nodiscard]] QJsonObject toJson(const Verification &verification);

/// The Python set-up of verifyResult(): found in the closure without running anything.
struct PythonOfResult {
    QString program;      ///< .../bin/python3.13; empty if the closure has none
    QStringList packages; ///< PYTHONPATH
    QString sitePackages; ///< of the result itself; empty if there is none
};
[[nodiscard]] PythonOfResult pythonOfResult(const QString &result, const QStringList &closure);

} // namespace tmx
