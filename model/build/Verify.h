// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"

#include <QJsonObject>

#include <functional>

namespace tmx {

/// What a build of a variant must be.
struct VerifyExpectation {
    QString module;      ///< what Python imports: "torch", "torchvision"
    QString version;     ///< of the family: "2.8.0"; empty: not known
    QString torch;       ///< of PyTorch itself, for a companion; empty: not known
    QString capability;  ///< "9.0"; empty: no CUDA
    QString cuda;        ///< "12.8"; empty: no CUDA
    QStringList flags;   ///< that C++ must be compiled with: "-mavx512f"
    QStringList foreign; ///< that it must not be: of wider instruction sets
    QString platform;    ///< "x86_64-linux"
};

/// `torch`, `family`: the versions that the branch builds; may be empty.
[[nodiscard]] VerifyExpectation expectationOf(const Catalog &catalog, const Variant &variant, const QString &torch,
                                              const QString &family);

struct VerifyCheck {
    enum class State { Passed, Failed, Unknown };
    QString id; ///< "import", "version", "arch", "cuda", "flags", "compute"
    State state = State::Unknown;
    QString sentence; ///< what was found, and what was expected where it differs
    bool operator==(const VerifyCheck &) const = default;
};

/// What resources/verify/verify_torch.py says of a PyTorch (its JSON), held against what it should be. Pure. Each check
/// is there, whatever the facts lack: what they do not say is Unknown.
[[nodiscard]] QList<VerifyCheck> judgeTorch(const QJsonObject &facts, const VerifyExpectation &expected);
/// Nothing failed, and version, or arch list where there is one, passed.
[[nodiscard]] bool passed(const QList<VerifyCheck> &checks);

/// A result of a build, looked at.
struct Verification {
    QString result; ///< store path, or the folder that was looked at
    QJsonObject facts;
    QList<VerifyCheck> checks;
    bool imported = false;  ///< false: only the files were read
    QString whyNotImported; ///< a sentence
    qint64 closure = 0;     ///< bytes of the result and all that it needs; 0: not known
    [[nodiscard]] bool passed() const { return tmx::passed(checks); }
};

/// Runs the script on a result: with the Python of its closure, PYTHONPATH from propagated-build-inputs and the host's
/// driver library, at most `seconds`. Where that cannot be, with any Python on the files alone. `result`: a result
/// link, a store path, or any folder with lib/pythonX/site-packages. `stop` is asked ten times a second.
/// For workers. Errors: no such folder; no Python to run the script with.
[[nodiscard]] Result<Verification> verifyResult(const QString &result, const VerifyExpectation &expected,
                                                const std::function<bool()> &stop = {}, int seconds = 120);

/// Bytes of a result and all that it needs; of a folder outside of the store, of its files. For workers.
[[nodiscard]] Result<qint64> sizeOfResult(const QString &result, const std::function<bool()> &stop = {});

[[nodiscard]] QJsonObject toJson(const Verification &verification);

/// What verifyResult() gives to Python: found in the closure without running anything.
struct PythonOfResult {
    QString program;      ///< .../bin/python3.13; empty: none in the closure
    QStringList packages; ///< PYTHONPATH
    QString sitePackages; ///< of the result itself; empty: there is none
};
[[nodiscard]] PythonOfResult pythonOfResult(const QString &result, const QStringList &closure);

} // namespace tmx
