// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/NixpkgsReader.h"

#include <array>
#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

using nix::UnknownKind;
using nix::Value;
using nix::ValueKind;

namespace {

using namespace std::string_view_literals;

constexpr std::array fetchers{"fetchTarball"sv, "fetchGit"sv,        "fetchTree"sv,
                              "fetchzip"sv,     "fetchFromGitHub"sv, "fetchurl"sv};

bool isFetcher(const QByteArray &name)
{
    return std::ranges::find(fetchers, std::string_view(name.constData(), size_t(name.size()))) != fetchers.end();
}

/// Position of the revision in an archive's URL: ".../archive/REV.tar.gz", ".../archive/REV/NAME-REV.tar.gz",
/// ".../tarball/REV".
std::pair<qsizetype, qsizetype> revisionIn(const QByteArray &url)
{
    for (const QByteArray &marker : {QByteArray("/archive/"), QByteArray("/tarball/")}) {
        const qsizetype found = url.indexOf(marker);
        if (found < 0)
            continue;
        const qsizetype from = found + marker.size();
        constexpr qsizetype digits = 40; // of a commit id; a branch may have slashes in its name
        if (from + digits < url.size() && url.at(from + digits) == '/')
            return {from, digits};
        qsizetype end = url.indexOf(".tar", from);
        if (end < 0)
            end = url.indexOf(".zip", from);
        return {from, (end < 0 ? url.size() : end) - from};
    }
    return {0, 0};
}

/// The CUDA package set among the names of a selection, ignoring calls on it.
Value cudaSetIn(Value value)
{
    while (value.kind() == ValueKind::Unknown) {
        if (value.unknown() == UnknownKind::Select && value.name().startsWith("cudaPackages"))
            return value;
        if (value.unknown() != UnknownKind::Select && value.unknown() != UnknownKind::Call)
            break;
        value = value.base();
    }
    return {};
}

std::string_view entryNameOf(OverlayFacts::Kind kind)
{
    return kind == OverlayFacts::Kind::Blas ? "blasProvider"sv : "lapackProvider"sv;
}

} // namespace

bool NixpkgsReader::read(Value nixpkgs, RecipeFacts &facts)
{
    bool pinned = false;
    m_unread = {};
    m_torch = {};
    m_torchSet.clear();
    QList<OverlayFacts> overlays; // of the outermost nixpkgs first
    while (nixpkgs.kind() == ValueKind::Unknown) {
        if (nixpkgs.unknown() == UnknownKind::Conditional) {
            nixpkgs = nixpkgs.argument();
        } else if (nixpkgs.unknown() == UnknownKind::Select) {
            // `cudaPackages_12_8.pkgs` is a nixpkgs with that toolkit as default.
            if (nixpkgs.name().startsWith("cudaPackages"))
                overlays.prepend({OverlayFacts::Kind::CudaSelection,
                                  u"cudaPackages"_s,
                                  {toText(nixpkgs.name()), m_places.spotOfName(nixpkgs), true},
                                  {},
                                  {},
                                  {},
                                  m_places.spotOfName(nixpkgs)});
            nixpkgs = nixpkgs.base();
        } else if (nixpkgs.unknown() == UnknownKind::Call) {
            const Value callee = nixpkgs.base();
            if (callee.unknown() == UnknownKind::Select &&
                (callee.name() == "extend" || callee.name() == "appendOverlays")) {
                QList<OverlayFacts> added;
                if (callee.name() == "appendOverlays")
                    readOverlays(nixpkgs.argument(), added);
                else
                    readOverlay(nixpkgs.argument(), added);
                overlays = added + overlays;
                nixpkgs = callee.base();
                continue;
            }
            if (callee.unknown() == UnknownKind::Call && callee.base().name() == "import")
                pinned = readImport(callee.argument(), nixpkgs.argument(), facts, overlays);
            else
                stopAt(nixpkgs);
            break;
        } else {
            break; // The caller's.
        }
    }
    for (const OverlayFacts &overlay : std::as_const(overlays)) {
        if (!facts.overlays.contains(overlay))
            facts.overlays.append(overlay);
    }
    return pinned;
}

bool NixpkgsReader::readImport(const Value &source, const Value &settings, RecipeFacts &facts,
                               QList<OverlayFacts> &overlays)
{
    std::optional<PinFacts> pin = fetched(source);
    if (pin)
        pin->settings = m_places.spotOf(settings);
    else if (source.unknown() != UnknownKind::SearchPath && source.unknown() != UnknownKind::Select)
        stopAt(source); // It is neither fetched nor the caller's.
    if (settings.kind() != ValueKind::Attributes || !settings.isComplete())
        stopAt(settings);
    QList<OverlayFacts> own;
    for (const Value::Entry &entry : settings.entries()) {
        if (entry.name == "config" && pin)
            readConfig(entry.value, *pin);
        if (entry.name == "overlays")
            readOverlays(entry.value, own);
    }
    overlays = own + overlays;
    if (pin && !facts.pins.contains(*pin))
        facts.pins.append(*pin);
    return pin.has_value();
}

