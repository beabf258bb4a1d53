// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/NixConfig.h"

#include "model/base/Tr.h"

#include <QDir>
#include <QList>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qsizetype longestConfig = 256 * 1024;
constexpr qsizetype mostSettings = 4096;
constexpr int deepestInclude = 32;

QStringList wordsOf(const QString &text)
{
    static const QRegularExpression blanks(u"[ \\t\\r\\n]+"_s);
    return text.split(blanks, Qt::SkipEmptyParts);
}

struct Setting {
    QString name;
    QString value;
};

/// Reads one text with its includes, in order. If Nix would reject it, sets the problem.
class Reader
{
public:
    explicit Reader(const NixFileReader &read)
        : m_read(read)
    {
    }

    void add(const QString &text, const QString &path, int depth = 0)
    {
        int number = 0;
        for (const QString &line : text.left(longestConfig).split(u'\n')) {
            ++number;
            const QStringList words = wordsOf(line.section(u'#', 0, 0));
            if (!words.isEmpty() && problem.isEmpty())
                addSettings(words, path, number, depth);
        }
    }

    QList<Setting> settings;
    QString problem;

private:
    void addSettings(const QStringList &words, const QString &path, int number, int depth)
    {
        const bool optional = words.constFirst() == "!include"_L1;
        if (words.size() == 2 && (optional || words.constFirst() == "include"_L1))
            return include(words.at(1), optional, path, number, depth);
        if (words.value(1) != "="_L1 || optional || words.constFirst() == "include"_L1)
            problem = Tr::tr("Nix rejects line %1 of %2. Write it as name = value, with a space on each side of the "
                             "sign.")
                          .arg(number)
                          .arg(path);
        else if (settings.size() < mostSettings)
            settings.append({words.constFirst(), words.sliced(2).join(u' ')});
    }

    void include(const QString &file, bool optional, const QString &path, int number, int depth)
    {
        if (!file.startsWith(u'/') && !path.startsWith(u'/')) {
            problem =
                Tr::tr("Nix rejects line %1 of %2: it includes %3. Give an absolute path.").arg(number).arg(path, file);
            return;
        }
        const QString included =
            QDir::cleanPath(file.startsWith(u'/') ? file : path.section(u'/', 0, -2) + u'/' + file);
        const std::optional<QString> text = m_read(included);
        if (depth >= deepestInclude)
            problem = Tr::tr("The includes of %1 form a loop. Remove line %2.").arg(path).arg(number);
        else if (text)
            add(*text, included, depth + 1);
        else if (!optional)
            problem = Tr::tr("Nix rejects line %1 of %2: there is no %3. Write !include where the file may be "
                             "missing.")
                          .arg(number)
                          .arg(path, included);
    }

    const NixFileReader &m_read;
};

void sortSet(QStringList &set)
{
    set.sort();
    set.removeDuplicates();
}

void apply(NixConfig &config, const Setting &setting)
{
    const auto list = [&setting](QStringList &value, const QString &name) {
        if (setting.name != name && setting.name != "extra-"_L1 + name)
            return;
        value = (setting.name == name ? QStringList() : value) + wordsOf(setting.value);
        sortSet(value);
    };
    list(config.systemFeatures, u"system-features"_s);
    list(config.extraPlatforms, u"extra-platforms"_s); // a further "extra-" before its name appends
    if (setting.name == "builders"_L1)
        config.builders = setting.value;
    else if (setting.name == "system"_L1)
        config.system = setting.value;
    else if (setting.name == "max-jobs"_L1 || setting.name == "build-max-jobs"_L1)
        config.maxJobs = setting.value;
}

/// The last one is read first, because earlier ones override it.
QStringList userFiles(const QProcessEnvironment &environment)
{
    if (environment.contains(u"NIX_USER_CONF_FILES"_s))
        return environment.value(u"NIX_USER_CONF_FILES"_s).split(u':', Qt::SkipEmptyParts);
    const QString home = environment.value(u"HOME"_s, QDir::homePath());
    const QString config = environment.value(u"XDG_CONFIG_HOME"_s, home + u"/.config"_s) + u"/nix"_s;
    QStringList files{environment.value(u"NIX_CONFIG_HOME"_s, config) + u"/nix.conf"_s};
    const QStringList shared = environment.value(u"XDG_CONFIG_DIRS"_s, u"/etc/xdg"_s).split(u':', Qt::SkipEmptyParts);
    for (const QString &folder : shared)
        files.append(folder + u"/nix/nix.conf"_s);
    return files;
}

} // namespace

NixConfig readNixConfig(const QProcessEnvironment &environment, const NixFileReader &read, NixConfig usual)
{
    NixConfig config = std::move(usual);
    const QString set = environment.value(u"NIX_CONF_DIR"_s);
    const QString folder = set.isEmpty() ? u"/etc/nix"_s : QDir::cleanPath(set);
    config.builders = u'@' + folder + u"/machines"_s;
    if (environment.contains(u"NIX_REMOTE_SYSTEMS"_s)) {
        QStringList machines;
        for (const QString &file : environment.value(u"NIX_REMOTE_SYSTEMS"_s).split(u':', Qt::SkipEmptyParts))
            machines.append(u'@' + file);
        config.builders = machines.join(u'\n');
    }
    const auto take = [&](const QString &text, const QString &path) {
        Reader reader(read);
        if (config.problem.isEmpty())
            reader.add(text, path);
        for (const Setting &setting : std::as_const(reader.settings))
            apply(config, setting);
        if (config.problem.isEmpty())
            config.problem = reader.problem;
    };
    QStringList files = userFiles(environment);
    files.append(folder + u"/nix.conf"_s);
    while (!files.isEmpty()) {
        const QString file = files.takeLast();
        take(read(file).value_or(QString()), file);
    }
    take(environment.value(u"NIX_CONFIG"_s), u"NIX_CONFIG"_s);
    sortSet(config.systemFeatures);
    sortSet(config.extraPlatforms);
    return config;
}

} // namespace tmx
