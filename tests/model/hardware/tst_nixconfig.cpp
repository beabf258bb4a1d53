// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/NixConfig.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

/// Nix's settings, read as real Nix reads them.
class TestNixConfig : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::mt19937 m_random;

    int below(int limit) { return int(m_random() % quint32(limit)); }
    template <class T>
    T oneOf(const QList<T> &list)
    {
        return list.at(below(int(list.size())));
    }
    [[nodiscard]] QString path(const QString &name) const { return m_folder.filePath(name); }

    void put(const QString &name, const QString &text) const
    {
        QVERIFY(QDir().mkpath(QFileInfo(path(name)).path()));
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.toUtf8());
    }

    /// A line of a file; includes only later ones of `files`.
    QString line(const QStringList &files)
    {
        static const QStringList names{u"builders"_s,
                                       u"extra-builders"_s,
                                       u"system-features"_s,
                                       u"system"_s,
                                       u"extra-system-features"_s,
                                       u"extra-platforms"_s,
                                       u"extra-platforms"_s,
                                       u"extra-extra-platforms"_s,
                                       u"max-jobs"_s,
                                       u"build-max-jobs"_s,
                                       u"keep-going"_s,
                                       u"no-such-setting"_s};
        static const QStringList forms{u"%1 = %2"_s,   u"  %1\t=   %2  "_s, u"%1 = %2 # and %1 = no"_s, u"# %1 = %2"_s,
                                       u"%1 = %2\r"_s, u"%1 ="_s,           u"\n%1 = %2\n\n"_s};
        static const QStringList refused{u"%1=%2"_s, u"%1"_s, u"%1 : %2"_s, u"include"_s, u"include a b"_s, u"= %1"_s};
        static const QMap<QString, QStringList> values{
            {u"max-jobs"_s, {u"0"_s, u"3"_s}},
            {u"build-max-jobs"_s, {u"1"_s, u"07"_s}},
            {u"keep-going"_s, {u"true"_s}},
            {u"system"_s, {u"aarch64-linux"_s, u"x86_64-linux"_s}},
        };
        if (below(3) == 0 && !files.isEmpty()) {
            const QString file = oneOf(files);
            const QString written = below(2) == 0 ? path(file) : file;
            return (below(4) == 0 ? u"include %1"_s : u"!include  %1 # it"_s).arg(written);
        }
        const QString name = oneOf(names);
        const QString value =
            values.contains(name)
                ? oneOf(values[name])
                : QStringList{oneOf(QStringList{u"kvm"_s, u"big-parallel"_s, u"@/etc/x"_s, u"ssh://a"_s}),
                              oneOf(QStringList{u"cuda"_s, u";"_s, u"aarch64-linux"_s}),
                              oneOf(QStringList{u"z"_s, u"b=c"_s, u"-"_s})}
                      .join(below(2) == 0 ? u" "_s : u"  \t"_s);
        const QString text = below(60) == 0 ? oneOf(refused) : oneOf(forms);
        // A setting with a single word accepts any text.
        QString written = values.contains(name) && text.endsWith(u'=') ? u"%1 = %2"_s : text;
        return written.replace("%1"_L1, name).replace("%2"_L1, value);
    }

    QString text(const QStringList &files)
    {
        QString lines;
        for (int i = below(6); i > 0; --i)
            lines += line(files) + u'\n';
        return lines;
    }

    /// Output of `nix config show --json`; empty if Nix rejects the settings, with its message.
    static QJsonObject shown(const QProcessEnvironment &environment, QByteArray &errors)
    {
        QProcess nix;
        nix.setProcessEnvironment(environment);
        nix.start(u"nix"_s,
                  {u"--extra-experimental-features"_s, u"nix-command"_s, u"config"_s, u"show"_s, u"--json"_s});
        if (!nix.waitForFinished() || nix.exitStatus() != QProcess::NormalExit)
            qFatal("nix: %s", qPrintable(nix.errorString()));
        errors = nix.readAllStandardError();
        return QJsonDocument::fromJson(nix.readAllStandardOutput()).object();
    }

    static QStringList setOf(const QJsonObject &settings, const QString &name)
    {
        QStringList set = settings[name].toObject()[u"value"_s].toVariant().toStringList();
        // The levels of the processor, which Nix adds by default.
        set.removeIf([](const QString &word) { return word.startsWith("x86_64-v"_L1); });
        set.sort();
        return set;
    }

    static std::optional<QString> contentOf(const QString &path)
    {
        QFile file(path);
        if (!QFileInfo::exists(path))
            return std::nullopt;
        return QFileInfo(path).isFile() && file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll())
                                                                          : QString();
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void asNixShowsThem()
    {
        m_random.seed(test::newSeed());
        QProcessEnvironment bare = QProcessEnvironment::systemEnvironment();
        for (const char *name : {"NIX_CONFIG", "NIX_REMOTE_SYSTEMS", "NIX_USER_CONF_FILES", "NIX_CONFIG_HOME",
                                 "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS"})
            bare.remove(QString::fromLatin1(name));
        bare.insert(u"HOME"_s, path(u"home"_s));
        bare.insert(u"NIX_CONF_DIR"_s, path(u"etc"_s));
        QByteArray errors;
        const QJsonObject plain = shown(bare, errors);
        QVERIFY2(!plain.isEmpty(), errors.constData());
        const NixConfig usual{.builders = {},
                              .systemFeatures = setOf(plain, u"system-features"_s),
                              .extraPlatforms = setOf(plain, u"extra-platforms"_s)};
        QVERIFY(QDir().mkpath(path(u"etc/folder"_s)));
        const QStringList parts{u"etc/a.conf"_s, u"etc/b.conf"_s, u"etc/deep/c.conf"_s};
        int refused = 0;
        const int rounds = test::fuzzInputs(60);
        for (int round = 0; round < rounds; ++round) {
            put(u"etc/a.conf"_s, text({u"b.conf"_s, u"deep/c.conf"_s, u"none.conf"_s, u"folder"_s}));
            put(u"etc/b.conf"_s, text({u"deep/c.conf"_s, u"../etc/deep/./c.conf"_s}));
            put(u"etc/deep/c.conf"_s, text({}));
            put(u"etc/nix.conf"_s, text({u"a.conf"_s, u"b.conf"_s}));
            put(u"home/.config/nix/nix.conf"_s, text({u"../../../etc/a.conf"_s, u"none"_s}));
            put(u"xdg/nix/nix.conf"_s, text({}));
            put(u"one.conf"_s, text({}));
            put(u"two.conf"_s, text({u"one.conf"_s}));
            QProcessEnvironment environment = bare;
            if (below(2) == 0)
                environment.insert(u"XDG_CONFIG_DIRS"_s, path(u"nowhere"_s) + u':' + path(u"xdg"_s));
            if (below(4) == 0)
                environment.insert(u"NIX_CONFIG_HOME"_s, path(u"xdg/nix"_s));
            if (below(3) == 0)
                environment.insert(u"NIX_USER_CONF_FILES"_s,
                                   oneOf(QStringList{QString(), path(u"one.conf"_s),
                                                     path(u"one.conf"_s) + u':' + path(u"two.conf"_s)}));
            if (below(3) == 0)
                environment.insert(u"NIX_REMOTE_SYSTEMS"_s,
                                   oneOf(QStringList{QString(), u"/a"_s, u"/a:/b"_s, u":/a::/b"_s}));
            if (below(2) == 0)
                environment.insert(u"NIX_CONFIG"_s, text({u"one.conf"_s}));
            const QJsonObject real = shown(environment, errors);
            const NixConfig ours = readNixConfig(environment, contentOf, usual);
            const auto value = [&real](const QString &name) -> QJsonValue { return real[name].toObject()[u"value"_s]; };
            QVERIFY2(real.isEmpty() == !ours.problem.isEmpty(), errors + qPrintable(ours.problem));
            if (real.isEmpty()) {
                ++refused;
                continue;
            }
            QCOMPARE(ours.builders, value(u"builders"_s).toString());
            QCOMPARE(ours.maxJobs.toInt(), value(u"max-jobs"_s).toInt());
            QCOMPARE(ours.systemFeatures, setOf(real, u"system-features"_s));
            QCOMPARE(ours.extraPlatforms, setOf(real, u"extra-platforms"_s));
            if (ours.system)
                QCOMPARE(*ours.system, value(u"system"_s).toString());
        }
        QVERIFY2(refused > 0 && refused < rounds * 3 / 4, qPrintable(QString::number(refused)));
    }

    void sayWhatIsWrong_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("no blanks") << u"cores = 2\nbuilders=x"_s << u"line 2 of /etc/nix/nix.conf"_s;
        QTest::newRow("missing file") << u"include gone"_s << u"there is no /etc/nix/gone"_s;
        QTest::newRow("without end") << u"include nix.conf"_s << u"form a loop"_s;
    }
    void sayWhatIsWrong()
    {
        QFETCH(QString, text);
        QFETCH(QString, says);
        const auto read = [&text](const QString &path) {
            return path == "/etc/nix/nix.conf"_L1 ? std::optional(text) : std::nullopt;
        };
        const NixConfig config = readNixConfig({}, read, {});
        QVERIFY2(config.problem.contains(says) && config.problem.endsWith(u'.'), qPrintable(config.problem));
    }
};

TM_TEST(TestNixConfig, QCoreApplication)
#include "tst_nixconfig.moc"
