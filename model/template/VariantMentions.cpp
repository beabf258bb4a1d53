// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/template/VariantMentions.h"

#include "model/nix/Parse.h"
#include "model/nix/Walk.h"
#include "model/template/TextTemplate.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isWord(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
}

/// One notation of a value.
struct Form {
    QByteArray text; ///< prefix + value + suffix
    QString path;    ///< empty: belongs to another row or instruction set
    QByteArray prefix;
    QByteArray suffix;
    bool caseless = false;
};

/// Products of one GPU row.
struct Product {
    QByteArray name;
    bool own = false;
};

/// Other notations of an instruction set's title: "AVX512" for "AVX-512", "AVX-512 + VNNI" for "AVX-512 VNNI",
/// "ARMv9-A" and "ARMv9" for "ARMv9-A SVE2".
QList<QByteArray> aliasesOf(const QString &title)
{
    QList<QByteArray> aliases;
    if (title.startsWith("ARM"_L1)) {
        QString word = title.section(u' ', 0, 0);
        aliases.append(word.toUtf8());
        if (word.endsWith("-A"_L1))
            aliases.append(word.chopped(2).toUtf8());
    } else if (title.contains(u'-')) {
        aliases.append(QString(title).remove(u'-').toUtf8());
        aliases.append(QString(title).replace(u' ', " + "_L1).toUtf8());
    }
    aliases.removeAll(title.toUtf8());
    return aliases;
}

class Forms
{
public:
    Forms(const Catalog &catalog, const QVariantHash &context, const QVariantHash *changed)
        : m_context(context)
        , m_changed(changed)
    {
        const bool gpu = !textAt(context, u"gpu.capability").isEmpty();
        for (const char *path : {"name", "pname", "torch.name", "torch.pname", "nixpkgs.rev", "nixpkgs.sha256",
                                 "torch.hash", "source.hash", "python.attribute", "python.version", "version",
                                 "torch.version", "isa.hardware", "isa.title", "isa.id", "isa.platform", "isa.machine"})
            add(path);
        for (const char *prefix : {"python", "cp", "py"})
            add("python.number", prefix);
        add("python.number", "\"", "\"");
        add("python.version", "python");
        for (const char *suffix : {"-real", "-virtual"})
            add("gpu.number", {}, suffix);
        for (const char *path : {"family.release", "family.paired"})
            add(path);
        // A pin's own Python has two names. A recipe with the name without a number does not mention Python until
        // another Python is wanted.
        if (textAt(context, u"python.overlay_attribute") != textAt(context, u"python.attribute"))
            add("python.overlay_attribute");
        else if (changed && textAt(*changed, u"python.attribute") != textAt(context, u"python.attribute"))
            addForm({"python3Packages", u"python.attribute"_s, {}, {}});
        for (const QByteArray &alias : aliasesOf(textAt(context, u"isa.title")))
            addForm({alias, u"isa.title"_s, {}, {}});
        if (gpu) {
            for (const char *path : {"gpu.title", "gpu.id", "gpu.capability", "gpu.generation", "gpu.brief"})
                add(path);
            for (const char *prefix :
                 {"SM", "SM=", "sm=", "sm = ", "arch = ", "gpu = ", "target = ", "capability = ", "arch=", "ARCH=",
                  "ARCHS=", "sm_", "SM_", "sm-", "compute_", "ARCHITECTURES=", "CMAKE_CUDA_ARCHITECTURES=",
                  "-DCMAKE_CUDA_ARCHITECTURES=", "-DCMAKE_CUDA_ARCHITECTURES:STRING="})
                add("gpu.number", prefix);
            add("gpu.number", "\"", "\"");
            add("gpu.architecture");
        }
        if (!textAt(context, u"cuda.version").isEmpty()) {
            for (const char *path : {"driver", "cuda.attribute", "cuda.release", "cuda.version"})
                add(path);
            if (textAt(context, u"driver") != textAt(context, u"driver_major"))
                add("driver_major", {}, "+");
            for (const char *prefix : {"cuda", "CUDA ", "cuda ", "cuda-"})
                add("cuda.underscored", prefix);
            add("cuda.underscored", "\"", "\"");
            add("cuda.compact", "cu");
            add("cuda.major", "CUDA ");
            add("cuda.version", "CUDA_VERSION=");
        }
        addForeign(catalog, gpu);
        for (QList<Form> &forms : m_forms)
            std::ranges::stable_sort(forms, [](const Form &a, const Form &b) { return a.text.size() > b.text.size(); });
        std::ranges::stable_sort(m_products,
                                 [](const Product &a, const Product &b) { return a.name.size() > b.name.size(); });
        for (const Product &product : std::as_const(m_products))
            m_productsByStart.at(uchar(product.name.at(0))).append(product);
    }

