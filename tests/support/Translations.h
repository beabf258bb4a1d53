// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <functional>

namespace tmx::test {

using namespace Qt::StringLiterals;

/// What a tool of Qt Linguist prints; ends the test program where it fails.
inline QString linguist(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setWorkingDirectory(QStringLiteral(TM_SOURCE_DIR));
    process.start(program, arguments);
    if (!process.waitForFinished(120'000) || process.exitCode() != 0)
        qFatal("%s: %s", qUtf8Printable(program), process.readAll().constData());
    return QString::fromUtf8(process.readAll());
}

/// The texts of the sources, as the build's target update_translations finds them. What is in `file` stays.
inline QString findTexts(const QString &file, const QStringList &further = {})
{
    linguist(QStringLiteral(TM_LUPDATE),
             QStringList{u"-silent"_s, u"-extensions"_s, u"cpp,h"_s, u"-locations"_s, u"none"_s, u"-no-obsolete"_s,
                         u"-I"_s, QStringLiteral(TM_SOURCE_DIR)} +
                 further + QStringList{u"app"_s, u"model"_s, u"views"_s, u"-ts"_s, file});
    QFile read(file);
    if (!read.open(QIODevice::ReadOnly))
        qFatal("%s is not there", qUtf8Printable(file));
    return QString::fromUtf8(read.readAll());
}

/// The marks around every text of the pseudo-translation.
constexpr char16_t pseudoBegin = u'\u2e22';
constexpr char16_t pseudoEnd = u'\u2e23';

/// "Save" as ⸢Šåṽé~~⸣: letters that are none of English, and about 40 % longer, as German or French are. Placeholders,
/// tags and accelerators stay.
inline QString pseudo(const QString &text)
{
    static const QString small = u"åƀçđéƒğĥíĵķļɱñöþɋřšťûṽŵẋýž"_s;
    static const QString large = u"ÅɃÇĐÉƑĞĤÍĴĶĻṀÑÖÞɊŘŠŤÛṼŴẊÝŽ"_s;
    static const QRegularExpression kept(u"%L?(n|\\d+)|</?[a-z][^>]*>|&[a-z]+;"_s);
    QString all(1, pseudoBegin);
    qsizetype letters = 0;
    for (qsizetype at = 0; at < text.size();) {
        const auto match =
            kept.match(text, at, QRegularExpression::NormalMatch, QRegularExpression::AnchorAtOffsetMatchOption);
        if (match.hasMatch()) {
            all += match.captured();
            at = match.capturedEnd();
            continue;
        }
        const char16_t one = text.at(at++).unicode();
        letters += one != u'\n';
        all += one >= u'a' && one <= u'z'   ? small.at(one - u'a')
               : one >= u'A' && one <= u'Z' ? large.at(one - u'A')
                                            : QChar(one);
    }
    return all + QString((letters * 2 + 4) / 5, u'~') + QChar(pseudoEnd);
}

/// What of a shown text no translation has had: what is left without the pseudo-translation's own.
inline QString untranslatedOf(const QString &text)
{
    QString left;
    int depth = 0;
    for (const QChar one : text) {
        depth += one == QChar(pseudoBegin);
        if (depth == 0)
            left += one;
        depth -= one == QChar(pseudoEnd) && depth > 0;
    }
    return left;
}

/// A folder with torch-matrix_eo.qm: all texts in the pseudo-translation, made by the tools that a translator uses.
class PseudoTranslation
{
public:
    PseudoTranslation()
    {
        QString ts = findTexts(m_folder.filePath(u"torch-matrix_eo.ts"_s),
                               {u"-target-language"_s, u"eo"_s, u"-source-language"_s, u"en"_s});
        static const QRegularExpression message(u"<source>(.*?)</source>(.*?)<translation[^>]*>(.*?)</translation>"_s,
                                                QRegularExpression::DotMatchesEverythingOption);
        QString done;
        qsizetype at = 0;
        for (auto found = message.globalMatch(ts); found.hasNext();) {
            const QRegularExpressionMatch one = found.next();
            const QString translated = pseudo(unescaped(one.captured(1))).toHtmlEscaped();
            const QString forms = one.captured(3).contains("<numerusform"_L1)
                                      ? u"<numerusform>%1</numerusform><numerusform>%1</numerusform>"_s
                                      : u"%1"_s;
            done += ts.mid(at, one.capturedStart() - at) + u"<source>"_s + one.captured(1) + u"</source>"_s +
                    one.captured(2) + u"<translation>"_s + QString(forms).replace("%1"_L1, translated) +
                    u"</translation>"_s;
            at = one.capturedEnd();
        }
        QFile file(m_folder.filePath(u"torch-matrix_eo.ts"_s));
        if (!file.open(QIODevice::WriteOnly) || file.write((done + ts.mid(at)).toUtf8()) < 0)
            qFatal("the pseudo-translation cannot be written");
        file.close();
        linguist(QStringLiteral(TM_LRELEASE),
                 {u"-silent"_s, file.fileName(), u"-qm"_s, m_folder.filePath(u"torch-matrix_eo.qm"_s)});
    }
    [[nodiscard]] QString folder() const { return m_folder.path(); }

private:
    static QString unescaped(QString text)
    {
        for (const auto &[entity, one] : {std::pair(u"&lt;"_s, u"<"_s),
                                          {u"&gt;"_s, u">"_s},
                                          {u"&quot;"_s, u"\""_s},
                                          {u"&apos;"_s, u"'"_s},
                                          {u"&amp;"_s, u"&"_s}})
            text.replace(entity, one);
        return text;
    }

    QTemporaryDir m_folder;
};

} // namespace tmx::test
