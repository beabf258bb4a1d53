// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Files.h"

#include "model/nix/Parse.h"
#include "model/nix/Walk.h"

#include <QCryptographicHash>

#include <algorithm>
#include <map>
#include <mutex>

namespace tmx::nix {

struct Files::File {
    std::string path;
    QByteArray text;
    QByteArray id;
    bool package = false;
    std::once_flag once; ///< for the following
    std::shared_ptr<const Tree> tree;
    bool valid = true;
    std::vector<quint16> used;
};

struct Files::Known {
    std::mutex mutex;
    std::map<std::string, QByteArray, std::less<>> contents;
};

namespace {

bool isNix(std::string_view path)
{
    return path.ends_with(".nix");
}

/// Whether a call of this function with a path reads a file of expressions: import, nixpkgs' callPackage and
/// callPackages.
bool isImport(const Tree &tree, const Node *function)
{
    const auto isPackage = [](std::string_view name) { return name == "callPackage" || name == "callPackages"; };
    if (const auto *name = as<Variable>(function))
        return name->binds == Binds::Global ? tree.name(name->symbol) == "import" : isPackage(tree.name(name->symbol));
    const auto *select = as<Select>(function);
    if (select && select->path.back().symbol && isPackage(tree.name(select->path.back().symbol)))
        return true;
    const auto *base = select ? as<Variable>(select->base) : nullptr;
    return base && base->binds == Binds::Global && tree.name(base->symbol) == "builtins" && select->path.size() == 1 &&
           select->path.front().symbol && tree.name(select->path.front().symbol) == "import";
}

/// Whether a call of this function reads a file as it is: readFile, lib.importJSON, lib.importTOML.
bool isRead(const Tree &tree, const Node *function)
{
    static constexpr std::string_view readers[] = {"readFile", "importJSON", "importTOML"};
    const auto *name = as<Variable>(function);
    const auto *select = as<Select>(function);
    const Symbol symbol = name ? name->symbol : select ? select->path.back().symbol : Symbol();
    return symbol && std::ranges::find(readers, tree.name(symbol)) != std::end(readers);
}

/// Adds the paths that the lists of an expression hold whatever a condition or a function in it makes of others.
void addListed(const Node *value, std::set<const Node *> &paths)
{
    if (const auto *list = as<List>(value)) {
        for (const Node *element : list->elements) {
            if (as<Path>(element))
                paths.insert(element);
        }
    }
    if (const auto *both = as<Binary>(value); both && both->op == BinaryOperator::Concat) {
        addListed(both->left, paths);
        addListed(both->right, paths);
    }
}

} // namespace

Files::Files(std::vector<Text> texts)
    : m_known(std::make_unique<Known>())
{
    m_files.reserve(std::min(texts.size(), most));
    for (Text &text : texts) {
        if (m_files.size() == most)
            break;
        auto file = std::make_unique<File>();
        file->path = '/' + text.path.toStdString();
        file->text = std::move(text.text);
        file->id = std::move(text.id);
        file->package = text.package;
        m_files.push_back(std::move(file));
    }
    std::ranges::sort(m_files, {}, [](const auto &file) -> std::string_view { return file->path; });
}

Files::~Files() = default;

quint16 Files::find(std::string_view path) const
{
    const auto found =
        std::ranges::lower_bound(m_files, path, {}, [](const auto &file) -> std::string_view { return file->path; });
    return found != m_files.end() && (*found)->path == path ? quint16(found - m_files.begin() + 1) : 0;
}

quint16 Files::imported(std::string_view path) const
{
    if (path.empty())
        return 0;
    if (const quint16 file = find(path))
        return isNix(path) ? file : 0;
    return find(std::string(path) + "/default.nix");
}

std::string_view Files::path(quint16 file) const
{
    return m_files[file - 1U]->path;
}

bool Files::isPackage(quint16 file) const
{
    return m_files[file - 1U]->package;
}

const QByteArray &Files::text(quint16 file) const
{
    return m_files[file - 1U]->text;
}

const Tree &Files::tree(quint16 file) const
{
    return *parsed(file).tree;
}

bool Files::isValid(quint16 file) const
{
    return parsed(file).valid;
}

const Files::File &Files::parsed(quint16 file) const
{
    File &wanted = *m_files[file - 1U];
    std::call_once(wanted.once, [&] {
        const ParseResult result = parse(isNix(wanted.path) ? wanted.text : QByteArray(), {.file = file});
        wanted.tree = result.tree;
        wanted.valid = result.ok();
        std::set<quint16> used;
        for (const Use &use : usesIn(*wanted.tree, folderOf(wanted.path))) {
            for (const quint16 other : named(use))
                used.insert(other);
        }
        wanted.used.assign(used.begin(), used.end());
    });
    return wanted;
}

std::vector<Files::Use> Files::usesIn(const Tree &tree, std::string_view folder)
{
    std::vector<Use> uses;
    std::set<const Node *> imports; ///< arguments; a call is visited before them
    std::set<const Node *> read;
    std::set<const Node *> copied;
    forEachNode(tree.root(), [&](const Node &node) {
        if (const auto *call = as<Call>(&node); call && isImport(tree, call->function))
            imports.insert(call->arguments.front());
        else if (call && isRead(tree, call->function))
            read.insert(call->arguments.front());
        if (const auto *text = as<nix::Text>(&node)) {
            for (const auto &part : text->parts)
                copied.insert(part.expression);
        }
        if (const auto *set = as<Attributes>(&node)) {
            for (const Attribute &attribute : set->attributes) {
                if (attribute.value && tree.name(attribute.symbol) == "patches")
                    addListed(attribute.value, copied);
            }
        }
        const auto *path = as<Path>(&node);
        if (!path || path->parts.empty() || path->parts.front().expression)
            return;
        Use use;
        use.span = path->span;
        use.written = path->parts.front().text;
        use.whole = path->parts.size() == 1;
        use.import = imports.contains(path);
        use.read = read.contains(path);
        use.copied = copied.contains(path);
        use.path = named(folder, use.written);
        uses.push_back(std::move(use));
    });
    return uses;
}

std::vector<quint16> Files::beginningWith(std::string_view prefix) const
{
    std::vector<quint16> found;
    auto file =
        std::ranges::lower_bound(m_files, prefix, {}, [](const auto &one) -> std::string_view { return one->path; });
    for (; file != m_files.end() && (*file)->path.starts_with(prefix); ++file)
        found.push_back(quint16(file - m_files.begin() + 1));
    return found;
}

std::vector<quint16> Files::named(const Use &use) const
{
    if (use.path.empty())
        return {};
    if (use.whole) {
        if (const quint16 file = use.import ? imported(use.path) : find(use.path))
            return {file};
        if (use.import)
            return {};
        if (std::vector<quint16> inside = beginningWith(use.path.ends_with('/') ? use.path : use.path + '/');
            !inside.empty())
            return inside;
    }
    return beginningWith(use.path);
}

std::vector<quint16> Files::closure(std::vector<quint16> files) const
{
    std::set<quint16> seen(files.begin(), files.end());
    while (!files.empty()) {
        const quint16 file = files.back();
        files.pop_back();
        for (const quint16 other : parsed(file).used) {
            if (seen.insert(other).second)
                files.push_back(other);
        }
    }
    return {seen.begin(), seen.end()};
}

QByteArray Files::digest(const std::vector<quint16> &files) const
{
    QCryptographicHash hash(QCryptographicHash::Blake2b_160);
    for (const quint16 file : files) {
        const File &one = *m_files[file - 1U];
        hash.addData(QByteArrayView(one.path.c_str(), qsizetype(one.path.size()) + 1));
        hash.addData(one.id + '\0');
    }
    return hash.result();
}

QByteArray Files::codeDigest(const std::vector<quint16> &files, std::set<quint16> data) const
{
    for (const quint16 file : files) {
        if (!isNix(path(file)))
            continue;
        for (const Use &use : usesIn(tree(file), folderOf(path(file)))) {
            if (use.import)
                continue;
            for (const quint16 used : named(use))
                data.insert(used);
        }
    }
    QCryptographicHash hash(QCryptographicHash::Blake2b_160);
    for (const quint16 file : files) {
        const File &one = *m_files[file - 1U];
        // A comment moves what it stands above to another line.
        const bool code = isNix(one.path) && !data.contains(file) && !one.text.contains("__curPos") &&
                          !one.text.contains("unsafeGetAttrPos");
        const QByteArray content = code ? codeOf(one.text) : one.id;
        hash.addData(QByteArrayView(one.path.c_str(), qsizetype(one.path.size()) + 1));
        hash.addData(QByteArray::number(content.size()) + (code ? 'c' : 'b') + content);
    }
    return hash.result();
}

QByteArray Files::contentOf(std::string_view path, bool isImported) const
{
    if (path.empty())
        return {};
    const quint16 code = isImported ? imported(path) : 0;
    const std::string key = (code ? "import " : "") + std::string(path);
    const std::lock_guard lock(m_known->mutex);
    const auto known = m_known->contents.find(key);
    if (known != m_known->contents.end())
        return known->second;
    const quint16 file = code ? code : find(path);
    const std::vector<quint16> files =
        file ? std::vector{file} : beginningWith(path.ends_with('/') ? std::string(path) : std::string(path) + '/');
    const std::vector<quint16> all = closure(files);
    const QByteArray content = files.empty() ? QByteArray() : code ? codeDigest(all, {}) : digest(all);
    m_known->contents.emplace(key, content);
    return content;
}

std::string Files::normalised(std::string_view path)
{
    std::vector<std::string_view> parts;
    for (size_t from = 0; from <= path.size();) {
        const size_t end = std::min(path.find('/', from), path.size());
        const std::string_view part = path.substr(from, end - from);
        from = end + 1;
        if (part.empty() || part == ".")
            continue;
        if (part != "..") {
            parts.push_back(part);
            continue;
        }
        if (parts.empty())
            return {};
        parts.pop_back();
    }
    std::string result;
    for (const std::string_view part : parts)
        result.append("/").append(part);
    return result.empty() ? "/" : result;
}

std::string Files::resolved(std::string_view folder, std::string_view written)
{
    if (written.starts_with('/') || written.starts_with('~'))
        return {};
    return normalised(std::string(folder) + '/' + std::string(written));
}

std::string Files::named(std::string_view folder, std::string_view written)
{
    const std::string path = resolved(folder, written);
    return !path.empty() && path != "/" && written.ends_with('/') ? path + '/' : path;
}

std::string Files::folderOf(std::string_view path)
{
    return std::string(path.substr(0, path.rfind('/') == path.npos ? 0 : path.rfind('/')));
}

} // namespace tmx::nix
