// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/template/FactExchange.h"

#include "model/base/Tr.h"
#include "model/nix/Parse.h"
#include "model/nix/Walk.h"
#include "model/template/TextTemplate.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

bool flagAt(const QVariantHash &context, QStringView path)
{
    const QVariant *value = valueAt(context, path);
    return value && value->toBool();
}

QStringList flagsOf(const QVariantHash &context)
{
    QStringList flags;
    const QVariant *rows = valueAt(context, u"isa.flags");
    for (const QVariant &row : rows ? rows->toList() : QVariantList())
        flags.append(row.toHash().value(u"text"_s).toString());
    return flags;
}

QHash<QString, QByteArray> notesOf(const QVariantHash &context)
{
    QHash<QString, QByteArray> notes;
    const QVariant *rows = valueAt(context, u"isa.flags");
    for (const QVariant &row : rows ? rows->toList() : QVariantList()) {
        const QVariantHash flag = row.toHash();
        if (const QString note = flag.value(u"note"_s).toString(); !note.isEmpty())
            notes.insert(flag.value(u"text"_s).toString(), "# " + note.toUtf8());
    }
    return notes;
}

/// One exchange: collects the edits, applies them, and parses the result.
class Exchange
{
public:
    Exchange(const QByteArray &text, const Catalog &catalog, const QVariantHash &from, const QVariantHash &wanted)
        : m_text(text)
        , m_catalog(catalog)
        , m_from(from)
        , m_wanted(wanted)
        , m_facts(readFacts(text))
    {
    }

    Result<Exchanged> run()
    {
        if (m_facts.error)
            return refusal(m_facts.error->spot.line, Tr::tr("it is not valid Nix: %1").arg(m_facts.error->message));
        for (const auto &step : {&Exchange::checkKind, &Exchange::checkShape, &Exchange::exchangeBlas,
                                 &Exchange::exchangePin, &Exchange::exchangeFetchedTorch, &Exchange::exchangeFlags,
                                 &Exchange::exchangeDriver, &Exchange::exchangeMentions}) {
            if (auto error = (this->*step)())
                return *std::move(error);
        }
        std::optional<QByteArray> text = edited(m_text, m_edits);
        if (!text)
            return refusal(0, Tr::tr("two of its facts share bytes"));
        if (auto error = check(*text))
            return *std::move(error);
        return Exchanged{*std::move(text), remarks()};
    }

    /// The text with the CPU flags that the catalog has for its own instruction set; the same text if that fails.
    QByteArray withOwnFlags()
    {
        if (m_facts.error || exchangeFlags(true))
            return m_text;
        return edited(m_text, m_edits).value_or(m_text);
    }

private:
    using Outcome = std::optional<Error>;

    [[nodiscard]] Error refusal(int line, const QString &why, const QString &remedy = {}) const
    {
        const QString name = textAt(m_from, u"name");
        return {differs(u"name"_s) ? Tr::tr("make %1 from").arg(textAt(m_wanted, u"name")) : Tr::tr("change"), name,
                line > 0 ? Tr::tr("line %1: %2").arg(line).arg(why) : why, remedy};
    }

    [[nodiscard]] bool differs(const QString &path) const { return textAt(m_from, path) != textAt(m_wanted, path); }

    Outcome checkKind()
    {
        if (differs(u"family.id"_s))
            return refusal(0, Tr::tr("it is of another family"));
        const auto kind = [](const QVariantHash &context) {
            return std::pair(textAt(context, u"gpu.capability").isEmpty(), textAt(context, u"isa.id").isEmpty());
        };
        if (kind(m_from) != kind(m_wanted))
            return refusal(0,
                           Tr::tr("a recipe for a GPU, the CPU or Metal cannot be made from one of another "
                                  "kind"),
                           Tr::tr("Choose a reference of the same kind."));
        return {};
    }

    [[nodiscard]] bool changesBlas() const
    {
        return differs(u"blas.id"_s) || flagAt(m_from, u"blas.chosen") != flagAt(m_wanted, u"blas.chosen");
    }

    /// Exchanges the BLAS library: an overlay on the fetched nixpkgs is added, removed, or gets another provider; a CPU
    /// recipe also names the library in its inputs and its environment.
    Outcome exchangeBlas()
    {
        if (!changesBlas())
            return {};
        const auto refused = [this](const QString &why) {
            return refusal(m_facts.blas().spot.line,
                           Tr::tr("it uses %1 for linear algebra, not %2, and %3")
                               .arg(textAt(m_from, u"blas.title"), textAt(m_wanted, u"blas.title"), why),
                           Tr::tr("Render it from the template, or choose another reference."));
        };
        const nix::ParseResult parsed = nix::parse(m_text);
        bool has = false; // whether there is an overlay
        for (const OverlayFacts &overlay : m_facts.overlays) {
            if (overlay.kind != OverlayFacts::Kind::Blas && overlay.kind != OverlayFacts::Kind::Lapack)
                continue;
            has = true;
            if (!flagAt(m_wanted, u"blas.chosen")) {
                if (!takeBlasOverlay(*parsed.tree, overlay.spot.offset))
                    return refused(Tr::tr("its overlay on %1 cannot be removed in place").arg(overlay.name));
                continue;
            }
            const Edits edits = replaced(m_text, overlay.value.spot, textAt(m_from, u"blas.attribute"),
                                         textAt(m_wanted, u"blas.attribute"));
            if (edits.isEmpty())
                return refused(Tr::tr("its overlay on %1 cannot be changed in place").arg(overlay.name));
            m_edits += edits;
        }
        if (!has && flagAt(m_wanted, u"blas.chosen") && !addBlasOverlay(*parsed.tree))
            return refused(Tr::tr("it fetches no nixpkgs to which an overlay can be added"));
        if (textAt(m_from, u"gpu.capability").isEmpty() && differs(u"blas.id"_s))
            exchangeBlasOfCpu(*parsed.tree);
        return {};
    }

    /// The line above an overlay inserted by addBlasOverlay().
    static QByteArray blasComment(const QVariantHash &context)
    {
        return "# Linear algebra on the CPU is " + textAt(context, u"blas.title").toUtf8() +
               "'s, for torch and for NumPy beside it.";
    }

    [[nodiscard]] bool isBlank(qsizetype begin, qsizetype end) const
    {
        return QByteArrayView(m_text).sliced(begin, end - begin).trimmed().isEmpty();
    }

