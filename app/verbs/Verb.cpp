// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Verb.h"

#include <CLI/CLI.hpp>

#include <QDir>
#include <QJsonDocument>

#include <cstdio>

namespace tmx {

namespace {

void write(FILE *stream, const QByteArray &bytes)
{
    std::fwrite(bytes.constData(), 1, size_t(bytes.size()), stream);
    std::fflush(stream);
}

} // namespace

QString VerbContext::repoPath() const
{
    return QDir::current().absoluteFilePath(QString::fromStdString(repo));
}

void addRepoOption(CLI::App &verb, VerbContext &context)
{
    verb.add_option("--repo", context.repo, "Build repository, or a folder inside it (default: the current folder)")
        ->type_name("DIR");
}

CLI::Option *addJsonOption(CLI::App &verb, VerbContext &context)
{
    return verb.add_flag("--json", context.json, "Print JSON");
}

void print(const QString &text)
{
    write(stdout, text.toUtf8() + '\n');
}

void printRaw(const QByteArray &bytes)
{
    write(stdout, bytes);
}

void print(const QJsonObject &object)
{
    write(stdout, QJsonDocument(object).toJson(QJsonDocument::Indented));
}

void tell(const QString &text)
{
    write(stderr, text.toUtf8() + '\n');
}

int complain(const Error &error, ExitCode code)
{
    write(stderr, "torch-matrix: " + error.sentence().toUtf8() + '\n');
    return code;
}

Result<BranchesReading> readBranches(const SnapshotReader &reader, const VerbContext &context,
                                     const std::string &branch, bool all)
{
    if (!all) {
        const Result<ReadBranch> one = reader.read(context.repoPath(), QString::fromStdString(branch));
        return one ? Result<BranchesReading>({one->snapshot->repository, {*one}, {}, {}}) : one.error();
    }
    const Result<BranchSources> sources = branchesOf(context.repoPath(), WorkTreeAs::Branch, false);
    if (!sources)
        return sources.error();
    BranchesReading reading = reader.readAll(*sources);
    if (reading.branches.isEmpty() && !reading.unread.isEmpty())
        return reading.unread.constFirst().error;
    return reading;
}

void tellUnread(const QList<UnreadBranch> &unread)
{
    for (const UnreadBranch &branch : unread)
        tell(branch.sentence());
}

std::shared_ptr<const Catalog> loadCatalogOrComplain()
{
    Result<std::shared_ptr<const Catalog>> catalog = Catalog::loadForUser();
    if (!catalog) {
        complain(catalog.error());
        return nullptr;
    }
    return std::move(catalog).value();
}

QStringList toStringList(const std::vector<std::string> &list)
{
    QStringList strings;
    for (const std::string &text : list)
        strings.append(QString::fromStdString(text));
    return strings;
}

} // namespace tmx
