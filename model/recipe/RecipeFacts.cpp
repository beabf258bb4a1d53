// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/RecipeFacts.h"

#include "model/nix/Parse.h"
#include "model/recipe/NixpkgsReader.h"
#include "model/recipe/RecipeScan.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

using nix::UnknownKind;
using nix::Value;
using nix::ValueKind;

namespace {

class FactReader
{
public:
    FactReader(const std::shared_ptr<const nix::Tree> &tree, const RecipeImports *imports)
        : m_tree(*tree)
        , m_imports(imports)
        , m_fold(tree, foldOptions(imports))
        , m_places(*tree, imports ? imports->files.get() : nullptr)
    {
    }

    void read(RecipeFacts &facts)
    {
        if (const auto *function = nix::as<nix::Lambda>(m_tree.root())) {
            for (const nix::Formal &formal : function->formals) {
                const std::string_view name = m_tree.name(formal.symbol);
                facts.arguments.append(QString::fromUtf8(name.data(), qsizetype(name.size())));
            }
        }
        scanRecipe(m_tree, m_places, facts);
        PackageReader reader(m_fold, m_places);
        const Value result = m_fold.result();
        facts.noDerivation = isNoDerivation(result.kind());
        ReadPackage package = reader.read(result);
        NixpkgsReader nixpkgs(m_fold, m_places);
        facts.package = std::move(package.facts);
        facts.stopped = package.stopped;
        readOrigin(package.nixpkgs, nixpkgs, facts, facts.package);
        if (package.library.isKnown() || package.library.node()) {
            ReadPackage library = reader.read(package.library);
            if (library.facts.attribute || library.facts.builder) {
                readOrigin(library.nixpkgs, nixpkgs, facts, library.facts);
                facts.libraries.append(std::move(library.facts));
            } else {
                facts.package.unread.attributes = library.stopped;
            }
        }
        const bool isTorch =
            facts.package.attribute.value == "torch"_L1 || facts.package.attribute.value == "pytorch"_L1;
        if (!isTorch && !package.torch.isKnown() && !package.torch.node() && !package.torchDefinition &&
            facts.package.packageSet.value == toText(nixpkgs.torchSet()))
            package.torch = nixpkgs.torch();
        if (package.torch.isKnown() || package.torch.node() || package.torchDefinition)
            readTorch(package, nixpkgs, facts);
        if (reader.torchInPassthru().node())
            readFetched(reader.torchInPassthru(), nixpkgs, facts.torchInPassthru);
        facts.refersToItself = m_fold.refersToItself();
        for (const nix::Fold::Missing &missing : m_fold.missing()) {
            const StatedText entry{toText(missing.name),
                                   missing.set ? m_places.spot(missing.set->span, missing.set->file) : Spot(), true};
            if (missing.set && !facts.missingEntries.contains(entry))
                facts.missingEntries.append(entry);
        }
        facts.files = m_places.files();
        facts.importTroubles = m_imports ? m_imports->troubles : QList<ImportTrouble>();
        for (const ImportTrouble &trouble : std::as_const(facts.importTroubles)) {
            if (!trouble.file.isEmpty() && !facts.files.contains(trouble.file))
                facts.files.append(trouble.file);
        }
    }

private:
    static bool isNoDerivation(ValueKind kind)
    {
        switch (kind) {
        case ValueKind::Null:
        case ValueKind::Boolean:
        case ValueKind::Integer:
        case ValueKind::Float:
        case ValueKind::Text:
        case ValueKind::Path:
        case ValueKind::List: return true;
        case ValueKind::Attributes:
        case ValueKind::Function:
        case ValueKind::Unknown: break;
        }
        return false;
    }

    static void readOrigin(const Value &from, NixpkgsReader &nixpkgs, RecipeFacts &facts, PackageFacts &package)
    {
        package.source = nixpkgs.read(from, facts) ? u"pin"_s : u"pkgs"_s;
        if (nixpkgs.unread())
            package.unread.origin = nixpkgs.unread();
    }

    void readTorch(const ReadPackage &companion, NixpkgsReader &nixpkgs, RecipeFacts &facts)
    {
        facts.torch.kind = TorchSource::Kind::Other;
        facts.torch.spot = m_places.spotOf(companion.torch, companion.torchDefinition);
        facts.torch.unread = m_places.stop(companion.torch, companion.torchDefinition);
        if (readFetched(companion.torch, nixpkgs, facts.torch))
            return;
        if (const QString file = importedFile(companion.torch); !file.isEmpty()) {
            facts.torch.kind = TorchSource::Kind::Sibling;
            facts.torch.file = file;
            return;
        }
        if (const QString name = dottedName(companion.torch); name.startsWith("catalogs."_L1)) {
            facts.torch.kind = TorchSource::Kind::Published;
            facts.torch.file = name.sliced(9);
            return;
        }
        ReadPackage torch = PackageReader(m_fold, m_places).read(companion.torch);
        if (!torch.facts.attribute && !torch.facts.builder)
            return;
        facts.torch.kind = TorchSource::Kind::Built;
        readOrigin(torch.nixpkgs, nixpkgs, facts, torch.facts);
        facts.torch.package = std::make_shared<const PackageFacts>(std::move(torch.facts));
    }

