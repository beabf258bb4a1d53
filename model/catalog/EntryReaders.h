// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QStringView>

namespace tmx {

/// Valid values of torch_repository: "OWNER/NAME", the URL of a repository, or the URL of an archive with {rev} in it.
inline constexpr QStringView torchAddressForm =
    uR"(([A-Za-z0-9][A-Za-z0-9_.-]*/[A-Za-z0-9_.-]+|https://[A-Za-z0-9][A-Za-z0-9_.:-]*(/([A-Za-z0-9_.~%+=-]|\{rev\})+)+)?)";

class Catalog;
class TomlTable;
struct CompileJob;
struct Family;
struct GpuRow;
struct IgnoredRule;
struct Isa;
struct Python;
struct Toolkit;
struct WrittenSettings;

/// Each reads the keys of a TOML table into the entry: `known` entries keep values that are missing, new ones must have
/// the required values. Problems are reported to the table. The caller has read the id already to look up the entry.
void readEntry(TomlTable &table, GpuRow &row, bool known);
void readEntry(TomlTable &table, Isa &isa, bool known);
void readEntry(TomlTable &table, Toolkit &toolkit, bool known);
void readEntry(TomlTable &table, Family &family, bool known);
void readEntry(TomlTable &table, CompileJob &job, bool known);
inline void readEntry(TomlTable &, Python &, bool) {} // it only has an id
/// All keys of settings except their branch. Families, rows, ISAs and toolkits are looked up in the catalog.
void readSettings(TomlTable &table, WrittenSettings &settings, bool known, const Catalog &catalog);
/// Of these only the tables [[ignore]].
QList<IgnoredRule> readIgnored(TomlTable &table);

} // namespace tmx
