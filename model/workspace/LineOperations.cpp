// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/LineOperations.h"

#include "model/repository/Repository.h"
#include "model/settings/LineEdit.h"
#include "model/settings/LineFile.h"
#include "model/snapshot/BranchSnapshot.h"

#include <QCoreApplication>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(tmx::LineOperations)
};

} // namespace

Result<LineReading> readLineOf(const std::shared_ptr<const Catalog> &catalog, const QString &path,
                               const QString &branch)
{
    const Result<OpenedRepository> opened = openWithInfo(path);
    if (!opened)
        return opened.error();
    const Result<BranchContent> content = opened->repository.readBranch(branch);
    if (!content)
        return content.error();
    LineReading reading;
    reading.repository = opened->info.workTree;
    reading.branch = content->branch;
    reading.checkedOut = content->withWorkTree;
    reading.line = lineFor(catalog, *content, &reading.problem);
    reading.file = content->lineFile;
    return reading;
}

Result<QByteArray> lineFileFor(const Catalog &catalog, const Line &line)
{
    const QStringList families = line.familyIds();
    for (const QString &family : families) {
        if (line.versions.value(family).isEmpty()) {
            return Error{Text::tr("write"), lineFileName,
                         Text::tr("nothing says which version of %1 the branch builds").arg(family),
                         Text::tr("Say it: torch-matrix line set versions.%1 VERSION.").arg(family)};
        }
    }
    const QByteArray text = writeLineFile(line);
    if (const Result<Line> back = readLineFile(text, catalog, line.branch); !back)
        return Error{Text::tr("write"), lineFileName, back.error().why, back.error().remedy};
    return text;
}

Result<QByteArray> lineFileWith(const Catalog &catalog, const LineReading &reading, const QString &key,
                                const QString &value, bool mayLoseComments)
{
    if (!reading.problem.isEmpty()) {
        // With `file` it can be read as text, and withLineKey says what is wrong in it.
        if (!reading.file)
            return Error{Text::tr("change"), lineFileName, Text::tr("it cannot be read"), reading.problem};
    }
    const QByteArray text = reading.file ? *reading.file : writeLineFile(reading.line);
    return withLineKey(text, catalog, reading.branch, key, value, mayLoseComments);
}

Result<void> saveLineFile(const LineReading &reading, const QByteArray &text)
{
    if (!reading.checkedOut) {
        return Error{Text::tr("write"), lineFileName, Text::tr("the branch %1 is not checked out").arg(reading.branch),
                     Text::tr("Check it out first.")};
    }
    const Result<Repository> repository = Repository::open(reading.repository);
    if (!repository)
        return repository.error();
    if (!reading.file || *reading.file != text) {
        if (const Result<void> written = repository->writeRecipe(lineFileName, text, reading.file); !written)
            return written;
    }
    return repository->stage({QString(lineFileName)});
}

} // namespace tmx
