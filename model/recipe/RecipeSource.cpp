// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/RecipeSource.h"

#include "model/base/Tr.h"
#include "model/nix/Files.h"
#include "model/nix/Fold.h"
#include "model/nix/Parse.h"
#include "model/recipe/RecipeFacts.h"

#include <QCryptographicHash>
#include <QHash>
#include <QMutex>
#include <QSet>

#include <algorithm>
#include <map>
#include <set>

namespace tmx {

namespace {

QString fromBytes(std::string_view bytes)
{
    return QString::fromUtf8(bytes.data(), qsizetype(bytes.size()));
}

/// Whether the text may have a path, which is "./x", "../x", "/x", "~/x" or a word with a slash after "import".
bool mayNamePaths(const QByteArray &text)
{
    const auto isWord = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '+' || c == '.';
    };
    for (qsizetype slash = text.indexOf('/'); slash >= 0; slash = text.indexOf('/', slash + 1)) {
        qsizetype from = slash;
        while (from > 0 && isWord(text.at(from - 1)))
            --from;
        const bool starts = from == 0 || QByteArrayView(" \t\r\n([{=;:,?!+").contains(text.at(from - 1)) ||
                            (from == slash && text.at(from - 1) == '~');
        const bool goesOn = slash + 1 < text.size() && (isWord(text.at(slash + 1)) || text.at(slash + 1) == '$');
        const QByteArrayView word = QByteArrayView(text).sliced(from, slash - from);
        if (starts && goesOn &&
            (std::ranges::all_of(word, [](char c) { return c == '.'; }) ||
             QByteArrayView(text).first(from).trimmed().endsWith("import")))
            return true;
    }
    return false;
}

std::string folderOf(const QString &path)
{
    return nix::Files::folderOf('/' + path.toStdString());
}

QString relative(std::string_view path)
{
    return fromBytes(path).sliced(1);
}

/// Whether it asks where something is written: in which file, on which line.
bool asksPosition(const QByteArray &text)
{
    return text.contains("__curPos") || text.contains("unsafeGetAttrPos");
}

} // namespace

struct RecipeFiles::Private {
    std::shared_ptr<const nix::Files> files;
    QList<File> texts;
    QSet<QString> untracked;
    QHash<QString, FileTrouble> unreadable;
    mutable QMutex mutex;                                                              ///< protects the following
    QHash<std::pair<QString, QByteArray>, std::shared_ptr<const RecipeImports>> known; ///< by folder, or path, and text
    std::map<quint16, QList<ImportTrouble>> troubles;
    using Named = std::pair<std::vector<quint16>, std::set<quint16>>;
    std::map<Named, RecipeImports> closures; ///< by the files that a recipe names, and those that it does not import

    /// `from`: the number of the file; 0 for a recipe.
    QList<ImportTrouble> troublesIn(const nix::Tree &tree, const QString &path,
                                    const std::vector<nix::Files::Use> &uses, quint16 from) const
    {
        using Kind = ImportTrouble::Kind;
        QList<ImportTrouble> found;
        for (const nix::Files::Use &use : uses) {
            const nix::Place place = tree.place(use.span.offset);
            const auto add = [&](Kind kind, const QString &named, FileTrouble why = FileTrouble::None) {
                found.append({kind, path, place.line, place.column, int(use.span.length), named, why});
            };
            const QString written = fromBytes(use.written);
            if (!use.import && !use.read && !use.copied) {
                // What is not imported may never be read.
            } else if (written.startsWith(u'/') || written.startsWith(u'~')) {
                add(Kind::Absolute, use.whole ? written : written + u'\u2026');
            } else if (use.path.empty()) {
                add(Kind::Outside, written);
            } else if (use.whole && files->imported(use.path) == 0 &&
                       (use.copied ? files->named(use).empty() : files->find(use.path) == 0)) {
                add(Kind::Missing, written);
            } else if (const quint16 file = use.whole && use.import ? files->imported(use.path) : 0;
                       file && !files->isValid(file)) {
                const QString named = relative(files->path(file));
                const FileTrouble why = unreadable.value(named);
                add(why == FileTrouble::None ? Kind::Invalid : Kind::Unreadable, named, why);
                if (const auto mistake = readFacts(files->text(file)).error; mistake && why == FileTrouble::None) {
                    found.last().mistake = mistake->message;
                    found.last().mistakeLine = mistake->spot.line;
                    found.last().mistakeColumn = mistake->spot.column;
                }
            } else if (file && file <= from && std::ranges::binary_search(files->closure({file}), from)) {
                add(Kind::Cycle, relative(files->path(file))); // Once: one of the circle has the lowest number.
            }
            for (const quint16 file : files->named(use)) {
                if (const QString named = relative(files->path(file)); untracked.contains(named))
                    add(Kind::Untracked, named);
            }
        }
        return found;
    }