    [[nodiscard]] const QList<Form> &startingWith(char c) const { return m_forms.at(uchar(lower(c))); }
    [[nodiscard]] const QList<Product> &products() const { return m_products; }
    [[nodiscard]] const QList<Product> &productsStartingWith(char c) const { return m_productsByStart.at(uchar(c)); }
    [[nodiscard]] qsizetype ownProducts() const { return m_ownProducts; }
    [[nodiscard]] bool differs(const QString &path) const
    {
        if (!m_changed)
            return true;
        const QVariant *from = valueAt(m_context, path);
        const QVariant *to = valueAt(*m_changed, path);
        return !from || !to || *from != *to;
    }

private:
    void add(const char *path, const QByteArray &prefix = {}, const QByteArray &suffix = {})
    {
        const QString name = QString::fromLatin1(path);
        const QByteArray value = textAt(m_context, name).toUtf8();
        if (!value.isEmpty())
            addForm({prefix + value + suffix, name, prefix, suffix, name == "gpu.generation"_L1});
    }

    void addForm(const Form &form)
    {
        QList<Form> &forms = m_forms.at(uchar(lower(form.text.at(0))));
        const auto same = [&form](const Form &other) { return other.text == form.text; };
        // The first one added wins. But two values with equal notation now may differ later.
        const auto known = std::ranges::find_if(forms, same);
        if (known == forms.end() || (!form.path.isEmpty() && known->path != form.path))
            forms.append(form);
    }

    void addForeign(const Catalog &catalog, bool gpu)
    {
        const QString row = textAt(m_context, u"gpu.id");
        const QString isa = textAt(m_context, u"isa.id");
        const auto foreign = [this](const QByteArray &text) {
            if (!text.isEmpty())
                addForm({text, {}, {}, {}});
        };
        for (const GpuRow &other : catalog.rows) {
            const bool own = gpu && other.id == row;
            if (own)
                m_ownProducts = other.products.size();
            for (const QString &product : other.products) {
                if (other.isGpu())
                    m_products.append({product.toUtf8(), own});
            }
            if (own || !other.isGpu())
                continue;
            foreign(other.id.toUtf8());
            foreign(other.id.toUpper().toUtf8());
            foreign(other.generation.toUtf8());
        }
        for (const Isa &other : catalog.isas) {
            if (other.id == isa)
                continue;
            foreign(other.title.toUtf8());
            foreign(other.id.toUtf8());
            for (const QByteArray &alias : aliasesOf(other.title))
                foreign(alias);
        }
    }

    const QVariantHash &m_context;
    const QVariantHash *m_changed;
    std::array<QList<Form>, 256> m_forms;
    QList<Product> m_products; ///< the longest first
    std::array<QList<Product>, 256> m_productsByStart;
    qsizetype m_ownProducts = 0;
};

/// Where the text has an identifier, in comments too.
QList<qsizetype> placesOfName(const QByteArray &text, const QByteArray &name)
{
    const auto isPart = [&text](qsizetype at) {
        return at >= 0 && at < text.size() && (isWord(text.at(at)) || text.at(at) == '-' || text.at(at) == '\'');
    };
    QList<qsizetype> places;
    for (qsizetype at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
        if (!isPart(at - 1) && !isPart(at + name.size()))
            places.append(at);
    }
    return places;
}

