// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Translation.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QTranslator>

using namespace Qt::StringLiterals;

namespace tmx {

QString givenTranslations()
{
    return qEnvironmentVariable("TORCH_MATRIX_TRANSLATIONS");
}

void installTranslations(const QLocale &locale)
{
    const QString builtIn = u":/torch-matrix/translations"_s;
    QCoreApplication *const program = QCoreApplication::instance();
    auto *english = new QTranslator(program);
    if (english->load(u"torch-matrix_en"_s, builtIn))
        QCoreApplication::installTranslator(english);
    auto *own = new QTranslator(program);
    const QString given = givenTranslations();
    if ((given.isEmpty() || !own->load(locale, u"torch-matrix"_s, u"_"_s, given)) &&
        !own->load(locale, u"torch-matrix"_s, u"_"_s, builtIn))
        return;
    if (own->filePath() == english->filePath())
        return;
    // Below the program's own, and in its language: a window speaks one.
    auto *qt = new QTranslator(program);
    if (qt->load(QLocale(own->language()), u"qtbase"_s, u"_"_s, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(qt);
    QCoreApplication::installTranslator(own);
}

} // namespace tmx