    const QList<ImportTrouble> &troublesOf(quint16 file)
    {
        const QMutexLocker lock(&mutex);
        const auto known = troubles.find(file);
        if (known != troubles.end())
            return known->second;
        const nix::Tree &tree = files->tree(file);
        return troubles
            .emplace(file, troublesIn(tree, relative(files->path(file)),
                                      nix::Files::usesIn(tree, nix::Files::folderOf(files->path(file))), file))
            .first->second;
    }

    /// What a recipe that names these files imports; without what is its own.
    RecipeImports closureOf(const Named &named)
    {
        {
            const QMutexLocker lock(&mutex);
            if (const auto known = closures.find(named); known != closures.end())
                return known->second;
        }
        RecipeImports imports;
        const std::vector<quint16> all = files->closure(named.first);
        for (const quint16 file : all) {
            imports.paths.append(relative(files->path(file)));
            imports.troubles += troublesOf(file);
        }
        if (!all.empty()) {
            imports.digest = files->digest(all);
            imports.code = files->codeDigest(all, named.second);
        }
        const QMutexLocker lock(&mutex);
        return closures.emplace(named, imports).first->second;
    }

    std::shared_ptr<const RecipeImports> importsOf(const QString &path, const QByteArray &text)
    {
        const nix::ParseResult parsed = nix::parse(text);
        const std::vector<nix::Files::Use> uses = nix::Files::usesIn(*parsed.tree, folderOf(path));
        if (uses.empty())
            return nullptr;
        std::set<quint16> named;
        std::set<quint16> data;
        for (const nix::Files::Use &use : uses) {
            for (const quint16 file : files->named(use)) {
                named.insert(file);
                if (!use.import)
                    data.insert(file);
            }
        }
        auto imports = std::make_shared<RecipeImports>(closureOf({{named.begin(), named.end()}, data}));
        imports->path = path;
        imports->files = files;
        // What it builds may depend on its own name.
        imports->asksPosition =
            asksPosition(text) || std::ranges::any_of(imports->paths, [this](const QString &one) {
                return files->text(files->find('/' + one.toStdString())).contains("unsafeGetAttrPos");
            });
        if (imports->asksPosition && !imports->digest.isEmpty()) {
            imports->digest += path.toUtf8();
            imports->code += path.toUtf8();
        }
        imports->troubles = troublesIn(*parsed.tree, {}, uses, 0) + imports->troubles;
        imports->state = imports->digest;
        for (const ImportTrouble &trouble : std::as_const(imports->troubles))
            imports->state += QByteArray::number(int(trouble.kind)) + trouble.path.toUtf8() + '\0';
        return imports->paths.isEmpty() && imports->troubles.isEmpty() ? nullptr : imports;
    }
};

QByteArray RecipeSource::codeKey() const
{
    return keyWith(nix::codeOf(text));
}

QByteArray RecipeSource::builtKey() const
{
    return (dependsOnPlace() ? text : nix::codeOf(text)) + '\0' + (imports ? imports->code.toHex() : QByteArray());
}

bool RecipeSource::dependsOnPlace() const
{
    return (imports && imports->asksPosition) || asksPosition(text);
}

