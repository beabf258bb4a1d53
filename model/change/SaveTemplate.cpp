// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/SaveTemplate.h"

#include "model/base/AtomicFile.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"

#include <QFile>

using namespace Qt::StringLiterals;

namespace tmx {

Result<QString> saveTemplate(const Catalog &catalog, const QString &name, const QString &text, bool replace)
{
    const auto failed = [&name](const QString &why, const QString &remedy = {}) {
        return Error{Tr::tr("save the template"), name, why, remedy};
    };
    const QString word = uR"([A-Za-z0-9][A-Za-z0-9_-]*)"_s;
    if (!hasForm(name, word + u'/' + word) || !catalog.family(name.section(u'/', 0, 0)))
        return failed(Tr::tr("that is not the name of a template"),
                      Tr::tr("Names are FAMILY/SHAPE, such as pytorch/ours."));
    if (isLearned(name))
        return failed(Tr::tr("that name is reserved for the template that is learned from a branch's recipes"),
                      Tr::tr("Choose another, such as %1/ours.").arg(name.section(u'/', 0, 0)));
    if (catalog.templateFolder.isEmpty())
        return failed(Tr::tr("there is no folder for templates of your own"));
    const QString path = catalog.templateFolder + u'/' + name + ".nix"_L1;
    if (!replace && QFile::exists(path))
        return failed(Tr::tr("%1 already exists").arg(path), Tr::tr("Add --force to replace it."));
    const auto written = writeFileAtomically(path, text.toUtf8(), {}, replace ? Existing::Replace : Existing::Refuse);
    return written ? Result<QString>(path) : written.error();
}

} // namespace tmx
