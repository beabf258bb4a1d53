// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/ChangeSet.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

QString toString(ChangeAction action)
{
    switch (action) {
    case ChangeAction::Keep: return u"keep"_s;
    case ChangeAction::Create: return u"create"_s;
    case ChangeAction::Rewrite: return u"rewrite"_s;
    case ChangeAction::Rename: return u"rename"_s;
    case ChangeAction::Delete: return u"delete"_s;
    }
    Q_UNREACHABLE_RETURN({});
}

QMap<ChangeAction, int> ChangeSet::chosen() const
{
    QMap<ChangeAction, int> counts;
    for (const ChangedFile &file : files) {
        if (file.chosen)
            ++counts[file.action];
    }
    return counts;
}

bool ChangeSet::isEmpty() const
{
    return std::ranges::none_of(files, &ChangedFile::chosen);
}

QString ChangeSet::subject() const
{
    return message.section(u'\n', 0, 0);
}

const ChangedFile *ChangeSet::find(const QString &path) const
{
    const auto found = std::ranges::find(files, path, &ChangedFile::path);
    return found == files.end() ? nullptr : &*found;
}

} // namespace tmx