std::optional<PinFacts> NixpkgsReader::fetched(const Value &source) const
{
    if (source.unknown() != UnknownKind::Call || source.kind() != ValueKind::Unknown ||
        !isFetcher(source.base().name()))
        return std::nullopt;
    PinFacts pin;
    const Value argument = source.argument();
    pin.spot = m_places.spotOf(source);
    const auto readUrl = [&](const Value &url, const nix::Attribute *definition) {
        pin.url = m_places.text(url, definition);
        const QByteArray bytes = url.textAround();
        if (const auto [from, length] = revisionIn(bytes); length > 0)
            pin.revision = {toText(bytes.sliced(from, length)), m_places.spotWithin(url, from, length, definition),
                            !bytes.contains('\x1a')};
    };
    if (argument.kind() == ValueKind::Text)
        readUrl(argument, nullptr);
    for (const Value::Entry &entry : argument.entries()) {
        if (entry.name == "url")
            readUrl(entry.value, entry.definition);
        else if (entry.name == "rev")
            pin.revision = m_places.text(entry.value, entry.definition);
        else if (entry.name == "sha256" || entry.name == "hash" || entry.name == "narHash")
            pin.sha256 = m_places.text(entry.value, entry.definition);
    }
    return pin;
}

void NixpkgsReader::stopAt(const Value &value, const nix::Attribute *definition)
{
    if (!m_unread)
        m_unread = m_places.stop(value, definition);
}

void NixpkgsReader::readOverlays(const Value &list, QList<OverlayFacts> &overlays)
{
    if (list.kind() != ValueKind::List)
        stopAt(list);
    for (const Value::Item &item : list.items()) {
        if (item.spliced)
            stopAt(item.value);
        else
            readOverlay(item.value, overlays);
    }
}

void NixpkgsReader::readConfig(const Value &config, PinFacts &pin)
{
    if (config.kind() != ValueKind::Attributes || !config.isComplete())
        stopAt(config);
    for (const Value::Entry &entry : config.entries()) {
        StatedFlag *flag = entry.name == "allowUnfree"   ? &pin.allowUnfree
                           : entry.name == "allowBroken" ? &pin.allowBroken
                           : entry.name == "cudaSupport" ? &pin.cudaSupport
                                                         : nullptr;
        if (flag)
            *flag = m_places.flag(entry.value, entry.definition);
        else if (entry.name == "cudaCapabilities")
            pin.cudaCapabilities = m_places.list(entry.value, entry.definition);
    }
}

void NixpkgsReader::readOverlay(const Value &overlay, QList<OverlayFacts> &overlays)
{
    Value set = m_fold.call(overlay, m_fold.argument("final"));
    set = m_fold.call(set, m_fold.argument("prev"));
    if (set.kind() != ValueKind::Attributes || !set.isComplete())
        stopAt(overlay);
    for (const Value::Entry &entry : set.entries()) {
        if (auto facts = overlayOf(entry))
            overlays.append(*std::move(facts));
    }
}

std::optional<OverlayFacts> NixpkgsReader::overlayOf(const Value::Entry &entry)
{
    OverlayFacts overlay;
    overlay.name = toText(entry.name);
    overlay.spot = entry.definition ? m_places.spot(entry.definition->name, entry.definition->file())
                                    : m_places.spotOf(entry.value);
    const Value &value = entry.value;
    if (entry.name == "cudaPackages") {
        overlay.kind = OverlayFacts::Kind::CudaSelection;
        const Value set = cudaSetIn(value);
        overlay.value = {toText(set.name()),
                         set.kind() == ValueKind::Unknown && set.node() ? m_places.spotOfName(set) : overlay.spot,
                         !set.name().isEmpty()};
    } else if (entry.name == "blas" || entry.name == "lapack") {
        overlay.kind = entry.name == "blas" ? OverlayFacts::Kind::Blas : OverlayFacts::Kind::Lapack;
        readProvider(value, overlay);
    } else if (entry.name.startsWith("magma")) {
        overlay.kind = OverlayFacts::Kind::Magma;
        if (value.kind() == ValueKind::Null)
            overlay.value = {u"null"_s, m_places.spotOf(value, entry.definition), true};
        readPatches(value, overlay);
    } else if (entry.name.startsWith("python") || entry.name == "torch") {
        const Value before = std::exchange(m_torch, {});
        if (entry.name == "torch" ? readTorch(value, overlay) : readPythonSet(value, overlay))
            overlay.kind = OverlayFacts::Kind::Torch;
        if (m_torch.isKnown() || m_torch.node())
            m_torchSet = entry.name;
        else
            m_torch = before;
    }
    return overlay;
}

