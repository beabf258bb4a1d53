// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/CpuVerdict.h"
#include "model/hardware/DriverVerdict.h"
#include "model/hardware/GpuVerdict.h"
#include "model/hardware/VariantPicker.h"

namespace tmx {

/// A pick with its ranking data.
struct Judged {
    Pick pick;
    int gpuDistance = 0; ///< difference of minor versions to the nearest GPU that it runs on; for a CPU variant larger
                         ///< than for any GPU variant
    bool oldDriver = false;  ///< runs by minor-version compatibility only
    bool driverOnly = false; ///< does not run, and would with a newer driver
    QString neededDriver;
    QString version; ///< version of the framework
    [[nodiscard]] bool runs() const { return pick.fit != Fit::DoesNotRun; }
};

/// Judges variants on one machine; computes what they share once. Keeps references, so its arguments must outlive it.
class Judge
{
public:
    Judge(const Catalog &catalog, const HostReport &host, Workload workload);

    /// `systems`: that its recipe is for; empty: what the variant's name says.
    [[nodiscard]] Judged operator()(const Variant &variant, QStringList systems = {}) const;
    /// Columns that run, best first for the workload.
    [[nodiscard]] const QStringList &isas() const { return m_isas; }
    /// The machine's GPUs without duplicates.
    [[nodiscard]] const QList<GpuInfo> &gpus() const { return m_gpus; }

    static constexpr int cpuDistance = 1000;

private:
    void judgeOnCpuAlone(Judged &judged, const Isa *isa) const;
    void judgeOnGpus(Judged &judged, const GpuRow &row, const Isa *isa) const;
    [[nodiscard]] QString cpuSentence(const Isa &isa) const;

    const Catalog &m_catalog;
    const HostReport &m_host;
    QStringList m_isas;
    QStringList m_tuned; ///< columns that are the best for some workload: exact for this CPU
    QList<GpuInfo> m_gpus;
};

} // namespace tmx