class Scanner
{
public:
    Scanner(const QByteArray &text, const Catalog &catalog, const QVariantHash &context, const QVariantHash *changed)
        : m_text(text)
        , m_forms(catalog, context, changed)
        , m_context(context)
        , m_changed(changed)
    {
        for (const QString &family : catalog.familyIds())
            m_variantStarts.append(family.toUtf8() + "-python3");
        for (size_t c = 0; c < m_begins.size(); ++c)
            m_begins.at(c) =
                !m_forms.startingWith(char(c)).isEmpty() || !m_forms.productsStartingWith(char(c)).isEmpty();
        for (const QByteArray &start : std::as_const(m_variantStarts))
            m_begins.at(uchar(start.at(0))) = true;
    }

    QList<Mention> scan()
    {
        findHardware();
        findMetadataNumber();
        findNamesOfPython();
        qsizetype at = 0;
        while (at < m_text.size()) {
            if (!m_begins.at(uchar(m_text.at(at)))) {
                ++at;
                continue;
            }
            if (const qsizetype end = otherVariant(at); end > at) {
                m_mentions.append({quint32(at), quint32(end - at), {}, {}, {}, 0, {}, {}, m_text.sliced(at, end - at)});
                at = end;
                continue;
            }
            const std::optional<Mention> found = mentionAt(at);
            if (!found) {
                ++at;
                continue;
            }
            if (found->path.isEmpty() || m_forms.differs(found->path))
                m_mentions.append(*found);
            at += found->length;
        }
        return std::move(m_mentions);
    }

private:
    [[nodiscard]] char at(qsizetype i) const { return i >= 0 && i < m_text.size() ? m_text.at(i) : '\n'; }

    [[nodiscard]] QByteArrayView lineBefore(qsizetype i) const
    {
        const qsizetype begin = i > 0 ? m_text.lastIndexOf('\n', i - 1) + 1 : 0;
        return QByteArrayView(m_text).sliced(begin, i - begin);
    }

    [[nodiscard]] QByteArrayView lineOf(qsizetype i) const
    {
        const qsizetype begin = i > 0 ? m_text.lastIndexOf('\n', i - 1) + 1 : 0;
        const qsizetype end = m_text.indexOf('\n', i);
        return QByteArrayView(m_text).sliced(begin, (end < 0 ? m_text.size() : end) - begin);
    }

    /// Whether the text from `begin` to `end` is a whole word.
    [[nodiscard]] bool standsAlone(qsizetype begin, qsizetype end) const
    {
        if (isWord(at(begin))) {
            const bool version = isDigit(at(begin)) && at(begin - 1) == 'v' && !isWord(at(begin - 2));
            if (isWord(at(begin - 1)) && !version)
                return false;
            if (isDigit(at(begin)) && at(begin - 1) == '.' && isDigit(at(begin - 2)))
                return false;
        }
        const char next = at(end);
        if (isWord(at(end - 1)) && isWord(next))
            return false;
        return !(isDigit(at(end - 1)) && next == '.' && isDigit(at(end + 1)));
    }

    /// Whether the context of a bare number at `begin` shows that it is the value of `path`.
    [[nodiscard]] bool fitsPlace(const Form &form, qsizetype begin) const
    {
        const auto before = [&](QByteArrayView word) {
            const QByteArray line = lineBefore(begin).toByteArray().toLower();
            qsizetype end = line.size();
            while (end > 0 && (line.at(end - 1) == ' ' || line.at(end - 1) == ':' || line.at(end - 1) == '=' ||
                               line.at(end - 1) == '"'))
                --end;
            return line.first(end).endsWith(word);
        };
        if (form.path == "gpu.capability"_L1)
            return !before("cuda") && !before("cudnn") && !before("pytorch") && !before("torch") && !before("python") &&
                   !before("gcc") && !before("cuda_version");
        // The bound of a condition is a fact about the GPU, whatever the recipe's own toolkit is.
        const QByteArrayView line = lineBefore(begin);
        if (form.path.startsWith("cuda."_L1) &&
            (line.indexOf("versionAtLeast") >= 0 || line.indexOf("versionOlder") >= 0))
            return false;
        if (form.path.startsWith("cuda."_L1) && isDigit(form.text.at(0)))
            return !before("capability") && !before("arch_list");
        // "x86-64-v3" is a level of the instruction set.
        const QByteArrayView rest = QByteArrayView(m_text).sliced(begin + form.text.size());
        if (form.path == "isa.machine"_L1 && rest.startsWith("-v"))
            return false;
        if (form.path == "cuda.major"_L1)
            return at(begin + form.text.size()) != '.';
        // A file has the variant's name, whatever the package's own name is.
        if (form.path.endsWith("pname"_L1))
            return !QByteArrayView(m_text).sliced(begin + form.text.size()).startsWith(".nix");
        if (form.path == "python.version"_L1)
            return lineOf(begin).toByteArray().toLower().contains("ython");
        return true;
    }