/// Reads `prev.blas.override { blasProvider = final.mkl; }`; for a conditional, its first branch.
void NixpkgsReader::readProvider(Value value, OverlayFacts &overlay)
{
    if (value.kind() == ValueKind::Unknown && value.unknown() == UnknownKind::Conditional)
        value = value.argument();
    if (value.kind() != ValueKind::Unknown || value.unknown() != UnknownKind::Call)
        return;
    const Value set = PackageReader(m_fold, m_places).given(value.argument());
    const auto provider = entryOf(set, entryNameOf(overlay.kind));
    if (!provider)
        return;
    Value package = provider->value;
    while (package.kind() == ValueKind::Unknown && package.unknown() == UnknownKind::Call) // mkl.override { ... }
        package = package.base().unknown() == UnknownKind::Select ? package.base().base() : Value();
    if (!package.name().isEmpty())
        overlay.value = {toText(package.name()), m_places.spotOfName(package), true};
}

void NixpkgsReader::readPatches(const Value &package, OverlayFacts &overlay)
{
    PackageReader reader(m_fold, m_places);
    for (Value value = package; value.unknown() == UnknownKind::Call && value.kind() == ValueKind::Unknown;
         value = value.base().base()) {
        const Value set = reader.given(value.argument());
        const auto patches = entryOf(set, "patches");
        if (!patches)
            continue;
        for (const Value::Item &item : patches->value.items()) {
            Value patch = item.value;
            if (patch.kind() == ValueKind::Unknown && patch.unknown() == UnknownKind::Call)
                patch = patch.argument();
            const auto name = entryOf(patch, "name");
            const auto url = entryOf(patch, "url");
            const QByteArray bytes = name  ? name->value.textAround('?')
                                     : url ? url->value.textAround('?')
                                           : patch.text().value_or("");
            if (item.spliced || bytes.isEmpty())
                continue;
            PatchFacts facts{toText(bytes.sliced(bytes.lastIndexOf('/') + 1)), {}, {}, m_places.spotOf(item.value)};
            if (url)
                facts.url = m_places.text(url->value, url->definition);
            for (const std::string_view key : {"hash"sv, "sha256"sv}) {
                if (const auto hash = entryOf(patch, key))
                    facts.hash = m_places.text(hash->value, hash->definition);
            }
            overlay.patches.append(facts);
        }
    }
}

bool NixpkgsReader::readPythonSet(const Value &value, OverlayFacts &overlay)
{
    // `pythonPackagesExtensions = prev.pythonPackagesExtensions ++ [ (pfinal: pprev: { torch = ...; }) ]`
    for (const Value::Item &item : value.items()) {
        if (!item.spliced &&
            readTorch(entryOf(m_fold.call(m_fold.call(item.value, m_fold.argument("final")), m_fold.argument("prev")),
                              "torch")
                          .value_or(Value::Entry())
                          .value,
                      overlay))
            return true;
    }
    if (value.kind() != ValueKind::Unknown || value.unknown() != UnknownKind::Call)
        return false;
    PackageReader reader(m_fold, m_places);
    const Value set = reader.given(value.argument());
    for (const std::string_view name : {"overrides"sv, "packageOverrides"sv}) {
        const auto overrides = entryOf(set, name);
        if (!overrides)
            continue;
        const Value packages =
            m_fold.call(m_fold.call(overrides->value, m_fold.argument("final")), m_fold.argument("prev"));
        for (const std::string_view torch : {"torch"sv, "pytorch"sv}) {
            if (const auto entry = entryOf(packages, torch)) {
                m_torch = entry->value;
                return readTorch(entry->value, overlay);
            }
        }
    }
    return false;
}

bool NixpkgsReader::readTorch(const Value &value, OverlayFacts &overlay)
{
    const ReadPackage torch = PackageReader(m_fold, m_places).read(value);
    if (!torch.facts.attribute && !torch.facts.builder)
        return false;
    overlay.value = torch.facts.attribute ? torch.facts.attribute : torch.facts.builder;
    overlay.version = torch.facts.version;
    overlay.src = torch.facts.src;
    return true;
}

} // namespace tmx