    /// `span` including the parentheses around it.
    [[nodiscard]] nix::Span withParentheses(const nix::Span &span) const
    {
        qsizetype begin = qsizetype(span.offset);
        qsizetype end = qsizetype(span.end());
        for (;;) {
            qsizetype open = begin;
            qsizetype close = end;
            while (open > 0 && QByteArrayView(" \t\r\n").contains(m_text.at(open - 1)))
                --open;
            while (close < m_text.size() && QByteArrayView(" \t\r\n").contains(m_text.at(close)))
                ++close;
            if (open == 0 || close == m_text.size() || m_text.at(open - 1) != '(' || m_text.at(close) != ')')
                return {.offset = quint32(begin), .length = quint32(end - begin)};
            begin = open - 1;
            end = close + 1;
        }
    }

    /// Removes `span`, with its lines if they have no other content, and with our comment above it. If it is the last
    /// item between the bracket or brace at `open` and the one at `close`, and the part before it (up to `before`) is
    /// on one line with the first, the second is moved to that line too.
    void takeOut(const nix::Span &span, qsizetype open, qsizetype before, qsizetype close)
    {
        qsizetype begin = qsizetype(span.offset);
        qsizetype end = qsizetype(span.end());
        const qsizetype line = m_text.lastIndexOf('\n', begin - 1) + 1;
        if (isBlank(line, begin)) {
            begin = line;
            const qsizetype above = begin > 1 ? m_text.lastIndexOf('\n', begin - 2) + 1 : 0;
            if (QByteArrayView(m_text).sliced(above, begin - above).trimmed() == blasComment(m_from))
                begin = above;
        }
        const qsizetype next = m_text.indexOf('\n', end);
        if (next >= 0 && next < close && isBlank(end, next))
            end = next + 1;
        if (isBlank(before, begin) && isBlank(end, close) && !m_text.sliced(open, before - open).contains('\n'))
            m_edits.append({quint32(before), quint32(close - before), " "});
        else if (isBlank(before, begin) && isBlank(end, close) && before > open + 1)
            m_edits.append({quint32(before), quint32(end - before), "\n"}); // Leave no empty line.
        else
            m_edits.append({quint32(begin), quint32(end - begin), {}});
    }

    /// Removes the overlay whose set has a name at `place`. Returns false if it is not an item of the list of overlays,
    /// or does something else too.
    bool takeBlasOverlay(const nix::Tree &tree, quint32 place)
    {
        const nix::Attributes *settings = nullptr;
        const nix::Binding *binding = nullptr;
        const nix::List *list = nullptr;
        nix::forEachNode(tree.root(), [&](const nix::Node &node) {
            const auto *set = nix::as<nix::Attributes>(&node);
            const nix::Attribute *overlays = set && !set->implied ? set->find(tree.symbol("overlays")) : nullptr;
            const auto *items = overlays ? nix::as<nix::List>(overlays->value) : nullptr;
            if (!items || items->span.offset > place || items->span.end() < place)
                return;
            settings = set;
            binding = overlays->binding;
            list = items;
        });
        if (!list || !binding)
            return false;
        const auto item = std::ranges::find_if(list->elements, [place](const nix::Node *node) {
            return node->span.offset <= place && place < node->span.end();
        });
        if (item == list->elements.end())
            return false;
        const nix::Node *body = *item;
        while (const auto *lambda = nix::as<nix::Lambda>(body))
            body = lambda->body;
        const auto *set = nix::as<nix::Attributes>(body);
        if (!set || body == *item || !set->dynamic.empty() || set->recursive)
            return false;
        for (const nix::Attribute &attribute : set->attributes) {
            const std::string_view name = tree.text(attribute.name);
            if (name != "blas" && name != "lapack")
                return false;
        }
        if (place != set->attributes.begin()->name.offset) // The other of the two is removed together with the first.
            return true;
        if (list->elements.size() == 1) {
            qsizetype before = qsizetype(settings->span.offset) + 1;
            for (const nix::Binding *other : settings->bindings) {
                if (other->span.end() <= binding->span.offset)
                    before = qsizetype(other->span.end());
            }
            takeOut(binding->span, qsizetype(settings->span.offset), before, qsizetype(settings->span.end()) - 1);
            return true;
        }
        const qsizetype before = item == list->elements.begin()
                                     ? qsizetype(list->span.offset) + 1
                                     : qsizetype(withParentheses((*std::prev(item))->span).end());
        takeOut(withParentheses((*item)->span), qsizetype(list->span.offset), before, qsizetype(list->span.end()) - 1);
        return true;
    }

    /// Returns false if the set that nixpkgs is imported with is not written out.
    bool addBlasOverlay(const nix::Tree &tree)
    {
        if (m_facts.pins.size() != 1)
            return false;
        const Spot &settings = m_facts.pins.constFirst().settings;
        const nix::Attributes *set = nullptr;
        nix::forEachNode(tree.root(), [&](const nix::Node &node) {
            if (node.span.offset == settings.offset && node.span.length == settings.length && !set)
                set = nix::as<nix::Attributes>(&node);
        });
        if (!set || set->recursive || set->implied)
            return false;
        const nix::Attribute *overlays = set->find(tree.symbol("overlays"));
        const auto *list = overlays ? nix::as<nix::List>(overlays->value) : nullptr;
        if (overlays && !list)
            return false;
        const QByteArray provider = textAt(m_wanted, u"blas.attribute").toUtf8();
        const auto overlayAt = [&](const QByteArray &indent) {
            QByteArray lines = "\n";
            for (const QByteArray &line :
                 {blasComment(m_wanted), QByteArray("(final: prev: {"),
                  "  blas = prev.blas.override { blasProvider = final." + provider + "; };",
                  "  lapack = prev.lapack.override { lapackProvider = final." + provider + "; };", QByteArray("})")})
                lines += indent + line + '\n';
            return lines;
        };
        // Before the closing bracket or brace, on separate lines.
        const nix::Span within = list ? list->span : set->span;
        const qsizetype close = qsizetype(within.end()) - 1;
        const qsizetype begin = m_text.lastIndexOf('\n', qsizetype(within.offset)) + 1;
        QByteArray indent;
        for (qsizetype i = begin; i < m_text.size() && m_text.at(i) == ' '; ++i)
            indent += ' ';
        qsizetype end = close; // end of the preceding text
        while (end > qsizetype(within.offset) + 1 && QByteArrayView(" \t\r\n").contains(m_text.at(end - 1)))
            --end;
        const QByteArray added =
            list ? overlayAt(indent + "  ") + indent
                 : '\n' + indent + "  overlays = [" + overlayAt(indent + "    ") + indent + "  ];\n" + indent;
        m_edits.append({quint32(end), quint32(close - end), added});
        return true;
    }

