// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Verb.h"

#include "model/base/TerminalText.h"
#include "model/base/Tr.h"
#include "model/git/Repository.h"

#include <CLI/CLI.hpp>

#include <QDir>
#include <QJsonDocument>

#include <cerrno>
#include <cstdio>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

int outputErrno = 0; // of the first write to standard output that failed

/// A signal that interrupts it loses nothing. Messages that cannot be written are not missed, as those of git.
void write(int output, QByteArrayView bytes)
{
    while (!bytes.isEmpty()) {
        const ssize_t written = ::write(output, bytes.data(), size_t(bytes.size()));
        if (written >= 0) {
            bytes = bytes.sliced(written);
        } else if (errno != EINTR) {
            if (output == STDOUT_FILENO && outputErrno == 0)
                outputErrno = errno;
            return;
        }
    }
}

} // namespace

QString VerbContext::repoPath() const
{
    return QDir::current().absoluteFilePath(QString::fromStdString(repo));
}

void VerbContext::runWith(std::function<Result<int>(const std::shared_ptr<const Catalog> &)> verb)
{
    run = [verb = std::move(verb)]() -> Result<int> {
        TM_TRY(catalog, Catalog::loadForUser());
        return verb(*catalog);
    };
}

void addRepoOption(CLI::App &verb, VerbContext &context)
{
    verb.add_option("--repo", context.repo,
                    Help::tr("Build repository, or a folder inside it (default: the current folder)"))
        ->type_name("DIR");
}

std::shared_ptr<VariantFilter> addFilterOptions(CLI::App &verb)
{
    auto filter = std::make_shared<VariantFilter>();
    const auto add = [&](const char *name, QString VariantFilter::*part, const char *type, const std::string &help) {
        verb.add_option_function<std::string>(
                name, [filter, part](const std::string &value) { (*filter).*part = QString::fromStdString(value); },
                help)
            ->type_name(type);
    };
    add("--family", &VariantFilter::family, "F",
        Help::tr("Only this family, with or without the version in its names: torchvision026"));
    add("--version", &VariantFilter::version, "V", Help::tr("Only this version: 0.26, or 026 as names have it"));
    add("--python", &VariantFilter::python, "P", Help::tr("Only this Python: 3.13; none: packages without Python"));
    add("--cuda", &VariantFilter::cuda, "C", Help::tr("Only this toolkit: 12.9; none: packages without CUDA"));
    return filter;
}

auto addJsonOption(CLI::App &verb, VerbContext &context) -> CLI::Option *
{
    return verb.add_flag("--json", context.json, Help::tr("Print JSON"));
}

void print(const QString &text)
{
    printText(text.toUtf8() + '\n');
}

void printText(const QByteArray &bytes)
{
    write(STDOUT_FILENO, terminalText(bytes));
}

void print(const QJsonObject &object)
{
    printJson(QJsonDocument(object).toJson(QJsonDocument::Indented));
}

void printJson(const QByteArray &document)
{
    write(STDOUT_FILENO, terminalJson(document));
}

void printOwn(const QByteArray &bytes)
{
    write(STDOUT_FILENO, bytes);
}

int afterOutput(int code)
{
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
        outputErrno = outputErrno != 0 ? outputErrno : errno;
    // Some file systems say so only when the file is closed.
    else if (const int copy = ::dup(STDOUT_FILENO); copy >= 0 && ::close(copy) != 0)
        outputErrno = errno;
    return outputErrno == 0 ? code
                            : complain({Tr::tr("write"), Tr::tr("the answer"), qt_error_string(outputErrno),
                                        Tr::tr("What was written is not complete.")});
}

void tell(const QString &text)
{
    write(STDERR_FILENO, terminalText(text.toUtf8()) + '\n');
}

int complain(const Error &error, ExitCode code)
{
    Error shown = error;
    shown.subject = inOneLine(shown.subject);
    tell(u"torch-matrix: "_s + shown.sentence());
    return error.usage ? WrongUsage : code;
}

Result<BranchSources> sourcesOf(const VerbContext &context, const std::string &branch, bool all, bool remotes)
{
    if (all)
        return branchesOf(context.repoPath(), WorkTreeAs::Branch, remotes);
    TM_TRY(opened, openWithInfo(context.repoPath()));
    TM_TRY(one, branchNamed(*opened, context.repoPath(), QString::fromStdString(branch)));
    return BranchSources{opened->info, {*one}, {}, {}};
}

void tellUnread(const QList<UnreadBranch> &unread)
{
    for (const UnreadBranch &branch : unread)
        tell(branch.sentence());
}

QStringList toStringList(const std::vector<std::string> &list)
{
    QStringList strings;
    for (const std::string &text : list)
        strings.append(QString::fromStdString(text));
    return strings;
}

} // namespace tmx