RecipeFiles::RecipeFiles(const QList<File> &files)
    : d(std::make_unique<Private>())
{
    d->texts = files;
    std::vector<nix::Files::Text> texts;
    texts.reserve(size_t(files.size()));
    for (const File &file : files) {
        texts.push_back({file.path.toUtf8(), file.text, file.id, file.recipe});
        if (file.untracked)
            d->untracked.insert(file.path);
        if (file.trouble != FileTrouble::None)
            d->unreadable.insert(file.path, file.trouble);
    }
    d->files = std::make_shared<const nix::Files>(std::move(texts));
}

RecipeFiles::~RecipeFiles() = default;

RecipeSource RecipeFiles::source(const QString &path, const QByteArray &text) const
{
    if (!mayNamePaths(text))
        return text;
    const QString folder = path.left(path.lastIndexOf(u'/'));
    {
        const QMutexLocker lock(&d->mutex);
        for (const QString &place : {folder, path}) {
            const auto known = d->known.constFind({place, text});
            if (known != d->known.cend() && (!*known || !(*known)->asksPosition || (*known)->path == path))
                return {text, *known};
        }
    }
    std::shared_ptr<const RecipeImports> imports = d->importsOf(path, text);
    const QMutexLocker lock(&d->mutex);
    d->known.insert({imports && imports->asksPosition ? path : folder, text}, imports);
    return {text, std::move(imports)};
}

std::optional<QByteArray> RecipeFiles::text(const QString &path) const
{
    const auto file = std::ranges::find(d->texts, path, &File::path);
    return file == d->texts.cend() ? std::nullopt : std::optional(file->text);
}

std::shared_ptr<const RecipeFiles> RecipeFiles::with(const QMap<QString, QByteArray> &texts) const
{
    QList<File> files = d->texts;
    for (auto it = texts.cbegin(); it != texts.cend(); ++it) {
        auto file = std::ranges::find(files, it.key(), &File::path);
        if (file == files.end())
            file = files.insert(files.end(), File{.path = it.key()});
        file->text = *it;
        file->trouble = FileTrouble::None;
        file->id = QCryptographicHash::hash(*it, QCryptographicHash::Sha1);
    }
    return std::make_shared<const RecipeFiles>(files);
}

bool sameCode(const QByteArray &text, const QByteArray &other)
{
    return nix::codeOf(text) == nix::codeOf(other);
}

QStringList changedPaths(const RecipeImports *imports, const RecipeImports *others)
{
    const auto idIn = [](const RecipeImports *in, const QString &path) {
        const quint16 file = in ? in->files->find('/' + path.toStdString()) : quint16(0);
        return file && in->paths.contains(path) ? in->files->digest({file}) : QByteArray();
    };
    QStringList changed;
    for (const RecipeImports *one : {imports, others}) {
        for (const QString &path : one ? one->paths : QStringList()) {
            if (!changed.contains(path) && idIn(imports, path) != idIn(others, path))
                changed.append(path);
        }
    }
    return changed;
}

QString shownPath(const QString &path)
{
    constexpr QLatin1StringView folder{".flox/pkgs/"};
    return path.startsWith(folder) ? path.sliced(folder.size()) : path;
}

nix::FoldOptions foldOptions(const RecipeImports *imports)
{
    nix::FoldOptions options;
    if (imports) {
        options.files = imports->files.get();
        options.path = imports->path.toUtf8();
    }
    return options;
}

QStringList pathsNamedIn(const QString &path, const QByteArray &text)
{
    QStringList paths;
    if (!mayNamePaths(text))
        return paths;
    const std::string folder = folderOf(path);
    for (const std::string_view written : nix::pathsIn(text)) {
        const std::string named = nix::Files::named(folder, written);
        if (named.size() > 1)
            paths.append(relative(named));
    }
    return paths;
}

QString headOf(const QByteArray &text)
{
    QByteArray head;
    for (const QByteArray &line : text.left(4096).split('\n')) {
        if (!line.startsWith('#'))
            break;
        head += line + '\n';
    }
    return QString::fromUtf8(head);
}

} // namespace tmx