    void exchangeBlasOfCpu(const nix::Tree &tree)
    {
        const QString attribute = textAt(m_from, u"blas.attribute");
        const std::string name = attribute.toStdString();
        QSet<quint32> places; // pkgs.openblas; inherit (pkgs) openblas; openblas
        const auto add = [&](nix::Span span) {
            const bool isTaken = std::ranges::any_of(m_edits, [&span](const Edit &edit) {
                return edit.offset <= span.offset && span.end() <= edit.offset + edit.length;
            });
            if (tree.text(span) == name && !isTaken && !places.contains(span.offset)) {
                places.insert(span.offset);
                m_edits.append({span.offset, span.length, textAt(m_wanted, u"blas.attribute").toUtf8()});
            }
        };
        nix::forEachNode(tree.root(), [&](const nix::Node &node) {
            const auto *select = nix::as<nix::Select>(&node);
            if (select && !select->path.empty())
                add(select->path.back().span);
            else if (node.kind == nix::NodeKind::Variable)
                add(node.span);
        });
        nix::forEachBinding(tree.root(), [&](const nix::Binding &binding) {
            for (const nix::AttributeName &attributeName : binding.names) {
                if (binding.kind != nix::Binding::Value)
                    add(attributeName.span);
            }
        });
        const PackageFacts *packages[] = {&m_facts.package, m_facts.torch.package.get()};
        for (const PackageFacts *package : packages) {
            if (const VariableFact *variable = package ? package->variable(u"BLAS") : nullptr)
                m_edits +=
                    replaced(m_text, variable->spot, textAt(m_from, u"blas.cmake"), textAt(m_wanted, u"blas.cmake"));
            if (const NamedText *provider = package ? package->passthruOf(u"blasProvider") : nullptr)
                m_edits += replaced(m_text, provider->spot, textAt(m_from, u"blas.id"), textAt(m_wanted, u"blas.id"));
        }
        // Texts that mention it; their other content stays.
        const QString title = textAt(m_from, u"blas.title");
        const QRegularExpression stated(uR"(\bBLAS(?: backend)?: (%1)\b)"_s.arg(QRegularExpression::escape(title)),
                                        QRegularExpression::CaseInsensitiveOption);
        auto found = stated.globalMatch(QString::fromLatin1(m_text));
        while (found.hasNext()) {
            const QRegularExpressionMatch match = found.next();
            m_edits.append({quint32(match.capturedStart(1)), quint32(match.capturedLength(1)),
                            textAt(m_wanted, u"blas.title").toUtf8()});
        }
        remarkOn(QRegularExpression(u"\\b(?<!=)%1\\b"_s.arg(QRegularExpression::escape(title))));
    }

    /// The torch that the file builds; nullptr if it builds none.
    [[nodiscard]] const PackageFacts *torch() const
    {
        if (m_facts.torch.kind == TorchSource::Kind::Built)
            return m_facts.torch.package.get();
        return textAt(m_from, u"family.attribute") == "torch"_L1 ? &m_facts.package : nullptr;
    }

    /// Checks for parts that some variants need and others must not have: these cannot be exchanged as values.
    Outcome checkShape()
    {
        const PackageFacts *built = torch();
        if (!built)
            return {};
        const auto lineOfVariable = [built](QStringView name) {
            const VariableFact *variable = built->variable(name);
            return variable && variable->value == "0"_L1 ? variable->spot.line : 0;
        };
        const QString other = Tr::tr("Choose a reference of the same shape.");
        if (flagAt(m_from, u"isa.lacks_avx2") != flagAt(m_wanted, u"isa.lacks_avx2")) {
            if (flagAt(m_wanted, u"isa.lacks_avx2"))
                return refusal(built->attributesSpot.line,
                               Tr::tr("it does not switch off what needs AVX2 (FBGEMM, oneDNN, NNPACK)"), other);
            for (const QString &name : {u"USE_FBGEMM"_s, u"USE_MKLDNN"_s, u"USE_NNPACK"_s}) {
                if (const int line = lineOfVariable(name); line > 0)
                    return refusal(line, Tr::tr("%1=0 is for CPUs without AVX2").arg(name), other);
            }
            for (const StatedText &flag : built->cmakeFlags.items) {
                if (flag.value.contains("AVX2_FOUND=FALSE"_L1))
                    return refusal(flag.spot.line, Tr::tr("%1 is for CPUs without AVX2").arg(flag.value), other);
            }
        }
        if (flagAt(m_from, u"gpu.lacks_cudnn") != flagAt(m_wanted, u"gpu.lacks_cudnn")) {
            if (flagAt(m_wanted, u"gpu.lacks_cudnn"))
                return refusal(built->attributesSpot.line,
                               Tr::tr("it does not switch off cuDNN, which %1 needs").arg(textAt(m_wanted, u"gpu.id")),
                               other);
            if (const int line = lineOfVariable(u"USE_CUDNN"); line > 0)
                return refusal(line, Tr::tr("USE_CUDNN=0 is for GPUs that cuDNN has dropped"), other);
        }
        for (const OverlayFacts &overlay : m_facts.overlays) {
            if (overlay.kind == OverlayFacts::Kind::Magma && flagAt(m_from, u"cuda.lacks_clock_rate") &&
                !flagAt(m_wanted, u"cuda.lacks_clock_rate"))
                return refusal(overlay.spot.line, Tr::tr("the MAGMA patch is for CUDA 13.0"), other);
        }
        if (flagAt(m_from, u"cuda.moved_cccl") && !flagAt(m_wanted, u"cuda.moved_cccl") && m_text.contains("cccl"))
            return refusal(lineAt(m_text, quint32(m_text.indexOf("cccl"))),
                           Tr::tr("the CCCL workaround is for "
                                  "CUDA 13"),
                           other);
        // A nixpkgs that has CUDA 13 builds its own torch with it.
        const bool ownSource = built->src.spot || !textAt(m_wanted, u"source.hash").isEmpty() ||
                               std::ranges::any_of(m_facts.overlays, [](const OverlayFacts &overlay) {
                                   return overlay.kind == OverlayFacts::Kind::Torch && overlay.src.spot;
                               });
        if (ownSource && !flagAt(m_from, u"cuda.moved_cccl") && flagAt(m_wanted, u"cuda.moved_cccl"))
            return refusal(built->attributesSpot.line, Tr::tr("it lacks the workarounds that CUDA 13 needs"), other);
        return {};
    }

