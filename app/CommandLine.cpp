// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/CommandLine.h"

#include "app/Version.h"
#include "app/verbs/Completion.h"
#include "app/verbs/ManPage.h"
#include "app/verbs/Verb.h"
#include "model/base/NearestNames.h"
#include "model/base/Sentences.h"
#include "model/base/Tr.h"
#include "model/base/Translation.h"
#include "model/git/GitError.h"
#include "model/git/Repository.h"

#include <CLI/CLI.hpp>

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <csignal>
#include <exception>
#include <future>
#include <iterator>
#include <new>
#include <string_view>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct NamedVerb {
    std::string_view name;
    void (*add)(CLI::App &app, VerbContext &context);
};
/// In the order of the help.
constexpr NamedVerb verbs[] = {
    {"list", addList},         {"show", addShow},         {"audit", addAudit},       {"fix", addFix},
    {"generate", addGenerate}, {"compare", addCompare},   {"readme", addReadme},     {"export", addExport},
    {"history", addHistory},   {"detect", addDetect},     {"pick", addPick},         {"explain", addExplain},
    {"build", addBuild},       {"estimate", addEstimate}, {"verify", addVerify},     {"publish", addPublish},
    {"builds", addBuilds},     {"report", addReport},     {"queue", addQueue},       {"jobs", addJobs},
    {"log", addLog},           {"run-job", addRunners},   {"run-queue", addRunners}, {"settings", addSettings},
    {"template", addTemplate}, {"plan", addPlan},         {"derive", addDerive},     {"migrate", addMigrate},
    {"copy", addCopy},         {"overview", addOverview}, {"pins", addPins},         {"match", addMatch},
    {"init", addInit},         {"sample", addSample},
};

const NamedVerb *verbNamed(std::string_view name)
{
    if (name == "line") // the first name of settings
        return verbNamed("settings");
    const auto *const found = std::ranges::find(verbs, name, &NamedVerb::name);
    return found == std::end(verbs) ? nullptr : found;
}

/// Declaring the options of all verbs takes as long as running many a verb, so a call that names a verb declares only
/// that one.
void addVerbs(CLI::App &app, VerbContext &context, const std::string &first)
{
    if (first == "--version")
        return;
    if (const NamedVerb *verb = verbNamed(first)) {
        verb->add(app, context);
        return;
    }
    for (const NamedVerb *verb = std::begin(verbs); verb != std::end(verbs); ++verb) {
        if (verb == std::begin(verbs) || verb->add != (verb - 1)->add) // One source file may declare several verbs.
            verb->add(app, context);
    }
}

/// Rejects empty names of branches and empty option values, which usually are unset variables in a script. A TEXT may
/// be empty.
void refuseEmptyValues(CLI::App &app)
{
    for (CLI::Option *option : app.get_options([](CLI::Option *one) {
             return one->get_items_expected_max() > 0 &&
                    ((!one->get_positional() && one->get_type_name() != "TEXT") || one->get_single_name() == "BRANCH");
         })) {
        const bool branch = option->get_type_name() == "B" || option->get_single_name() == "BRANCH";
        option->check(CLI::Validator(
            [branch](const std::string &value) {
                return !value.empty() ? std::string()
                       : branch       ? std::string("the name of a branch is empty")
                                      : std::string("the value is empty");
            },
            ""));
    }
    for (CLI::App *verb : app.get_subcommands([](CLI::App *) { return true; }))
        refuseEmptyValues(*verb);
}

/// Rejects an option as another option's value, which CLI11 accepts: "--count --repo X" would use the wrong repository.
void refuseOptionsAsValues(CLI::App &app)
{
    for (CLI::Option *option : app.get_options([](CLI::Option *one) { return one->get_items_expected_max() > 0; })) {
        option->check(CLI::Validator(
            [&app](const std::string &value) {
                const bool known = value.size() > 1 && value.front() == '-' && app.get_option_no_throw(value);
                return known ? "a value is missing before " + value : std::string();
            },
            ""));
    }
    for (CLI::App *verb : app.get_subcommands([](CLI::App *) { return true; }))
        refuseOptionsAsValues(*verb);
}

/// "queue list"; empty if no verb was named.
QString verbOf(const CLI::App &app)
{
    const auto chosen = app.get_subcommands();
    if (chosen.empty())
        return {};
    const CLI::App &verb = *chosen.front();
    return (QString::fromStdString(verb.get_name()) + u' ' + verbOf(verb)).trimmed();
}