    /// `import (fetchTarball { ... } + "/.flox/pkgs/x.nix") { }`, also with the tarball inside the text.
    static bool readFetched(Value value, const NixpkgsReader &reader, TorchSource &torch)
    {
        while (value.kind() == ValueKind::Unknown && value.unknown() == UnknownKind::Call) {
            const Value argument = value.argument();
            value = value.base();
            const QByteArray name = value.name();
            if (argument.kind() == ValueKind::Text && (name == "import" || name == "callPackage")) {
                const QByteArray path = argument.textAround();
                const std::vector<Value> holes = argument.holes();
                if (!path.startsWith("\x1a/") || holes.empty())
                    return false;
                Value tarball = holes.front();
                if (tarball.unknown() == UnknownKind::Call && tarball.base().kind() == ValueKind::Function &&
                    tarball.base().name() == "toString")
                    tarball = tarball.argument();
                const std::optional<PinFacts> source = reader.fetched(tarball);
                if (!source)
                    return false;
                torch.kind = TorchSource::Kind::Fetched;
                torch.path = toText(path.sliced(2)).replace(QChar(0x1a), u'?');
                torch.file = torch.path.section(u'/', -1);
                torch.archive = source->url;
                torch.revision = source->revision;
                torch.sha256 = source->sha256;
                return true;
            }
            if (value.unknown() == UnknownKind::Select && name.startsWith("override"))
                value = value.base();
        }
        return false;
    }

    /// The file name in `import ./x.nix { }` and `callPackage ./x.nix { }`; empty for anything else.
    static QString importedFile(Value value)
    {
        while (value.kind() == ValueKind::Unknown && value.unknown() == UnknownKind::Call) {
            const Value argument = value.argument();
            value = value.base();
            const QByteArray name = value.name();
            if (argument.kind() == ValueKind::Path && (name == "import" || name == "callPackage")) {
                // A file in a folder is no recipe: only those in .flox/pkgs itself are.
                const QByteArray path = argument.text().value_or(argument.textAround('?'));
                return path.lastIndexOf('/') == 1 ? toText(path.sliced(2)) : QString();
            }
            if (value.unknown() == UnknownKind::Select && name.startsWith("override"))
                value = value.base();
        }
        return {};
    }

    const nix::Tree &m_tree;
    const RecipeImports *m_imports;
    nix::Fold m_fold;
    FactPlaces m_places;
};

} // namespace

StatedText RecipeFacts::toolkit() const
{
    const PackageFacts *packages[] = {&package, libraries.isEmpty() ? nullptr : &libraries.constFirst(),
                                      torch.package.get()};
    for (const PackageFacts *from : packages) {
        if (const NamedText *argument = from ? from->argument(u"cudaPackages") : nullptr) {
            if (const QString set = argument->value.section(u'.', -1); set.startsWith("cudaPackages_"_L1))
                return {set, argument->spot, true};
        }
    }
    for (auto overlay = overlays.crbegin(); overlay != overlays.crend(); ++overlay) {
        if (overlay->kind == OverlayFacts::Kind::CudaSelection)
            return overlay->value;
    }
    for (const PackageFacts *from : packages) {
        for (const QString &name : from ? from->inputs : QStringList()) {
            for (const QString &step :
                 name.split(u'.')) { // "extend.cudaPackages_12_8.libcublas" of an extended nixpkgs
                if (step.startsWith("cudaPackages_"_L1))
                    return {step, package.builder ? package.builder.spot : package.attribute.spot, true};
            }
        }
    }
    return {};
}

StatedText RecipeFacts::blas() const
{
    for (auto overlay = overlays.crbegin(); overlay != overlays.crend(); ++overlay) {
        if (overlay->kind == OverlayFacts::Kind::Blas && overlay->value)
            return overlay->value;
    }
    const PackageFacts *packages[] = {&package, torch.package.get()};
    for (const PackageFacts *from : packages) {
        const VariableFact *variable = from ? from->variable(u"BLAS") : nullptr;
        const QString name = variable ? variable->value.toLower() : QString();
        if (name == "mkl"_L1 || name == "openblas"_L1)
            return {name, variable->spot, true};
    }
    for (const PackageFacts *from : packages) {
        if (from && from->inputs.contains(u"mkl"_s))
            return {u"mkl"_s, from->attributesSpot, true};
    }
    return {};
}

QList<StatedText> RecipeFacts::unread() const
{
    QList<StatedText> list;
    const auto add = [&list](const StatedText &stop) {
        if (stop && std::ranges::find(list, stop.spot, &StatedText::spot) == list.end())
            list.append(stop);
    };
    add(stopped);
    for (const PackageFacts *from : {&package, &compiled(), torch.package.get()}) {
        for (const StatedText &stop :
             from ? QList{from->unread.origin, from->unread.arguments, from->unread.attributes} : QList<StatedText>())
            add(stop);
    }
    if (torch.kind == TorchSource::Kind::Other)
        add(torch.unread);
    return list;
}

RecipeFacts readFacts(const RecipeSource &source)
{
    return readFacts(nix::parse(source.text), source.imports.get());
}

RecipeFacts readFacts(const nix::ParseResult &parsed, const RecipeImports *imports)
{
    RecipeFacts facts;
    if (parsed.error) {
        const nix::ParseError &error = *parsed.error;
        facts.error = {error.message, {error.place.line, error.place.column, error.span.offset, error.span.length}};
        return facts;
    }
    FactReader(parsed.tree, imports).read(facts);
    return facts;
}

} // namespace tmx