    Outcome exchangePin()
    {
        if (differs(u"nixpkgs.rev"_s)) {
            const QString wanted = textAt(m_wanted, u"nixpkgs.rev");
            if (m_facts.pins.size() != 1 || wanted.isEmpty())
                return refusal(m_facts.pins.isEmpty() ? 0 : m_facts.pins.constFirst().spot.line,
                               m_facts.pins.isEmpty() ? Tr::tr("it fetches no nixpkgs")
                                                      : Tr::tr("no other nixpkgs is known to replace its own"));
            const PinFacts &pin = m_facts.pins.constFirst();
            if (!pin.revision.known || pin.revision.value != textAt(m_from, u"nixpkgs.rev"))
                return refusal(pin.spot.line,
                               Tr::tr("it fetches nixpkgs %1, and the branch settings say %2")
                                   .arg(pin.revision.value.left(10), textAt(m_from, u"nixpkgs.rev").left(10)));
            if (auto error = replace(pin.revision, wanted))
                return error;
            if (pin.sha256) {
                const QString hash = textAt(m_wanted, u"nixpkgs.sha256");
                if (hash.isEmpty())
                    return refusal(pin.sha256.spot.line, Tr::tr("the hash of the wanted nixpkgs is not known"),
                                   Tr::tr("Set nixpkgs_sha256."));
                if (auto error = replace(pin.sha256, hash))
                    return error;
            }
        }
        for (const auto &[path, stated] : {std::pair(u"torch.hash"_s, torchHash()), {u"source.hash"_s, sourceHash()}}) {
            if (!differs(path) || (path == "source.hash"_L1 && textAt(m_from, u"family.attribute") == "torch"_L1))
                continue;
            const QString wanted = textAt(m_wanted, path);
            if (!stated || stated->value.isEmpty() || wanted.isEmpty())
                return refusal(stated ? stated->spot.line : 0,
                               wanted.isEmpty() ? Tr::tr("the hash of the wanted source is not known")
                                                : Tr::tr("it contains no source hash"));
            if (auto error = replace(*stated, wanted))
                return error;
        }
        return {};
    }

    /// Exchanges the commit of the fetched PyTorch recipe and the hash of its tarball.
    Outcome exchangeFetchedTorch()
    {
        const TorchSource &torch = m_facts.torch;
        const QString wanted = textAt(m_wanted, u"torch.archive");
        if (torch.kind != TorchSource::Kind::Fetched || !differs(u"torch.archive"_s) || torch.archive.value == wanted)
            return {};
        const QString revision = textAt(m_wanted, u"torch.archive_rev");
        const bool sameElse = torch.revision.known && !revision.isEmpty() &&
                              QString(torch.archive.value).replace(torch.revision.value, revision) == wanted;
        // The URL may be composed from its commit.
        if (auto error = sameElse ? replace(torch.revision, revision) : replace(torch.archive, wanted))
            return error;
        if (!torch.sha256)
            return {};
        const QString hash = textAt(m_wanted, u"torch.archive_sha256");
        return hash.isEmpty()
                   ? refusal(torch.sha256.spot.line, Tr::tr("the hash of the wanted PyTorch recipes is not known"),
                             Tr::tr("Set torch_sha256."))
                   : replace(torch.sha256, hash);
    }

    [[nodiscard]] const StatedText *torchHash() const
    {
        for (const OverlayFacts &overlay : m_facts.overlays) {
            if (overlay.kind == OverlayFacts::Kind::Torch && overlay.src.hash)
                return &overlay.src.hash;
        }
        const PackageFacts *built = torch();
        return built && built->src.hash ? &built->src.hash : nullptr;
    }
    [[nodiscard]] const StatedText *sourceHash() const
    {
        const StatedText &own = m_facts.package.src.hash;
        const StatedText &compiled = m_facts.compiled().src.hash;
        return own ? &own : compiled ? &compiled : nullptr;
    }

    Outcome replace(const StatedText &stated, const QString &wanted)
    {
        const Edits edits = replaced(m_text, stated.spot, stated.value, wanted);
        if (edits.isEmpty())
            return refusal(stated.spot.line, Tr::tr("%1 is not written out there").arg(stated.value));
        m_edits += edits;
        return {};
    }

    Outcome exchangeFlags() { return differs(u"isa.id"_s) ? exchangeFlags(false) : Outcome(); }

    /// `own`: without other flags than the wanted ones.
    Outcome exchangeFlags(bool own)
    {
        const QStringList old = flagsOf(m_from);
        for (const QList<StatedText> &list : flagListsOf(m_facts)) {
            QStringList wanted = flagsOf(m_wanted);
            for (const StatedText &flag : list) {
                if (!flag.known)
                    return refusal(flag.spot.line, Tr::tr("its CPU flags are not written out"));
                // Flags that do not belong to the instruction set are the recipe's own.
                if (!own && !isOldFlag(flag.value, old) && !wanted.contains(flag.value))
                    wanted.append(flag.value);
            }
            Edits edits;
            if (const std::optional<FlagLines> lines = flagLines(m_text, list))
                edits = {{lines->offset, lines->length, linesOf(*lines, wanted)}};
            else
                edits = listMadeTo(m_text, list, wanted);
            if (edits.isEmpty())
                return refusal(list.constFirst().spot.line, Tr::tr("its CPU flags cannot be exchanged in place"));
            m_edits += edits;
        }
        return {};
    }

    /// Whether a flag states the old instruction set: one of its flags, or another -march for the same CPUs.
    static bool isOldFlag(const QString &flag, const QStringList &old)
    {
        const auto isArchitecture = [](const QString &each) { return each.startsWith("-march="_L1); };
        return old.contains(flag) || (isArchitecture(flag) && std::ranges::any_of(old, isArchitecture));
    }

    [[nodiscard]] QByteArray linesOf(const FlagLines &lines, const QStringList &flags) const
    {
        const QHash<QString, QByteArray> notes = notesOf(m_wanted);
        qsizetype width = 0;
        for (const QString &flag : flags)
            width = std::max(width, flag.toUtf8().size() + 2);
        // Comments in a column of their own stay in it while there is room; comments directly after the flags move
        // along.
        const bool close = lines.gap.size() <= 2;
        width = close ? width + lines.gap.size() : std::max(width + 1, lines.column);
        QList<QByteArray> result;
        for (const QString &flag : flags) {
            QByteArray line = lines.indent + '"' + flag.toUtf8() + '"';
            const QByteArray note = lines.notes.value(flag, notes.value(flag));
            if (lines.comments && !note.isEmpty()) {
                line = lines.aligned ? line.leftJustified(lines.indent.size() + width, ' ') : line + lines.gap;
                line += note;
            }
            result.append(line);
        }
        return result.join('\n');
    }