/// --completions SHELL, --complete WORD... and --man-page FILE: what the build and the shells ask. Not in the help.
bool isAnswerCall(const std::string &first)
{
    return first == "--completions" || first == "--complete" || first == "--man-page";
}

int answer(const CLI::App &app, const QStringList &arguments)
{
    const QString question = arguments.value(0);
    const QString value = arguments.value(1);
    if (question == u"--complete"_s) {
        for (const QString &line : completionsFor(app, arguments.sliced(1)))
            print(line);
        return Done;
    }
    if (question == u"--completions"_s) {
        const QByteArray script = completionScript(value);
        if (script.isEmpty())
            return complain({Tr::tr("complete"), value, Tr::tr("it must be bash, zsh or fish"), {}}, WrongUsage);
        printOwn(script);
        return Done;
    }
    QFile file(value);
    if (!file.open(QIODevice::ReadOnly))
        return complain({Tr::tr("read"), value, file.errorString(), {}});
    const Result<QByteArray> page = manPage(app, file.readAll());
    if (!page)
        return complain(page.error());
    printOwn(*page);
    return Done;
}

} // namespace

bool isVerbCall(int argc, char **argv)
{
    if (argc < 2)
        return false;
    const std::string first = argv[1];
    return first == "--help" || first == "-h" || first == "--version" || isAnswerCall(first) || verbNamed(first);
}

namespace {

/// What the first of the words may have meant that a verb does not accept: one of its options or subverbs, or of the
/// values that an option takes.
QString meantBy(const CLI::App &app, const QStringList &words, const QString &wrong)
{
    static const QRegularExpression values(u": (\\S+) not in \\{(.*)\\}$"_s);
    if (const auto match = values.match(wrong); match.hasMatch() && words.isEmpty())
        return meantSentence(match.captured(1), match.captured(2).split(u','));
    const CLI::App *verb = &app;
    while (!verb->get_subcommands().empty())
        verb = verb->get_subcommands().front();
    const QString word = words.value(0).section(u'=', 0, 0);
    QStringList names;
    if (word.startsWith("--"_L1)) {
        for (const CLI::Option *option : verb->get_options()) {
            for (const std::string &name : option->get_lnames())
                names.append(u"--"_s + QString::fromStdString(name));
        }
    } else {
        for (const CLI::App *sub : verb->get_subcommands([](const CLI::App *) { return true; }))
            names.append(QString::fromStdString(sub->get_name()));
    }
    return meantSentence(word, names);
}

/// Says what is wrong with the arguments. CLI11 reports missing required options before unknown words, and lists
/// unknown words in reverse.
int complainOfArguments(const CLI::App &app, const CLI::ParseError &wrong)
{
    const bool unknown =
        dynamic_cast<const CLI::RequiredError *>(&wrong) || dynamic_cast<const CLI::ExtrasError *>(&wrong);
    const QStringList words = unknown ? toStringList(app.remaining(true)) : QStringList();
    const QString verb = verbOf(app);
    const QString what = QString::fromLocal8Bit(wrong.what());
    tell(joinedSentences({u"torch-matrix: %1."_s.arg(
                              words.isEmpty() ? what : Tr::tr("%1 does not accept %2").arg(verb, words.join(u' '))),
                          meantBy(app, words, what),
                          Tr::tr("Run \"torch-matrix %1\" to see the options.")
                              .arg(verb.isEmpty() ? u"--help"_s : verb + u" --help"_s)}));
    return WrongUsage;
}

void setUp(CLI::App &app)
{
    app.name("torch-matrix");
    app.set_help_flag("-h,--help", Help::tr("Print this help message and exit"));
    for (const char *label : {QT_TRANSLATE_NOOP("tmx::Help", "Usage"), QT_TRANSLATE_NOOP("tmx::Help", "Positionals"),
                              QT_TRANSLATE_NOOP("tmx::Help", "OPTIONS"), QT_TRANSLATE_NOOP("tmx::Help", "SUBCOMMAND"),
                              QT_TRANSLATE_NOOP("tmx::Help", "REQUIRED"), QT_TRANSLATE_NOOP("tmx::Help", "Excludes"),
                              QT_TRANSLATE_NOOP("tmx::Help", "Needs")})
        app.get_formatter()->label(label, Help::tr(label));
    app.set_version_flag("--version", std::string("torch-matrix ") + versionText,
                         Help::tr("Display program version information and exit"));
    app.require_subcommand(1);
}

int runAsked(int argc, char **argv)
{
    std::signal(SIGPIPE, SIG_DFL);
    QCoreApplication core(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("torch-matrix"));
    QCoreApplication::setApplicationVersion(QString::fromLatin1(versionText));
    // Messages of libraries may quote a repository's text.
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext &, const QString &text) { tell(text); });

    const std::string first = argv[1];
    // Man page and completions are English; the version has no words.
    if (first != "--version" && !isAnswerCall(first))
        installTranslations();

    CLI::App app(
        Help::tr("Manages matrices of PyTorch builds with Flox.\n"
                 "With a folder, or without arguments, it opens the window; with a verb it works in the terminal.\n"
                 "The options of the window: torch-matrix DIR --help.\n"
                 "Exit codes: 0 done, 1 done with findings or a failed build, 2 wrong usage, 3 could not be done."));
    setUp(app);
    VerbContext context;
    addVerbs(app, context, first);
    for (const CLI::App *verb : app.get_subcommands([&](const CLI::App *one) { return one->get_name() == first; })) {
        if (!verb->get_subcommands([](const CLI::App *) { return true; }).empty())
            putRepositoryLast(argc, argv, 2);
    }
    app.usage("torch-matrix [DIR]\n  torch-matrix VERB [OPTIONS]"); // after the verbs, which would inherit it
    if (isAnswerCall(first))
        return answer(app, QCoreApplication::arguments().sliced(1));
    refuseEmptyValues(app);
    refuseOptionsAsValues(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success &help) {
        return app.exit(help);
    } catch (const CLI::ParseError &wrong) {
        return complainOfArguments(app, wrong);
    }
    // libgit2 loads the system's certificates on start, used or not; load the catalog meanwhile.
    std::future<void> git;
    const CLI::App *verb = &app;
    while (!verb->get_subcommands().empty())
        verb = verb->get_subcommands().front();
    const bool usesRepository = verb->get_option_no_throw("--repo") != nullptr;
    if (usesRepository)
        git = std::async(std::launch::async, startGit);
    try {
        // Git's locks of a killed process block every `git commit`.
        if (const auto repository = usesRepository ? Repository::open(context.repoPath()) : Result<Repository>(Error{});
            repository && repository->recover())
            tell(Tr::tr("note: a change of this repository was interrupted; it was completed or reverted now, and its "
                        "locks were removed"));
        const Result<int> code = context.run();
        return code ? *code : complain(code.error());
    } catch (const std::bad_alloc &) {
        return complain({Tr::tr("continue"), {}, Tr::tr("there is not enough memory"), {}});
    } catch (const std::exception &unforeseen) {
        return complain(
            {Tr::tr("continue"), {}, QString::fromLocal8Bit(unforeseen.what()), Tr::tr("Please report this.")});
    }
}

} // namespace

