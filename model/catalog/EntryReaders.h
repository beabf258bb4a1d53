// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStringView>

namespace tmx {

/// What torch_repository can be: "OWNER/NAME", the URL of a repository, or one of an archive with {rev} in it.
inline constexpr QStringView torchAddressForm =
    uR"(([A-Za-z0-9][A-Za-z0-9_.-]*/[A-Za-z0-9_.-]+|https://[A-Za-z0-9][A-Za-z0-9_.:-]*(/([A-Za-z0-9_.~%+=-]|\{rev\})+)+)?)";

class Catalog;
class TomlTable;
struct Family;
struct GpuRow;
struct Isa;
struct Python;
struct Toolkit;
struct WrittenSettings;

/// Each reads the keys of one TOML table over what the entry holds: `known` entries keep what is not named, new ones
/// must name what they need. What is wrong is complained of in the table; an id is read before, by whoever looks the
/// entry up.
void readEntry(TomlTable &table, GpuRow &row, bool known);
void readEntry(TomlTable &table, Isa &isa, bool known);
void readEntry(TomlTable &table, Toolkit &toolkit, bool known);
void readEntry(TomlTable &table, Family &family, bool known);
inline void readEntry(TomlTable &, Python &, bool) {} // its id says all
/// All keys of settings but their branch. Families, rows, ISAs and toolkits that they name are looked up in the
/// catalog.
void readSettings(TomlTable &table, WrittenSettings &settings, bool known, const Catalog &catalog);

} // namespace tmx