    Outcome exchangeDriver()
    {
        exchangeToolkitsDriver();
        raiseDrivers();
        const StatedText &driver = m_facts.package.driver;
        if (!differs(u"driver"_s) || !driver || !driver.known || isEdited(driver.spot.offset, driver.spot.length))
            return {};
        const bool whole = driver.value.contains(u'.') || driver.value == textAt(m_from, u"driver");
        return replace(driver, textAt(m_wanted, whole ? u"driver" : u"driver_major"));
    }

    [[nodiscard]] bool isEdited(quint32 offset, quint32 length) const
    {
        return std::ranges::any_of(m_edits, [&](const Edit &edit) {
            return edit.offset < offset + length && offset < edit.offset + edit.length;
        });
    }

    /// "CUDA 12.4 needs driver 550+": some texts name the toolkit's own driver, not the oldest that suits.
    void exchangeToolkitsDriver()
    {
        const Toolkit *from = m_catalog.toolkit(textAt(m_from, u"cuda.version"));
        const Toolkit *to = m_catalog.toolkit(textAt(m_wanted, u"cuda.version"));
        if (!from || !to || from == to)
            return;
        const QString there = QString::fromLatin1(m_text);
        for (auto found = driversInText().globalMatch(there); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            const QString stated = match.captured(1);
            const bool major = stated == from->ownDriver.section(u'.', 0, 0);
            if (major || stated == from->ownDriver)
                m_edits.append({quint32(match.capturedStart(1)), quint32(match.capturedLength(1)),
                                (major ? to->ownDriver.section(u'.', 0, 0) : to->ownDriver).toUtf8()});
        }
    }

    /// Texts that name a driver which is too old for the wanted toolkit or GPU get the oldest that suits.
    void raiseDrivers()
    {
        if (!differs(u"name"_s)) // Only its pin or version changes.
            return;
        for (const QRegularExpressionMatch &match : driversInText().globalMatch(QString::fromLatin1(m_text))) {
            const auto offset = quint32(match.capturedStart(1));
            const auto length = quint32(match.capturedLength(1));
            const QByteArray newer = newerDriver(match.captured(1), m_wanted);
            if (!newer.isEmpty() && !isEdited(offset, length))
                m_edits.append({offset, length, newer});
        }
    }

    Outcome exchangeMentions()
    {
        const QList<Mention> mentions = mentionsIn(m_text, m_catalog, m_from, &m_wanted);
        takeClaims(mentions);
        for (const Mention &mention : mentions) {
            if (isEdited(mention.offset, mention.length) ||
                isOfOtherPlatforms(mention, m_facts, textAt(m_from, u"isa.platform")))
                continue;
            if (mention.path.isEmpty()) {
                remarkOn(mention);
                continue;
            }
            const std::optional<QByteArray> by = spelt(mention, m_wanted);
            if (!by)
                return refusal(lineAt(m_text, mention.offset),
                               Tr::tr("%1 has no counterpart").arg(QString::fromUtf8(mention.text)));
            if (by->contains('"') != mention.text.contains('"') || by->contains('\\') || by->contains("${") ||
                by->contains("''"))
                return refusal(lineAt(m_text, mention.offset),
                               Tr::tr("%1 cannot be written there").arg(QString::fromUtf8(*by)));
            m_edits.append({mention.offset, mention.length, *by});
        }
        if (differs(u"python.number"_s)) {
            for (const QByteArray &name : namesOfPython(m_text, m_from).others)
                remark(quint32(m_text.indexOf(name)), QString::fromUtf8(name));
        }
        remarkOnSeries();
        remarkOnInstructions();
        return {};
    }

    /// Claims about the PyTorch version that supports the GPU: kept if they are true for the wanted one; else
    /// removed, or remarked on if they are part of a longer text.
    void takeClaims(const QList<Mention> &mentions)
    {
        if (!differs(u"gpu.id"_s))
            return;
        for (const ReleaseClaim &claim : releaseClaims(m_text)) {
            const bool ours = std::ranges::any_of(mentions, [&claim](const Mention &mention) {
                return mention.path.startsWith("gpu."_L1) && mention.offset >= claim.offset &&
                       mention.offset < claim.offset + claim.length;
            });
            if (!ours || textAt(m_wanted, u"gpu.first_torch") == claim.version)
                continue;
            const QByteArray line = m_text.sliced(claim.offset, claim.length);
            if (!claim.alone) {
                remark(claim.offset, QString::fromUtf8(line).trimmed());
                continue;
            }
            const auto blankAt = [this](qsizetype begin) {
                const qsizetype end = m_text.indexOf('\n', begin);
                return begin >= 0 && end >= 0 && m_text.sliced(begin, end - begin).trimmed().isEmpty();
            };
            qsizetype end = std::min<qsizetype>(claim.offset + claim.length + 1, m_text.size());
            // Keep only one of two blank lines around it.
            if (claim.offset > 1 && blankAt(m_text.lastIndexOf('\n', qsizetype(claim.offset) - 2) + 1) && blankAt(end))
                end = m_text.indexOf('\n', end) + 1;
            m_edits.append({claim.offset, quint32(end - claim.offset), {}});
            m_leftOut.append(QString::fromUtf8(line).trimmed());
        }
    }

    /// Remarks on texts that refer to the variant that this recipe now builds.
    void remarkOn(const Mention &mention)
    {
        const QList<Mention> own = mentionsIn(mention.text, m_catalog, m_wanted);
        const bool ours = std::ranges::any_of(own, [](const Mention &part) { return !part.path.isEmpty(); });
        if (ours && (differs(u"gpu.id"_s) || differs(u"isa.id"_s)))
            remark(mention.offset, QString::fromUtf8(mention.text));
    }

    void remarkOnSeries()
    {
        static const QRegularExpression words(uR"(\b((RTX|GTX) )?\d\dx0\b|\b(RTX|GTX) \d\d[- ]series)"_s);
        static const QRegularExpression kinds(uR"(\b([Dd]ata ?center|[Cc]onsumer|[Ww]orkstation)\b)"_s);
        if (!differs(u"gpu.id"_s))
            return;
        remarkOn(words);
        if (!textAt(m_wanted, u"gpu.generation").contains("datacenter"_L1))
            remarkOn(kinds);
    }

    void remarkOnInstructions()
    {
        static const QRegularExpression words(uR"(\b(SVE2?|Scalable Vector|NEON|BF16|VNNI|INT8)\b)"_s);
        static const QRegularExpression praise(
            uR"(\b(broad(er)?|maximum|wide[rs]?t?) compatibility|\b(older|legacy) (hardware|systems|CPUs)|\b20[0-3]\d\+)"_s,
            QRegularExpression::CaseInsensitiveOption);
        if (!differs(u"isa.id"_s))
            return;
        remarkOn(words);
        remarkOn(praise);
    }

