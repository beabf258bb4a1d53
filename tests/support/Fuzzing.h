// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArrayList>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

#include <random>

namespace tmx::test {

/// The seed of this run: random, or TORCH_MATRIX_SEED. Printed immediately, so that a crash can be reproduced.
inline quint32 newSeed()
{
    const quint32 seed = qEnvironmentVariableIsSet("TORCH_MATRIX_SEED")
                             ? qEnvironmentVariable("TORCH_MATRIX_SEED").toUInt()
                             : QRandomGenerator::global()->generate() & 0x7fffffff;
    qInfo("TORCH_MATRIX_SEED=%u", seed);
    return seed;
}

/// Number of inputs of one run: `usual` in a normal run, `usual` per round if TORCH_MATRIX_ROUNDS is set.
inline int fuzzInputs(int usual)
{
    const int asked = qEnvironmentVariableIntValue("TORCH_MATRIX_ROUNDS");
    return usual * (asked > 0 ? asked : 1);
}

/// A folder for QTemporaryDir without disk access, if there is one.
inline QString inMemory()
{
    const QString memory = QStringLiteral("/dev/shm");
    return (QFileInfo(memory).isWritable() ? memory : QDir::tempPath()) + QStringLiteral("/fuzz-XXXXXX");
}

/// Makes invalid inputs from valid ones. The same seed gives the same inputs on every machine.
class Fuzzing
{
public:
    explicit Fuzzing(quint32 seed)
        : m_random(seed)
    {
    }

    int below(qsizetype limit) { return limit > 0 ? int(m_random() % quint32(limit)) : 0; }

    /// A text of the corpus with one to four changes: bytes, pieces, lines, words of other texts, numbers, nesting.
    QByteArray input(const QByteArrayList &corpus)
    {
        QByteArray text = corpus.at(below(corpus.size()));
        for (int changes = 1 + below(4); changes > 0; --changes)
            text = changed(text, corpus.at(below(corpus.size())));
        return text;
    }

    /// For binary tables: changes one to three numbers (32 bits, big-endian, at multiples of four bytes). Half of them
    /// are in the last third, where a pack index has the offsets of objects.
    QByteArray withOtherNumbers(QByteArray table)
    {
        const qsizetype words = table.size() / 4;
        for (int changes = 1 + below(3); words > 0 && changes > 0; --changes) {
            const qsizetype last = below(2) ? words / 3 + 1 : words;
            const qsizetype at = (words - 1 - below(last)) * 4;
            quint32 number = qFromBigEndian<quint32>(table.constData() + at);
            switch (below(5)) {
            case 0: number ^= 1U << below(32); break;
            case 1: number += quint32(below(64)) - 32; break;
            case 2: number = 0x80000000 + quint32(below(4)); break;
            case 3: number = quint32(m_random()) >> below(32); break;
            default: number = quint32(-1 - below(2)); break;
            }
            qToBigEndian(number, table.data() + at);
        }
        return table;
    }

private:
    QByteArray changed(QByteArray text, const QByteArray &other)
    {
        static const QByteArrayList odd{"",
                                        "0",
                                        "-1",
                                        "9223372036854775807",
                                        "99999999999999999999",
                                        "1e308",
                                        "nan",
                                        "true",
                                        "null",
                                        "\"",
                                        "'''",
                                        "\\",
                                        "[",
                                        "]",
                                        "{",
                                        "}",
                                        "[[",
                                        "..",
                                        "../../../../etc/passwd",
                                        "\r",
                                        "\n",
                                        "\x1b[2J\x1b]0;title\x07",
                                        "\xe2\x80\xae",
                                        "\xf0\x9f\x92",
                                        "\xff\xfe",
                                        QByteArray(1, '\0'),
                                        "<img src=x>",
                                        "%s%n",
                                        "${x}"};
        const int at = below(text.size() + 1);
        const int length = below(std::min<qsizetype>(text.size() - at, 40) + 1);
        switch (below(10)) {
        case 0: return text.first(at);
        case 1: return text.remove(at, length);
        case 2: return text.insert(at, text.mid(at, length));
        case 3: {
            const int from = below(other.size() + 1);
            return text.replace(at, length, other.mid(from, below(60)));
        }
        case 4: return text.insert(at, odd.at(below(odd.size())));
        case 5: return text.replace(at, length, odd.at(below(odd.size())));
        case 6: {
            QByteArrayList lines = text.split('\n');
            lines.swapItemsAt(below(lines.size()), below(lines.size()));
            return lines.join('\n');
        }
        case 7: {
            QByteArrayList lines = text.split('\n');
            lines.insert(below(lines.size() + 1), lines.at(below(lines.size())));
            return lines.join('\n');
        }
        case 8: {
            static const QByteArrayList deep{"[", "{a=", "a.", "(", "[[", "{\"a\":", "\x1b["};
            return text.insert(at, deep.at(below(deep.size())).repeated(1 + below(300)));
        }
        default:
            for (int bytes = 1 + below(8); bytes > 0 && !text.isEmpty(); --bytes)
                text[below(text.size())] = char(below(256));
            return text;
        }
    }

    std::mt19937 m_random;
};

/// The files of a folder below tests/fuzz.
inline QByteArrayList corpusOf(const QString &folder)
{
    QByteArrayList texts;
    const QDir files(QStringLiteral(TM_SOURCE_DIR "/tests/fuzz/") + folder + QStringLiteral("/corpus"));
    const QStringList names = files.entryList(QDir::Files, QDir::Name);
    for (const QString &name : names) {
        QFile file(files.filePath(name));
        if (file.open(QIODevice::ReadOnly))
            texts.append(file.readAll());
    }
    if (texts.isEmpty())
        qFatal("no corpus in %s", qPrintable(files.path()));
    return texts;
}

} // namespace tmx::test
