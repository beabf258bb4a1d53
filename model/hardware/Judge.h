// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/CpuVerdict.h"
#include "model/hardware/DriverVerdict.h"
#include "model/hardware/GpuVerdict.h"
#include "model/hardware/VariantPicker.h"

namespace tmx {

/// A pick and what it is ranked by.
struct Judged {
    Pick pick;
    int gpuDistance = 0; ///< minor versions to the nearest GPU it serves; a CPU variant comes after every GPU variant
    bool oldDriver = false;  ///< served by minor-version compatibility only
    bool driverOnly = false; ///< does not run, and a newer driver is all it needs
    QString neededDriver;
    QString version; ///< of the framework
    [[nodiscard]] bool runs() const { return pick.fit != Fit::DoesNotRun; }
};

/// Judges variants on one machine; what is the same for all of them is worked out once. Keeps references: lives shorter
/// than its arguments.
class Judge
{
public:
    Judge(const Catalog &catalog, const HostReport &host, Workload workload);

    [[nodiscard]] Judged operator()(const Variant &variant) const;
    /// Columns that run, best first for the workload.
    [[nodiscard]] const QStringList &isas() const { return m_isas; }
    /// The machine's GPUs, alike ones once.
    [[nodiscard]] const QList<GpuInfo> &gpus() const { return m_gpus; }

    static constexpr int cpuDistance = 1000;

private:
    void judgeOnCpuAlone(Judged &judged, const Isa *isa) const;
    void judgeOnGpus(Judged &judged, const GpuRow &row, const Isa &isa) const;
    [[nodiscard]] QString cpuSentence(const Isa &isa) const;

    const Catalog &m_catalog;
    const HostReport &m_host;
    QStringList m_isas;
    QStringList m_tuned; ///< columns that are the best of some workload: exact for this CPU
    QList<GpuInfo> m_gpus;
};

} // namespace tmx