    /// Remarks on words that the catalog does not know, outside the exchanged places.
    void remarkOn(const QRegularExpression &words)
    {
        const QString there = QString::fromLatin1(m_text);
        auto found = words.globalMatch(there);
        while (found.hasNext()) {
            const QRegularExpressionMatch match = found.next();
            const quint32 offset = quint32(match.capturedStart());
            const bool replaced = std::ranges::any_of(m_edits, [offset](const Edit &edit) {
                return offset >= edit.offset && offset < edit.offset + edit.length;
            });
            if (!replaced && !textAt(m_wanted, u"isa.title").contains(match.captured()))
                remark(offset, match.captured());
        }
    }

    void remark(quint32 offset, const QString &what)
    {
        const QString line = QString::number(lineAt(m_text, offset));
        if (!m_keptLines.contains(line))
            m_keptLines.append(line);
        if (!m_keptWords.contains(what))
            m_keptWords.append(what);
    }

    [[nodiscard]] QStringList remarks() const
    {
        QStringList sentences;
        for (const QString &line : m_leftOut)
            sentences.append(Tr::tr("%1 leaves out \"%2\", because it may not be true of %3.")
                                 .arg(textAt(m_wanted, u"name"), line, textAt(m_wanted, u"gpu.id")));
        if (m_keptLines.isEmpty())
            return sentences;
        QStringList lines = m_keptLines;
        std::ranges::sort(lines, {}, [](const QString &line) { return line.toInt(); });
        const QString kept = m_keptWords.join(", "_L1);
        const QString where = Tr::tr("line %1", nullptr, int(lines.size())).arg(lines.join(", "_L1));
        sentences.append(
            differs(u"name"_s)
                ? Tr::tr("%1 is made from %2, which names %3 (%4). That text is kept: check that it is still "
                         "true.")
                      .arg(textAt(m_wanted, u"name"), textAt(m_from, u"name"), kept, where)
                : Tr::tr("Its text still names %1 (%2): check that it is true.").arg(kept, where));
        return sentences;
    }

    /// Checks that the result states the wanted values, wherever the reference stated its own.
    Outcome check(const QByteArray &text)
    {
        const RecipeFacts facts = readFacts(text);
        if (facts.error)
            return refusal(facts.error->spot.line,
                           Tr::tr("the result would not be valid Nix: %1").arg(facts.error->message));
        if (auto error = checkTargets(m_facts.package, facts.package))
            return error;
        if (auto error = checkArchitectures(facts))
            return error;
        if (auto error = checkLeftovers(text))
            return error;
        if (const QString why = notFollowed(facts, m_from, m_wanted); !why.isEmpty())
            return refusal(0, why, Tr::tr("Change the recipe by hand first, or choose another template."));
        if (m_facts.torch.package) {
            if (!facts.torch.package)
                return notWritten(m_facts.torch.spot, Tr::tr("torch"));
            if (auto error = checkTargets(*m_facts.torch.package, *facts.torch.package))
                return error;
        }
        if (differs(u"isa.id"_s)) {
            const QStringList stated = facts.compiled().cxxFlags.values();
            const StatedList &before = m_facts.compiled().cxxFlags;
            for (const QString &flag : flagsOf(m_wanted)) {
                if (before && !stated.contains(flag))
                    return notWritten(before.spot, Tr::tr("CPU flags"));
            }
        }
        if (const StatedList &platforms = m_facts.package.platforms;
            differs(u"isa.platform"_s) && platforms.known && !platforms.items.isEmpty() &&
            !facts.package.platforms.contains(textAt(m_wanted, u"isa.platform")))
            return notWritten(platforms.spot, Tr::tr("platforms"));
        if (m_facts.package.pname && differs(u"pname"_s) && facts.package.pname.value == m_facts.package.pname.value)
            return notWritten(m_facts.package.pname.spot, Tr::tr("pname"));
        if (auto error = checkTorch(facts))
            return error;
        if (auto error = checkCuda(facts, text))
            return error;
        if (differs(u"python.attribute"_s) && m_facts.package.packageSet &&
            facts.package.packageSet.value != textAt(m_wanted, u"python.attribute") &&
            facts.package.packageSet.value != textAt(m_wanted, u"python.overlay_attribute"))
            return notWritten(m_facts.package.packageSet.spot, Tr::tr("the Python package set"));
        const bool isNixpkgsOwn = !flagAt(m_wanted, u"blas.chosen") && !facts.blas(); // in a GPU recipe
        if (changesBlas() && !isNixpkgsOwn && facts.blas().value != textAt(m_wanted, u"blas.attribute"))
            return notWritten(m_facts.blas().spot, textAt(m_wanted, u"blas.title"));
        return onlyNamedFacts(facts);
    }

    Outcome checkTargets(const PackageFacts &before, const PackageFacts &after) const
    {
        if (!before.gpuTargets || !differs(u"gpu.id"_s))
            return {};
        const QStringList stated = before.gpuTargets.values();
        const QString capability = textAt(m_from, u"gpu.capability");
        const QString number = "sm_"_L1 + textAt(m_from, u"gpu.number");
        if (stated != QStringList{capability} && stated != QStringList{number})
            return refusal(
                before.gpuTargets.spot.line,
                Tr::tr("its GPU targets are [%1], not those of %2").arg(stated.join(u' '), textAt(m_from, u"gpu.id")));
        const QString wanted = stated.constFirst() == capability ? textAt(m_wanted, u"gpu.capability")
                                                                 : "sm_"_L1 + textAt(m_wanted, u"gpu.number");
        if (after.gpuTargets.values() != QStringList{wanted})
            return notWritten(before.gpuTargets.spot, Tr::tr("GPU targets"));
        return {};
    }

    /// Checks where it takes torch from.
    Outcome checkTorch(const RecipeFacts &facts) const
    {
        const bool imported =
            m_facts.torch.kind == TorchSource::Kind::Sibling || m_facts.torch.kind == TorchSource::Kind::Fetched;
        if (imported && differs(u"torch.name"_s) && facts.torch.file != textAt(m_wanted, u"torch.name") + ".nix"_L1)
            return notWritten(m_facts.torch.spot, Tr::tr("torch"));
        static const std::pair<QString, TorchSource::Kind> origins[] = {
            {u"torch.in_place"_s, TorchSource::Kind::Built},
            {u"torch.sibling"_s, TorchSource::Kind::Sibling},
            {u"torch.published"_s, TorchSource::Kind::Published},
            {u"torch.fetched"_s, TorchSource::Kind::Fetched}};
        for (const auto &[path, kind] : origins) {
            if (m_facts.torch.kind != TorchSource::Kind::NotStated && differs(path) &&
                textAt(m_wanted, path) == "true"_L1 && facts.torch.kind != kind)
                return refusal(m_facts.torch.spot.line, Tr::tr("it takes torch from another place"));
        }
        return {};
    }