    [[nodiscard]] bool isThere(const Form &form, qsizetype begin) const
    {
        if (begin + form.text.size() > m_text.size())
            return false;
        const QByteArrayView there = QByteArrayView(m_text).sliced(begin, form.text.size());
        const bool same = form.caseless ? there.compare(form.text, Qt::CaseInsensitive) == 0 : there == form.text;
        return same && standsAlone(begin, begin + form.text.size()) && fitsPlace(form, begin);
    }

    /// The end of another variant's name that begins at `begin`: it must not be changed.
    [[nodiscard]] qsizetype otherVariant(qsizetype begin) const
    {
        if (isWord(at(begin - 1)) || at(begin - 1) == '-')
            return begin;
        for (const QByteArray &start : m_variantStarts) {
            if (!QByteArrayView(m_text).sliced(begin).startsWith(start))
                continue;
            qsizetype end = begin;
            while (isWord(at(end)) || at(end) == '-' || (at(end) == '.' && isDigit(at(end + 1))))
                ++end;
            const QByteArray name = m_text.sliced(begin, end - begin);
            const QByteArray own = textAt(m_context, u"name").toUtf8();
            return name.sliced(name.indexOf('-')) == own.sliced(own.indexOf('-')) ? begin : end;
        }
        return begin;
    }

    [[nodiscard]] std::optional<Mention> mentionAt(qsizetype begin) const
    {
        const Form *best = nullptr;
        for (const Form &form : m_forms.startingWith(m_text.at(begin))) {
            if (best && form.text.size() < best->text.size())
                break;
            if (!isThere(form, begin))
                continue;
            // Of two values with equal notation, take the one that changes, else the first.
            if (!best || (best->path.isEmpty() && !form.path.isEmpty()) ||
                (!form.path.isEmpty() && !m_forms.differs(best->path) && m_forms.differs(form.path)))
                best = &form;
        }
        if (std::optional<Mention> run = productsAt(begin); run && (!best || run->length >= best->text.size()))
            return run;
        if (!best)
            return std::nullopt;
        return Mention{quint32(begin),
                       quint32(best->text.size()),
                       best->path,
                       best->prefix,
                       best->suffix,
                       0,
                       {},
                       {},
                       m_text.sliced(begin, best->text.size())};
    }

    /// Extends a product that ends at `end` by a following model: "RTX 4070" with " Ti Super".
    [[nodiscard]] qsizetype withModel(qsizetype end) const
    {
        for (const char *model : {" Ti", " Super", " SUPER"}) {
            const qsizetype size = qsizetype(qstrlen(model));
            if (QByteArrayView(m_text).sliced(end).startsWith(model) && standsAlone(end + 1, end + size))
                end += size;
        }
        return end;
    }

    [[nodiscard]] const Product *productAt(qsizetype begin) const
    {
        for (const Product &product : m_forms.productsStartingWith(m_text.at(begin))) {
            if (QByteArrayView(m_text).sliced(begin).startsWith(product.name) &&
                standsAlone(begin, begin + product.name.size()))
                return &product;
        }
        return nullptr;
    }

    /// Length of a product that omits the first words of the previous one: "1080 Ti" in "GTX 1070, 1080 Ti". 0 if there
    /// is none.
    [[nodiscard]] qsizetype shortenedAt(qsizetype begin, const Product &before) const
    {
        const qsizetype space = before.name.indexOf(' ');
        if (space < 0)
            return 0;
        const QByteArray start = before.name.first(space + 1);
        for (const Product &product : m_forms.products()) {
            const QByteArrayView rest =
                QByteArrayView(product.name).sliced(std::min(start.size(), product.name.size()));
            if (product.own == before.own && product.name.startsWith(start) && !rest.isEmpty() &&
                QByteArrayView(m_text).sliced(begin).startsWith(rest) && standsAlone(begin, begin + rest.size()))
                return rest.size();
        }
        return 0;
    }

