// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/MergedText.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace tmx;

class MergedTextTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void merges_data()
    {
        QTest::addColumn<QByteArray>("base");
        QTest::addColumn<QByteArray>("ours");
        QTest::addColumn<QByteArray>("theirs");
        QTest::addColumn<QByteArray>("merged"); ///< null: they contradict each other
        const auto row = [](const char *title, const char *base, const char *ours, const char *theirs,
                            const char *merged) {
            QTest::newRow(title) << QByteArray(base) << QByteArray(ours) << QByteArray(theirs) << QByteArray(merged);
        };
        row("two words of a line", "for SM80 and AVX2\n", "for SM90 and AVX2\n", "for SM80 and AVX512\n",
            "for SM90 and AVX512\n");
        row("one word", "for SM80\n", "for SM90\n", "for SM89\n", nullptr);
        row("nothing", "a b\n", "a b\n", "a b\n", "a b\n");
        row("nothing at all", "", "", "", "");
        row("empty lines", "a\n\n\nb c\n", "x\n\n\nb c\n", "a\n\n\nb y\n", "x\n\n\nb y\n");
        row("no line at the end", "a b", "x b", "a y", "x y");
        row("a line more", "a\nb c d\n", "a\n\nb c d\n", "a\nb c x\n", "a\n\nb c x\n");
        row("lines that begin the text", "\n\na b\n", "\n\nx b\n", "\n\na y\n", "\n\nx y\n");
        row("control characters", "a \x01 b\x02 c\n", "x \x01 b\x02 c\n", "a \x01 b\x02 y\n", "x \x01 b\x02 y\n");
        row("ends of lines of Windows", "a b\r\nc\r\n", "x b\r\nc\r\n", "a y\r\nc\r\n", "x y\r\nc\r\n");
        row("letters that are no ASCII", "f\xc3\xbcr a b\n", "f\xc3\xbcr x b\n", "f\xc3\xbcr a y\n",
            "f\xc3\xbcr x y\n");
    }
    void merges()
    {
        QFETCH(const QByteArray, base);
        QFETCH(const QByteArray, ours);
        QFETCH(const QByteArray, theirs);
        QFETCH(const QByteArray, merged);
        for (const auto &[one, other] : {std::pair(ours, theirs), {theirs, ours}}) {
            const std::optional<QByteArray> made = mergedWords(base, one, other);
            QCOMPARE(made.has_value(), !merged.isNull());
            QCOMPARE(made.value_or(QByteArray()), merged);
        }
        // One that changes nothing gives the other, whatever is in it.
        for (const QByteArray &text : {base, ours, theirs})
            QCOMPARE(mergedWords(base, base, text).value_or("no text"), text);
    }
};

TM_TEST(MergedTextTest, QCoreApplication)
#include "tst_mergedtext.moc"