    Outcome checkCuda(const RecipeFacts &facts, const QByteArray &text) const
    {
        if (!differs(u"cuda.attribute"_s))
            return {};
        const auto selection = [](const RecipeFacts &of) {
            const auto found = std::ranges::find(of.overlays, OverlayFacts::Kind::CudaSelection, &OverlayFacts::kind);
            return found == of.overlays.end() ? StatedText() : found->value;
        };
        const StatedText before = selection(m_facts);
        if (before && selection(facts).value != textAt(m_wanted, u"cuda.attribute"))
            return notWritten(before.spot, Tr::tr("the CUDA package set"));
        const bool imports = !pathsNamedIn(u".flox/pkgs/x.nix"_s, text).isEmpty(); // which may say it
        if (!before && !imports && !text.contains(textAt(m_wanted, u"cuda.attribute").toUtf8()))
            return refusal(0, Tr::tr("it does not say which CUDA it takes"));
        return {};
    }

    /// Checks the targets that CMake gets, and those of all packages of the nixpkgs.
    Outcome checkArchitectures(const RecipeFacts &facts) const
    {
        if (!differs(u"gpu.id"_s))
            return {};
        const QString name = u"CMAKE_CUDA_ARCHITECTURES"_s;
        const StatedText before = definitionOf(m_facts.compiled().cmakeFlags, name);
        const StatedText after = definitionOf(facts.compiled().cmakeFlags, name);
        const auto wantedFor = [this](const QString &stated) {
            return QString(stated).replace(textAt(m_from, u"gpu.number"), textAt(m_wanted, u"gpu.number"));
        };
        if (before && (!before.known || after.value == before.value || after.value != wantedFor(before.value)))
            return notWritten(before.spot, Tr::tr("GPU targets"));
        for (qsizetype i = 0; i < std::min(m_facts.pins.size(), facts.pins.size()); ++i) {
            const StatedList &capabilities = m_facts.pins.at(i).cudaCapabilities;
            if (capabilities &&
                facts.pins.at(i).cudaCapabilities.values() != QStringList{textAt(m_wanted, u"gpu.capability")})
                return notWritten(capabilities.spot, Tr::tr("GPU targets"));
        }
        return {};
    }

    /// Checks the whole text for what is only true of the old variant, wherever it is: compiler options of its
    /// instruction set, and a driver that the wanted toolkit or GPU does not run with.
    Outcome checkLeftovers(const QByteArray &text) const
    {
        const QString there = QString::fromLatin1(text);
        const auto left = [&](const QRegularExpressionMatch &match, const QString &of) {
            return refusal(lineAt(text, quint32(match.capturedStart())),
                           Tr::tr("%1 is for %2 and would be left in the new recipe").arg(match.captured(), of),
                           Tr::tr("Choose another reference, or write the recipe by hand."));
        };
        if (differs(u"isa.id"_s)) {
            static const QRegularExpression options(uR"((?<![\w-])-m[a-z][\w.=+-]*)"_s);
            const QStringList old = flagsOf(m_from);
            const QStringList wanted = flagsOf(m_wanted);
            for (auto found = options.globalMatch(there); found.hasNext();) {
                const QRegularExpressionMatch match = found.next();
                if (isOldFlag(match.captured(), old) && !wanted.contains(match.captured()))
                    return left(match, textAt(m_from, u"isa.title"));
            }
        }
        if (const QString level = levelOfOther(text, m_wanted); !level.isEmpty() && differs(u"isa.platform"_s))
            return refusal(
                lineAt(text, quint32(text.indexOf(level.toLatin1()))),
                Tr::tr("%1 is for %2 and would be left in the new recipe").arg(level, textAt(m_from, u"isa.title")),
                Tr::tr("Choose another reference, or write the recipe by hand."));
        if (differs(u"driver"_s) || differs(u"cuda.version"_s)) {
            for (const QRegularExpressionMatch &match : driversInText().globalMatch(there)) {
                if (!newerDriver(match.captured(1), m_wanted).isEmpty())
                    return left(match, textAt(m_from, u"name"));
            }
        }
        return {};
    }

    /// Checks that no fact is added, removed or changed that is unrelated to the exchange.
    Outcome onlyNamedFacts(const RecipeFacts &facts) const
    {
        QList<Fact> before = m_facts.rows();
        QList<Fact> after = facts.rows();
        const auto isBlas = [](const Fact &fact) { return fact.id == "blas"_L1 || fact.id == "lapack"_L1; };
        if (changesBlas()) {
            before.removeIf(isBlas);
            after.removeIf(isBlas);
        }
        if (before.size() != after.size())
            return refusal(0, Tr::tr("other facts would change with it"));
        for (qsizetype i = 0; i < before.size(); ++i) {
            const Fact &fact = before.at(i);
            if (fact.id != after.at(i).id)
                return refusal(fact.line, Tr::tr("other facts would change with it"));
            static const QStringList structural{u"config"_s, u"magma_patch"_s, u"overlay"_s, u"cuda_support"_s,
                                                u"metadata_rev"_s};
            const bool meant = fact.id == "metadata_rev"_L1 && differs(fact.id);
            if (structural.contains(fact.id) && !meant && fact.value != after.at(i).value)
                return refusal(fact.line, Tr::tr("%1 would change with it").arg(fact.label));
        }
        return {};
    }

    [[nodiscard]] Error notWritten(const Spot &spot, const QString &what) const
    {
        return refusal(spot.line, Tr::tr("%1 cannot be exchanged: it is not written out as the variant's").arg(what));
    }

    const QByteArray &m_text;
    const Catalog &m_catalog;
    const QVariantHash &m_from;
    const QVariantHash &m_wanted;
    RecipeFacts m_facts;
    Edits m_edits;
    QStringList m_keptLines;
    QStringList m_keptWords;
    QStringList m_leftOut; ///< line numbers
};

} // namespace

QString levelOfOther(const QByteArray &text, const QVariantHash &context)
{
    static const QRegularExpression level(u"\\bx86-64-v[2-4]\\b"_s);
    return textAt(context, u"isa.platform").startsWith("aarch64"_L1) ? level.match(QString::fromLatin1(text)).captured()
                                                                     : QString();
}

