// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/ManPage.h"

#include "app/Version.h"

#include <CLI/CLI.hpp>

#include <QStringList>

#include <set>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// Escapes text for roff: no character of it is a request or an escape.
QString roff(const QString &text)
{
    QString escaped = text;
    escaped.replace(u'\\', u"\\e"_s).replace(u'-', u"\\-"_s).replace(u'"', u"\\(dq"_s);
    return escaped.startsWith(u'.') || escaped.startsWith(u'\'') ? u"\\&"_s + escaped : escaped;
}

QString roff(const std::string &text)
{
    return roff(QString::fromStdString(text).simplified());
}

std::vector<const CLI::App *> verbsOf(const CLI::App &app)
{
    return app.get_subcommands([](const CLI::App *verb) { return !verb->get_group().empty(); });
}

std::vector<const CLI::Option *> optionsOf(const CLI::App &verb)
{
    return verb.get_options([](const CLI::Option *option) { return !option->get_group().empty(); });
}

/// "-p, --patch" in bold, its value in italics; only the name for a positional.
QString named(const CLI::Option &option)
{
    if (option.get_positional())
        return u"\\fI"_s + roff(option.get_single_name()) + u"\\fR"_s;
    QStringList names;
    for (const std::string &name : option.get_snames())
        names.append(u"\\fB"_s + roff("-" + name) + u"\\fR"_s);
    for (const std::string &name : option.get_lnames())
        names.append(u"\\fB"_s + roff("--" + name) + u"\\fR"_s);
    // CLI11 appends what its checks accept: "N:INT in [1 - 64]", "TEXT:{auto,name,cell}".
    const QString type = QString::fromStdString(option.get_type_name());
    const QString choices = type.section(u'{', 1).chopped(type.endsWith(u'}') ? 1 : 0);
    const QString value = choices.isEmpty() ? type.section(u':', 0, 0) : QString(choices).replace(u',', u'|');
    return names.join(u", "_s) +
           (option.get_items_expected_max() > 0 && !value.isEmpty() ? u" \\fI"_s + roff(value) + u"\\fR"_s : QString());
}

/// "\fBqueue move\fR NAME... [--before NAME]". The options of every verb (--help, --repo, --json) are described once.
QString synopsis(const CLI::App &verb, const QString &name)
{
    QString line = u"\\fB"_s + roff(name) + u"\\fR"_s;
    QStringList options;
    for (const CLI::Option *option : optionsOf(verb)) {
        const std::string single = option->get_single_name();
        if (single == "help" || single == "repo" || single == "json")
            continue;
        const bool list = option->get_items_expected_max() > 1 && !option->get_type_name().ends_with("...");
        const QString text = named(*option) + (list ? u"..."_s : QString());
        (option->get_positional() ? line : options.emplaceBack()) +=
            (option->get_positional() ? u" "_s : QString()) + (option->get_required() ? text : u"["_s + text + u']');
    }
    return options.isEmpty() ? line : line + u' ' + options.join(u' ');
}

/// Collects the full names of the verb, if it does something itself, and of its subcommands.
void collect(const CLI::App &verb, const QString &name, QList<std::pair<QString, const CLI::App *>> &all)
{
    const std::vector<const CLI::App *> below = verbsOf(verb);
    if (below.empty() || verb.get_require_subcommand_min() == 0)
        all.append({name, &verb});
    for (const CLI::App *one : below)
        collect(*one, name + u' ' + QString::fromStdString(one->get_name()), all);
}

QByteArray optionLists(const QList<std::pair<QString, const CLI::App *>> &verbs)
{
    QString text;
    for (const auto &[name, verb] : verbs) {
        QString list;
        for (const CLI::Option *option : optionsOf(*verb)) {
            if (option->get_single_name() != "help")
                list += u".TP\n"_s + named(*option) + u'\n' + roff(option->get_description()) + u'\n';
        }
        text += u".SS "_s + roff(name) + u'\n' + roff(verb->get_description()) + u".\n"_s + list;
    }
    return text.toUtf8();
}

Error wrong(const QString &subject, const QString &why)
{
    return {u"write the man page"_s, subject, why, {}};
}

} // namespace

Result<QByteArray> manPage(const CLI::App &app, const QByteArray &text)
{
    QList<std::pair<QString, const CLI::App *>> verbs;
    for (const CLI::App *verb : verbsOf(app))
        collect(*verb, QString::fromStdString(verb->get_name()), verbs);
    std::set<QString> described;
    QByteArray page;
    for (const QByteArray &line :
         QByteArray(text).replace(QByteArray("@VERSION@"), QByteArray(versionNumber)).split('\n')) {
        if (line == ".\\\" OPTIONS") {
            page += optionLists(verbs);
        } else if (line.startsWith(".\\\" VERB ")) {
            const QString name = QString::fromUtf8(line.mid(9));
            QByteArray request = ".TP\n";
            for (const auto &[full, verb] : std::as_const(verbs)) {
                if (full != name && !full.startsWith(name + u' '))
                    continue;
                page += request + synopsis(*verb, full).toUtf8() + '\n';
                request = ".TQ\n";
                described.insert(full);
            }
            if (request == ".TP\n")
                return wrong(name, u"there is no such verb"_s);
        } else {
            page += line + '\n';
        }
    }
    page.chop(1); // split() returns an empty line after the last one
    for (const auto &[name, verb] : std::as_const(verbs)) {
        if (!described.contains(name))
            return wrong(name, u"the text has no line for this verb"_s);
    }
    return page;
}

} // namespace tmx