    /// "H100, H200 or L40S": products with their separators. If one belongs to the row, the whole list does.
    [[nodiscard]] std::optional<Mention> productsAt(qsizetype begin) const
    {
        const Product *product = productAt(begin);
        if (!product)
            return std::nullopt;
        Mention run{.offset = quint32(begin), .products = 1};
        QList<QByteArray> separators;
        bool own = product->own;
        qsizetype end = withModel(begin + product->name.size());
        while (true) {
            QByteArray separator;
            for (const char *candidate : {", or ", ", and ", " or ", " and ", ", ", "/"}) {
                if (QByteArrayView(m_text).sliced(end).startsWith(candidate)) {
                    separator = candidate;
                    break;
                }
            }
            if (separator.isEmpty())
                break;
            const qsizetype next = end + separator.size();
            const Product *other = next < m_text.size() ? productAt(next) : nullptr;
            const qsizetype length = other ? other->name.size() : shortenedAt(next, *product);
            if (length == 0)
                break;
            own = own || (other && other->own);
            product = other ? other : product;
            separators.append(separator);
            end = withModel(next + length);
            ++run.products;
        }
        run.length = quint32(end - begin);
        run.text = m_text.sliced(begin, end - begin);
        if (!own) {
            run.products = 0;
            return run;
        }
        run.path = u"gpu.products"_s;
        if (run.products == m_forms.ownProducts())
            run.products = -1;
        run.separator = separators.value(0, ", ");
        run.last = separators.isEmpty() ? ", " : separators.constLast();
        return run;
    }

    /// A CPU requirement in free wording, "Intel Haswell+ (2013+), AMD Zen 1+", states isa.hardware, and so do CPUs in
    /// brackets behind an instruction set, "ARMv9 (Graviton3+, Grace)".
    void findHardware()
    {
        static const QRegularExpression requirement(
            uR"((?:- CPU|Hardware support|Hardware|- Hardware): ((?:Intel|AMD|AWS|ARM Neoverse|Neoverse|NVIDIA Grace|Graviton|Ampere)\b[^"\n]*?)(?= with |"|\n))"_s);
        static const QRegularExpression inBrackets(
            uR"x(\b(?:ARMv\d|AVX)[^("\n]{0,20}\(((?:Intel|AMD|AWS|ARM Neoverse|Neoverse|NVIDIA Grace|Grace|Graviton|Ampere|Haswell|Zen|Skylake|Cascade|Cooper|Ice Lake|Sapphire)[^()"\n]*)\))x"_s);
        findCaptured(requirement, u"isa.hardware"_s);
        findCaptured(inBrackets, u"isa.hardware"_s);
    }

    void findNamesOfPython()
    {
        if (!m_forms.differs(u"python.number"_s))
            return;
        const QByteArray number = textAt(m_context, u"python.number").toUtf8();
        for (const QByteArray &name : namesOfPython(m_text, m_context).own) {
            const qsizetype in = name.indexOf("python" + number) + qsizetype(qstrlen("python"));
            for (const qsizetype begin : placesOfName(m_text, name))
                m_mentions.append({quint32(begin),
                                   quint32(name.size()),
                                   u"python.number"_s,
                                   name.first(in),
                                   name.sliced(in + number.size()),
                                   0,
                                   {},
                                   {},
                                   name});
        }
    }

    /// Finds any number that a recipe writes to its output: "echo 3 > $out/.metadata-rev".
    void findMetadataNumber()
    {
        static const QRegularExpression number(uR"(\becho\s+["']?(\d+)["']?\s*>\s*"?\$\{?out\}?"?/\.metadata-rev\b)"_s);
        if (!textAt(m_context, u"metadata_rev").isEmpty() ||
            m_changed) // Otherwise nothing shows that it is the settings' value.
            findCaptured(number, u"metadata_rev"_s);
    }

