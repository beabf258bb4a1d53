// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Sentences.h"
#include "model/base/Tr.h"
#include "model/base/Translation.h"
#include "tests/support/TestMain.h"
#include "tests/support/Translations.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

/// The English plural forms, and that each text of the sources is found where it is looked up.
class TestTranslation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void englishHasItsPluralForms()
    {
        QCOMPARE(Tr::tr("%n builds at a time", nullptr, 1), u"1 build at a time"_s);
        QCOMPARE(Tr::tr("%n builds at a time", nullptr, 0), u"0 builds at a time"_s);
        QCOMPARE(Tr::tr("%n builds at a time", nullptr, 12), u"12 builds at a time"_s);
        QCOMPARE(Tr::tr("The audit finds %n errors in the new text.", nullptr, 1),
                 u"The audit finds an error in the new text."_s);
    }

    void sentencesStandApart()
    {
        QCOMPARE(joinedSentences({u"One."_s, {}, u"Two."_s}), u"One. Two."_s);
        QCOMPARE(joinedSentences({{}, u"Two."_s}), u"Two."_s);
        QCOMPARE(withFullStop(u"One"_s), u"One."_s);
        QCOMPARE(withFullStop(u"One."_s), u"One."_s);
        QCOMPARE(withFullStop(u"did you mean '_mm_add_ps'?"_s), u"did you mean '_mm_add_ps'?"_s);
    }

    // A text with a number that is not in it would be shown as "1 builds".
    void noPluralFormIsMissing()
    {
        const QString kept = QStringLiteral(TM_SOURCE_DIR) + u"/resources/translations/torch-matrix_en.ts"_s;
        const QTemporaryDir folder;
        const QString copy = folder.filePath(u"torch-matrix_en.ts"_s);
        QVERIFY(QFile::copy(kept, copy));
        QVERIFY(QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner));
        const QString found = findTexts(copy, {u"-pluralonly"_s});
        QFile file(kept);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString own = QString::fromUtf8(file.readAll());
        static const QRegularExpression source(u"<source>(.*?)</source>"_s);
        const auto sources = [](const QString &ts) {
            QStringList list;
            for (auto all = source.globalMatch(ts); all.hasNext();)
                list.append(all.next().captured(1));
            return list;
        };
        // Otherwise: cmake --build build/dev --target update_translations, and write the form for 1 into the file.
        QCOMPARE(sources(own), sources(found));
        QVERIFY(!own.contains("unfinished"_L1) && !own.contains("<numerusform></numerusform>"_L1));
        // What the sources say is right for many.
        static const QRegularExpression form(
            u"<source>(.*?)</source>.*?<numerusform>.*?</numerusform>\\s*<numerusform>(.*?)</numerusform>"_s,
            QRegularExpression::DotMatchesEverythingOption);
        for (auto all = form.globalMatch(own); all.hasNext();) {
            const QRegularExpressionMatch one = all.next();
            QCOMPARE(one.captured(2), one.captured(1));
        }
    }

    // The program holds the compiled files, so that nobody who builds it needs the tools of Qt Linguist.
    void languagesAreCompiled()
    {
        const QDir folder(QStringLiteral(TM_SOURCE_DIR) + u"/resources/translations"_s);
        const QStringList sources = folder.entryList({u"*.ts"_s});
        QVERIFY(!sources.isEmpty());
        const QTemporaryDir scratch;
        for (const QString &source : sources) {
            const QString compiled = QFileInfo(source).baseName() + u".qm"_s;
            linguist(QStringLiteral(TM_LRELEASE),
                     {u"-silent"_s, folder.filePath(source), u"-qm"_s, scratch.filePath(compiled)});
            QFile kept(folder.filePath(compiled));
            QFile made(scratch.filePath(compiled));
            QVERIFY2(kept.open(QIODevice::ReadOnly), qPrintable(compiled));
            QVERIFY(made.open(QIODevice::ReadOnly));
            // Otherwise: cmake --build build/dev --target update_translations
            QVERIFY2(kept.readAll() == made.readAll(), qPrintable(compiled));
        }
    }

    // lupdate guesses the class of a text; where it guesses wrong, no translation is ever found.
    void eachTextIsInTheContextThatLooksItUp()
    {
        const QTemporaryDir folder;
        const QString all = findTexts(folder.filePath(u"all.ts"_s));
        QVERIFY(all.count("<message"_L1) > 3000);
        static const QRegularExpression name(u"<name>(.*?)</name>"_s);
        QStringList wrong;
        for (auto names = name.globalMatch(all); names.hasNext();) {
            const QString context = names.next().captured(1);
            if (!context.startsWith("tmx::"_L1) && context != "QObject"_L1)
                wrong.append(context);
        }
        QCOMPARE(wrong, QStringList());
    }

    void pseudoTextIsToldFromEnglish()
    {
        QCOMPARE(untranslatedOf(pseudo(u"&Save %1 <b>now</b>"_s)), QString());
        QCOMPARE(untranslatedOf(pseudo(u"Save %1"_s).arg(pseudo(u"all"_s)) + u" now"_s), u" now"_s);
        QVERIFY(pseudo(u"Save %1, %n"_s).contains("%1, %n"_L1));
        QVERIFY(pseudo(u"Save"_s).size() >= 7);
    }

    void aLanguageIsFoundByItself()
    {
        const PseudoTranslation pseudoTranslation;
        qputenv("TORCH_MATRIX_TRANSLATIONS", pseudoTranslation.folder().toUtf8());
        installTranslations(QLocale(QLocale::Esperanto));
        qunsetenv("TORCH_MATRIX_TRANSLATIONS");
        QCOMPARE(Tr::tr("%n builds at a time", nullptr, 7), pseudo(u"%n builds at a time"_s).replace("%n"_L1, "7"_L1));
        QCOMPARE(Tr::tr("no such text"), u"no such text"_s);
    }
};

TM_TEST(TestTranslation, QCoreApplication)
#include "tst_translation.moc"