void takeImported(QVariantHash &context, const QVariantHash &wanted, const QByteArray &text, const RecipeFacts &facts)
{
    const auto isElsewhere = [&](QStringView path) {
        const QString value = textAt(context, path);
        return value.isEmpty() || !text.contains(value.toUtf8());
    };
    const bool pinned =
        std::ranges::any_of(facts.pins, [](const PinFacts &pin) { return pin.revision.spot.file != 0; });
    if (pinned && isElsewhere(u"nixpkgs.rev") && isElsewhere(u"nixpkgs.sha256"))
        context.insert(u"nixpkgs"_s, wanted.value(u"nixpkgs"_s));
    if (facts.files.isEmpty())
        return;
    for (const auto &[table, key] : {std::pair(u"source"_s, u"hash"_s), {u"torch"_s, u"hash"_s}}) {
        if (!isElsewhere(QString(table + u'.' + key)))
            continue;
        QVariantHash values = context.value(table).toHash();
        values.insert(key, wanted.value(table).toHash().value(key));
        context.insert(table, values);
    }
}

QString notFollowed(const RecipeFacts &facts, const QVariantHash &from, const QVariantHash &wanted)
{
    const auto wantsOther = [&](QStringView path) { return textAt(from, path) != textAt(wanted, path); };
    if (const QString number = textAt(wanted, u"metadata_rev");
        wantsOther(u"metadata_rev") && facts.package.metadataRevision.value != number) {
        if (number.isEmpty())
            return Tr::tr("it writes a .metadata-rev");
        return facts.package.metadataRevision ? Tr::tr("it writes another .metadata-rev than %1").arg(number)
                                              : Tr::tr("it writes no .metadata-rev");
    }
    for (const PackageFacts *package : {&facts.package, facts.torch.package.get()}) {
        if (!package || !package->gpuTargets || !wantsOther(u"gpu.sm_notation"))
            continue;
        const QString target = textAt(wanted, u"gpu.target");
        if (package->gpuTargets.values() != QStringList{target})
            return Tr::tr("its GPU targets are [%1], not [%2]").arg(package->gpuTargets.values().join(u' '), target);
    }
    if (const QString revision = textAt(wanted, u"nixpkgs.rev");
        wantsOther(u"nixpkgs.rev") && !revision.isEmpty() &&
        std::ranges::none_of(facts.pins, [&](const PinFacts &pin) { return pin.revision.value == revision; }))
        return facts.pins.isEmpty() ? Tr::tr("it fetches no nixpkgs") : Tr::tr("it fetches another nixpkgs");
    return {};
}

bool isOfOtherPlatforms(const Mention &mention, const RecipeFacts &facts, const QString &platform)
{
    const StatedList &platforms = facts.package.platforms;
    return mention.path == "isa.platform"_L1 && platforms && platforms.values() != QStringList{platform} &&
           mention.offset >= platforms.spot.offset && mention.offset < platforms.spot.end();
}

QList<QList<StatedText>> flagListsOf(const RecipeFacts &facts)
{
    QList<StatedText> all;
    const auto add = [&all](const StatedList &list) {
        for (const StatedText &item : list.items) {
            const auto same = [&item](const StatedText &other) { return other.spot == item.spot; };
            if (std::ranges::none_of(all, same))
                all.append(item);
        }
    };
    add(facts.package.cxxFlags);
    add(facts.package.cFlags);
    for (const PackageFacts &library : facts.libraries) {
        add(library.cxxFlags);
        add(library.cFlags);
    }
    if (facts.torch.package) {
        add(facts.torch.package->cxxFlags);
        add(facts.torch.package->cFlags);
    }
    std::ranges::sort(all, {}, [](const StatedText &item) { return item.spot.offset; });
    QList<QList<StatedText>> lists;
    for (const StatedText &flag : all) {
        // A repeated flag begins another list.
        const auto same = [&flag](const StatedText &other) { return other.value == flag.value; };
        if (lists.isEmpty() || std::ranges::any_of(lists.constLast(), same))
            lists.append(QList<StatedText>());
        lists.last().append(flag);
    }
    return lists;
}

std::optional<FlagLines> flagLines(const QByteArray &text, const QList<StatedText> &flags)
{
    FlagLines lines;
    qsizetype column = -1; // column of the comments
    qsizetype longest = 0;
    lines.aligned = true;
    quint32 end = 0;
    for (const StatedText &flag : flags) {
        if (replaced(text, flag.spot, flag.value, flag.value).isEmpty() || flag.spot.offset == 0 ||
            text.at(flag.spot.offset - 1) != '"' || flag.spot.end() >= quint32(text.size()) ||
            text.at(flag.spot.end()) != '"')
            return std::nullopt;
        const qsizetype begin = text.lastIndexOf('\n', flag.spot.offset - 1) + 1;
        qsizetype stop = text.indexOf('\n', flag.spot.end());
        stop = stop < 0 ? text.size() : stop;
        const QByteArray indent = text.sliced(begin, flag.spot.offset - 1 - begin);
        QByteArray rest = text.sliced(flag.spot.end() + 1, stop - flag.spot.end() - 1);
        const qsizetype comment = rest.indexOf('#');
        if (!indent.trimmed().isEmpty() || (comment < 0 ? rest : rest.first(comment)).trimmed().size() > 0 ||
            (end > 0 && (quint32(begin) != end + 1 || indent != lines.indent)))
            return std::nullopt;
        if (end == 0) {
            lines.offset = quint32(begin);
            lines.indent = indent;
        }
        end = quint32(stop);
        longest = std::max(longest, qsizetype(flag.spot.length));
        if (comment >= 0) {
            lines.comments = true;
            lines.notes.insert(flag.value, rest.sliced(comment));
            const qsizetype at = qsizetype(flag.spot.length) + 2 + comment;
            lines.aligned = lines.aligned && (column < 0 || column == at);
            column = at;
            lines.gap = rest.first(comment);
        }
    }
    if (flags.isEmpty())
        return std::nullopt;
    lines.length = end - lines.offset;
    lines.column = column;
    if (lines.comments && lines.aligned)
        lines.gap = QByteArray(std::max<qsizetype>(1, column - longest - 2), ' ');
    return lines;
}

QByteArray withFlagsOf(const QByteArray &text, const Catalog &catalog, const QVariantHash &context)
{
    return Exchange(text, catalog, context, context).withOwnFlags();
}

Result<Exchanged> exchanged(const QByteArray &text, const Catalog &catalog, const QVariantHash &from,
                            const QVariantHash &wanted)
{
    return Exchange(text, catalog, from, wanted).run();
}

} // namespace tmx