    /// Finds values of `path` in the first group of each match.
    void findCaptured(const QRegularExpression &form, const QString &path)
    {
        if (!m_forms.differs(path))
            return;
        // Latin-1 preserves byte offsets.
        auto found = form.globalMatch(QString::fromLatin1(m_text));
        while (found.hasNext()) {
            const QRegularExpressionMatch match = found.next();
            const quint32 begin = quint32(match.capturedStart(1));
            const quint32 length = quint32(match.capturedLength(1));
            m_mentions.append({begin, length, path, {}, {}, 0, {}, {}, m_text.sliced(begin, length)});
        }
    }

    const QByteArray &m_text;
    Forms m_forms;
    const QVariantHash &m_context;
    const QVariantHash *m_changed;
    QList<QByteArray> m_variantStarts;
    std::array<bool, 256> m_begins{}; ///< bytes that anything looked for begins with
    QList<Mention> m_mentions;
};

} // namespace

const QRegularExpression &driversInText()
{
    static const QRegularExpression drivers(uR"([Dd]river[^\n\d]{0,20}(\d{3}(?:\.\d+)*)\+?)"_s);
    return drivers;
}

QByteArray newerDriver(const QString &stated, const QVariantHash &context)
{
    const QString floor = textAt(context, u"driver");
    if (floor.isEmpty() || compareVersions(stated, floor) >= 0 || floor.startsWith(stated + u'.'))
        return {};
    return (stated.contains(u'.') ? floor : textAt(context, u"driver_major")).toUtf8();
}

QByteArray withNewDrivers(const QByteArray &text, const QVariantHash &context)
{
    QByteArray result = text;
    qsizetype longer = 0;
    for (const QRegularExpressionMatch &match : driversInText().globalMatch(QString::fromLatin1(text))) {
        const QByteArray newer = newerDriver(match.captured(1), context);
        if (newer.isEmpty())
            continue;
        result.replace(match.capturedStart(1) + longer, match.capturedLength(1), newer);
        longer += newer.size() - match.capturedLength(1);
    }
    return result;
}

QString textAt(const QVariantHash &context, QStringView path)
{
    const QVariant *value = valueAt(context, path);
    return value ? value->toString() : QString();
}

NamesOfPython namesOfPython(const QByteArray &text, const QVariantHash &context)
{
    NamesOfPython names;
    const QString number = textAt(context, u"python.number");
    if (number.isEmpty() || !text.contains("python" + number.toUtf8()))
        return names;
    static const QRegularExpression identifiers(u"(?<![\\w'-])([A-Za-z_][\\w'-]*?)?python(\\d+)([\\w'-]*)"_s);
    QList<QByteArray> found;
    QHash<QByteArray, QSet<QString>> numbers; // by what is beside them
    for (const QRegularExpressionMatch &match : identifiers.globalMatch(QString::fromLatin1(text))) {
        const QString after = match.captured(3);
        if (after.startsWith(u'-') || (match.captured(1).isEmpty() && (after.isEmpty() || after == "Packages"_L1)))
            continue;
        numbers[(match.captured(1) + u' ' + after).toLatin1()].insert(match.captured(2));
        if (match.captured(2) == number && !found.contains(match.captured().toLatin1()))
            found.append(match.captured().toLatin1());
    }
    if (found.isEmpty())
        return names;
    const nix::ParseResult parsed = nix::parse(text);
    if (!parsed.tree)
        return names;
    QSet<QByteArray> bound, elsewhere;
    const auto nameAt = [&text](const nix::Span &span) {
        return text.sliced(qsizetype(span.offset), qsizetype(span.length));
    };
    const auto addNames = [&](std::span<const nix::AttributeName> path, QSet<QByteArray> &to) {
        for (const nix::AttributeName &name : path)
            to.insert(nameAt(name.span));
    };
    QSet<const nix::Binding *> ofLet;
    nix::forEachNode(parsed.tree->root(), [&](const nix::Node &node) {
        if (const auto *let = nix::as<nix::Let>(&node)) {
            for (const nix::Binding *binding : let->bindings->bindings) {
                if (binding->kind == nix::Binding::Value && binding->names.size() == 1)
                    ofLet.insert(binding);
            }
        } else if (const auto *select = nix::as<nix::Select>(&node)) {
            addNames(select->path, elsewhere);
        } else if (const auto *has = nix::as<nix::HasAttribute>(&node)) {
            addNames(has->path, elsewhere);
        } else if (const auto *lambda = nix::as<nix::Lambda>(&node)) {
            elsewhere.insert(nameAt(lambda->argumentSpan));
            for (const nix::Formal &formal : lambda->formals)
                elsewhere.insert(nameAt(formal.span));
        }
    });
    nix::forEachBinding(parsed.tree->root(), [&](const nix::Binding &binding) {
        addNames(binding.names, ofLet.contains(&binding) ? bound : elsewhere);
    });
    for (const QByteArray &name : std::as_const(found)) {
        const qsizetype in = name.indexOf("python" + number.toLatin1());
        const QByteArray beside = name.first(in) + ' ' + name.sliced(in + 6 + number.size());
        const bool isOwn = bound.contains(name) && !elsewhere.contains(name) && numbers.value(beside).size() == 1;
        if (isOwn || bound.contains(name) || elsewhere.contains(name))
            (isOwn ? names.own : names.others).append(name);
    }
    return names;
}