void putRepositoryLast(int argc, char **argv, int at)
{
    const std::string_view option = argc > at ? argv[at] : "";
    const int words = option == "--repo" ? 2 : option.starts_with("--repo=") ? 1 : 0;
    if (words == 0 || argc <= at + words || (at == 1 && !verbNamed(argv[at + words])))
        return;
    char **end = std::find_if(argv + at, argv + argc, [](const char *word) { return std::string_view(word) == "--"; });
    std::rotate(argv + at, argv + at + words, end);
}

std::optional<int> refusedWord(int argc, char **argv)
{
    const QString word = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QString();
    if (word.isEmpty() || word.startsWith(u'-') || QFileInfo::exists(word))
        return std::nullopt;
    const QCoreApplication core(argc, argv);
    installTranslations();
    CLI::App app;
    VerbContext context;
    addVerbs(app, context, {});
    QStringList names;
    QStringList longer; // "queue retry" for retry
    for (const CLI::App *verb : app.get_subcommands([](const CLI::App *) { return true; })) {
        names.append(QString::fromStdString(verb->get_name()));
        for (const CLI::App *sub : verb->get_subcommands([](const CLI::App *) { return true; })) {
            if (sub->get_name() == argv[1])
                longer.append(names.constLast() + u' ' + word);
        }
    }
    const QString meant = longer.isEmpty() ? meantSentence(word, names) : meantSentence(longer);
    return complain({Tr::tr("use"), word, Tr::tr("it is neither a verb nor a folder"),
                     joinedSentences({meant, Tr::tr("\"torch-matrix --help\" lists the verbs.")})},
                    WrongUsage);
}

int runVerb(int argc, char **argv)
{
    return afterOutput(runAsked(argc, argv));
}

} // namespace tmx