QList<ReleaseClaim> releaseClaims(const QByteArray &text)
{
    static const QRegularExpression claim(
        uR"(^[^\n]*\b(?:added|introduced|supported|available|since|needs?|requires?|first)\b[^\n]*\bPyTorch v?(\d+\.\d+)\b[^\n]*$)"_s,
        QRegularExpression::MultilineOption | QRegularExpression::CaseInsensitiveOption);
    QList<ReleaseClaim> claims;
    // Latin-1 preserves byte offsets.
    auto found = claim.globalMatch(QString::fromLatin1(text));
    while (found.hasNext()) {
        const QRegularExpressionMatch match = found.next();
        ReleaseClaim one;
        one.offset = quint32(match.capturedStart());
        one.length = quint32(match.capturedLength());
        one.version = match.captured(1);
        const QByteArray line = text.sliced(match.capturedStart(), match.capturedLength()).trimmed();
        const bool plain = std::ranges::none_of(line, [](char c) { return QByteArrayView("\"={}$;").contains(c); });
        one.alone = line.startsWith('#') || line.startsWith("echo ") || plain;
        claims.append(one);
    }
    return claims;
}

int lineAt(const QByteArray &text, quint32 offset)
{
    return int(QByteArrayView(text).first(std::min<qsizetype>(offset, text.size())).count('\n')) + 1;
}

QList<Mention> mentionsIn(const QByteArray &text, const Catalog &catalog, const QVariantHash &context,
                          const QVariantHash *changed)
{
    QList<Mention> found = Scanner(text, catalog, context, changed).scan();
    std::ranges::stable_sort(found, {}, &Mention::offset);
    // Drop mentions inside longer ones.
    QList<Mention> mentions;
    for (const Mention &mention : std::as_const(found)) {
        if (!mentions.isEmpty() && mention.offset < mentions.constLast().offset + mentions.constLast().length) {
            if (mention.length > mentions.constLast().length)
                mentions.last() = mention;
            continue;
        }
        mentions.append(mention);
    }
    return mentions;
}

std::optional<QByteArray> spelt(const Mention &mention, const QVariantHash &context)
{
    const QVariant *value = valueAt(context, mention.path);
    if (!value)
        return std::nullopt;
    if (mention.path != "gpu.products"_L1) {
        const QByteArray text = value->toString().toUtf8();
        return text.isEmpty() ? std::nullopt : std::optional(mention.prefix + text + mention.suffix);
    }
    const QStringList all = value->toStringList();
    const qsizetype count = mention.products < 0 ? all.size() : std::min(mention.products, all.size());
    QByteArray text;
    for (qsizetype i = 0; i < count; ++i) {
        if (i > 0)
            text += i == count - 1 ? mention.last : mention.separator;
        text += all.at(i).toUtf8();
    }
    return text.isEmpty() ? std::nullopt : std::optional(text);
}

} // namespace tmx
