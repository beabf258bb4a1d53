// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/CompareController.h"
#include "app/window/Panels.h"
#include "model/base/Translation.h"
#include "tests/app/DrivenWindow.h"
#include "tests/support/TestMain.h"
#include "tests/support/Translations.h"
#include "tests/support/VerbFixture.h"
#include "views/compare/ComparePanel.h"
#include "views/help/Manual.h"
#include "views/work/WorkDialog.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabBar>
#include <QTextBrowser>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

const QString missing = u"pytorch-python313-cuda12_8-sm90-avx512"_s;

/// Words that are the same in every language: names of products and of files, and what the sample and the catalog hold.
class Names
{
public:
    explicit Names(const Catalog &catalog)
    {
        for (const char *word :
             {"PyTorch", "Torch", "Matrix", "CUDA", "Python", "NVIDIA", "Flox", "Nix", "README", "GitHub", "GitLab",
              "Slurm", "slurm", "GPU", "CPU", "cuDNN", "MKL", "OpenBLAS", "BLAS", "GiB", "MiB", "KiB", "PATH", "ssh",
              // branches, files and people of the sample; commands
              "main", "origin", "sample", "git", "flox", "torch-matrix", "nix", "nixpkgs", "Sample", "user", "gpu",
              "cpu", "learned", "flox build", "Intel", "AMD", "Zen", "Sans", "Mono", "Monospace"})
            add(QString::fromLatin1(word));
        // This machine.
        add(QSysInfo::machineHostName());
        QFile processors(u"/proc/cpuinfo"_s);
        if (processors.open(QIODevice::ReadOnly))
            add(QString::fromUtf8(processors.readAll()));
        for (const GpuRow &row : catalog.rows) {
            add(row.id);
            add(row.generation);
            for (const QString &product : row.products)
                add(product);
        }
        // Qt's own, which its translations have.
        for (const char *text : {"Float", "Undocks and re-attaches the dock widget", "Close", "Closes the dock widget",
                                 "Scroll Left", "Scroll Right", "OK", "Cancel", "Apply"})
            m_ofQt.insert(QString::fromLatin1(text));
        for (const Isa &isa : catalog.isas) {
            add(isa.id);
            add(isa.title);
            add(isa.useCase);
            add(isa.platform);
        }
        for (const Family &family : catalog.families) {
            add(family.id);
            add(family.title);
        }
    }

    /// The words of a text that are neither translated nor names. A word with a digit, a dot, a dash or a slash in it
    /// is a name: a version, a file, an option.
    [[nodiscard]] QStringList untranslated(const QString &text) const
    {
        static const QRegularExpression other(u"[^\\w./\\\\:=@+-]+"_s, QRegularExpression::UseUnicodePropertiesOption);
        static const QRegularExpression plain(u"^[A-Za-z][a-z]+$|^[A-Z]{2,}$"_s);
        QStringList found;
        if (m_ofQt.contains(QString(text).remove(u'&')))
            return found;
        for (QString word : untranslatedOf(text).remove(u'&').split(other, Qt::SkipEmptyParts)) {
            while (word.endsWith(u'.') || word.endsWith(u':'))
                word.chop(1);
            if (plain.match(word).hasMatch() && !m_words.contains(word))
                found.append(word);
        }
        return found;
    }

private:
    void add(const QString &text)
    {
        static const QRegularExpression other(u"[^\\w./-]+"_s);
        for (QString word : text.split(other, Qt::SkipEmptyParts)) {
            while (word.endsWith(u'.'))
                word.chop(1);
            m_words.insert(word);
        }
    }
    QSet<QString> m_words;
    QSet<QString> m_ofQt;
};

/// A text that a person sees or hears, and where.
struct Shown {
    QString where;
    QString text;
};

void addModel(QList<Shown> &shown, const QString &where, const QAbstractItemModel *model, const QModelIndex &parent,
              int mostColumns, int depth = 0)
{
    const int rows = std::min(model->rowCount(parent), 60);
    const int columns = std::min(model->columnCount(parent), mostColumns);
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const QModelIndex index = model->index(row, column, parent);
            for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole})
                shown.append({where + u" (%1, %2)"_s.arg(row).arg(column), index.data(role).toString()});
        }
        if (depth < 2)
            addModel(shown, where, model, model->index(row, 0, parent), mostColumns, depth + 1);
    }
}

QString nameOf(const QWidget *widget)
{
    QString name = QString::fromLatin1(widget->metaObject()->className());
    for (const QWidget *parent = widget->parentWidget(); parent; parent = parent->parentWidget()) {
        if (const QByteArray type = parent->metaObject()->className(); type.startsWith("tmx::"))
            return QString::fromLatin1(type) + u" > "_s + name;
    }
    return name;
}

void addActions(QList<Shown> &shown, const QString &where, const QList<QAction *> &actions)
{
    for (const QAction *action : actions) {
        shown.append({where, action->text()});
        if (action->toolTip() != action->text())
            shown.append({where + u" tooltip"_s, action->toolTip()});
    }
}

QList<Shown> textsOf(QWidget *root)
{
    QList<Shown> shown;
    QWidgetList all = root->findChildren<QWidget *>();
    all.prepend(root);
    for (QWidget *widget : all) {
        const QString where = nameOf(widget);
        if (widget->isWindow())
            shown.append({where + u" title"_s, widget->windowTitle()});
        shown.append({where + u" tooltip"_s, widget->toolTip()});
        shown.append({where + u" accessible name"_s, widget->accessibleName()});
        shown.append({where + u" accessible description"_s, widget->accessibleDescription()});
        addActions(shown, where + u" action"_s, widget->actions());
        if (const auto *label = qobject_cast<QLabel *>(widget))
            shown.append({where, label->text()});
        else if (const auto *button = qobject_cast<QAbstractButton *>(widget))
            shown.append({where, button->text()});
        else if (const auto *line = qobject_cast<QLineEdit *>(widget))
            shown.append({where + u" placeholder"_s, line->placeholderText()});
        else if (const auto *text = qobject_cast<QPlainTextEdit *>(widget))
            shown.append({where + u" placeholder"_s, text->placeholderText()});
        else if (const auto *box = qobject_cast<QGroupBox *>(widget))
            shown.append({where, box->title()});
        else if (const auto *spin = qobject_cast<QSpinBox *>(widget))
            shown.append({where, spin->prefix() + spin->suffix() + spin->specialValueText()});
        else if (const auto *tabs = qobject_cast<QTabBar *>(widget)) {
            for (int i = 0; i < tabs->count(); ++i)
                shown.append({where, tabs->tabText(i) + u' ' + tabs->tabToolTip(i)});
        } else if (const auto *combo = qobject_cast<QComboBox *>(widget)) {
            for (int i = 0; i < combo->count(); ++i)
                shown.append({where, combo->itemText(i)});
        } else if (const auto *view = qobject_cast<QAbstractItemView *>(widget);
                   view && view->model() && !qobject_cast<QHeaderView *>(widget)) {
            // The values of facts are the recipes' own.
            addModel(shown, where, view->model(), {}, view->inherits("tmx::FactTable") ? 1 : 20);
            for (int column = 0; column < std::min(view->model()->columnCount(), 30); ++column)
                shown.append({where + u" header"_s,
                              view->model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() + u' ' +
                                  view->model()->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString()});
        }
    }
    return shown;
}

/// "Menu: text" of what does not fit where it is shown: no layout gives it the room that it asks for.
QStringList tooNarrow(QWidget *root)
{
    QStringList found;
    for (QWidget *widget : root->findChildren<QWidget *>()) {
        if (!widget->isVisible() || widget->visibleRegion().isEmpty())
            continue;
        QString text;
        if (const auto *button = qobject_cast<QAbstractButton *>(widget))
            text = button->text();
        else if (const auto *label = qobject_cast<QLabel *>(widget); label && !label->wordWrap())
            text = label->text();
        if (text.isEmpty() || widget->inherits("tmx::ElidedLabel"))
            continue;
        const int wanted = widget->sizeHint().width();
        const int shown = widget->visibleRegion().boundingRect().width();
        if (shown < wanted && widget->toolTip().isEmpty())
            found.append(u"%1: \"%2\" has %3 of %4 pixels"_s.arg(nameOf(widget), text).arg(shown).arg(wanted));
    }
    return found;
}

} // namespace

/// In a translation whose every text is marked and longer, what is neither marked nor a name was never translated, and
/// what has less room than it asks for is cut in another language.
class TestTranslated : public QObject
{
    Q_OBJECT

    QTemporaryDir m_config;
    std::unique_ptr<PseudoTranslation> m_translation;
    std::unique_ptr<Names> m_names;
    QStringList m_untranslated;
    QStringList m_narrow;

    void look(const QString &view, QWidget *widget)
    {
        for (const Shown &one : textsOf(widget)) {
            const QStringList words = m_names->untranslated(one.text);
            if (words.isEmpty())
                continue;
            const QString line = u"%1: \"%2\" (%3)"_s.arg(one.where, one.text.left(300), words.join(u' '));
            if (!m_untranslated.contains(line))
                m_untranslated.append(line);
        }
        const QStringList narrow = tooNarrow(widget);
        for (const QString &one : narrow) {
            if (!m_narrow.contains(view + u": "_s + one))
                m_narrow.append(view + u": "_s + one);
        }
        if (widget->width() > 1280 || widget->height() > 800)
            m_narrow.append(u"%1: is %2 x %3"_s.arg(view).arg(widget->width()).arg(widget->height()));
    }

    QWidget *opened(const QWidget *window) const
    {
        for (QWidget *widget : QApplication::topLevelWidgets()) {
            if (widget != window && widget->isVisible() && widget->isWindow() && !qobject_cast<QMenu *>(widget) &&
                !widget->inherits("QTipLabel"))
                return widget;
        }
        return nullptr;
    }

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("XDG_CONFIG_HOME", m_config.path().toUtf8());
        m_translation = std::make_unique<PseudoTranslation>();
        m_names = std::make_unique<Names>(*testing::builtInCatalog());
        qputenv("TORCH_MATRIX_TRANSLATIONS", m_translation->folder().toUtf8());
        installTranslations(QLocale(QLocale::Esperanto));
        qunsetenv("TORCH_MATRIX_TRANSLATIONS");
    }
    void init()
    {
        m_untranslated.clear();
        m_narrow.clear();
    }

    void findsWhatIsNotTranslated()
    {
        QCOMPARE(m_names->untranslated(u"pytorch-python313-cpu-avx2, CUDA 12.9"_s), QStringList());
        QCOMPARE(m_names->untranslated(pseudo(u"Save %1"_s).arg(u"all the words"_s)), QStringList());
        QCOMPARE(m_names->untranslated(pseudo(u"Save"_s) + u": it is done."_s),
                 (QStringList{u"it"_s, u"is"_s, u"done"_s}));
        QWidget window;
        auto *label = new QLabel(u"a text that has no room"_s, &window);
        label->setFixedWidth(20);
        window.show();
        QTRY_VERIFY(window.isVisible());
        QCOMPARE(tooNarrow(&window).size(), 1);
    }

    void viewsAndMenus()
    {
        const DrivenWindow driven(missing);
        QTRY_VERIFY(driven.settled());
        MainWindow *window = driven.window.get();
        driven.click(missing);
        for (const QString &panel : Panels::names()) {
            window->raisePanel(panel);
            QTRY_VERIFY(driven.settled());
            QCoreApplication::processEvents();
            look(panel, window);
        }
        QCOMPARE(window->size(), QSize(1280, 800));
        for (QMenu *menu : window->findChildren<QMenu *>())
            look(u"menu"_s, menu);
        QVERIFY2(m_untranslated.isEmpty(), qUtf8Printable(u"not translated:\n"_s + m_untranslated.join(u'\n')));
        QVERIFY2(m_narrow.isEmpty(), qUtf8Printable(u"does not fit:\n"_s + m_narrow.join(u'\n')));
    }

    void dialogs()
    {
        const DrivenWindow driven(missing);
        QTRY_VERIFY(driven.settled());
        MainWindow *window = driven.window.get();
        int seen = 0;
        for (const QString &cell : {missing, u"pytorch-python313-cuda12_8-sm90-avx2"_s}) {
            driven.click(cell);
            QTRY_VERIFY(driven.settled());
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // the last dialog, with its actions
            for (QAction *action : window->findChildren<QAction *>()) {
                if (!action->isEnabled() || !action->text().contains(u'…') || action->menu())
                    continue;
                action->trigger();
                if (!QTest::qWaitFor([&] { return opened(window) != nullptr; }, 3000))
                    continue; // the notice says why
                QWidget *dialog = opened(window);
                if (const auto *work = qobject_cast<WorkDialog *>(dialog))
                    QTRY_VERIFY(work->isSettled());
                if (!qobject_cast<QFileDialog *>(dialog) && !qobject_cast<Manual *>(dialog)) {
                    look(action->text(), dialog);
                    ++seen;
                }
                dialog->close();
                QTRY_VERIFY(!opened(window));
            }
        }
        QVERIFY2(seen >= 10, qPrintable(QString::number(seen)));
        QVERIFY2(m_untranslated.isEmpty(), qUtf8Printable(u"not translated:\n"_s + m_untranslated.join(u'\n')));
        QVERIFY2(m_narrow.isEmpty(), qUtf8Printable(u"does not fit:\n"_s + m_narrow.join(u'\n')));
    }

    void comparisonAndStart()
    {
        const DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        CompareController *comparison = driven.window->compareBranches({u"main"_s, u"cuda-12_9"_s, u"cuda-13_0"_s});
        QTRY_VERIFY(comparison->panel());
        QSignalSpy settled(comparison, &CompareController::settled);
        QTRY_VERIFY(!settled.isEmpty());
        comparison->panel()->resize(1280, 800);
        QCoreApplication::processEvents();
        look(u"comparison"_s, comparison->panel());
        MainWindow start(driven.sample.catalog());
        start.resize(1280, 800);
        start.show();
        QTRY_VERIFY(start.isVisible());
        look(u"start"_s, &start);
        QVERIFY2(m_untranslated.isEmpty(), qUtf8Printable(u"not translated:\n"_s + m_untranslated.join(u'\n')));
        QVERIFY2(m_narrow.isEmpty(), qUtf8Printable(u"does not fit:\n"_s + m_narrow.join(u'\n')));
    }

    void helpOfTheVerbs()
    {
        const auto printed = [this](const QStringList &arguments) {
            QProcess program;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(u"TORCH_MATRIX_TRANSLATIONS"_s, m_translation->folder());
            environment.insert(u"LANGUAGE"_s, u"eo"_s);
            program.setProcessEnvironment(environment);
            program.start(QStringLiteral(TM_PROGRAM), arguments);
            program.waitForFinished(60'000);
            return QString::fromUtf8(program.readAllStandardOutput());
        };
        // What is described: every line of text of the help but the usage and the headings, which are CLI11's.
        static const QRegularExpression verb(u"^  ([a-z]+) {2,}"_s, QRegularExpression::MultilineOption);
        const QString all = printed({u"--help"_s});
        QVERIFY2(all.contains(QChar(pseudoBegin)), qUtf8Printable(all));
        int seen = 0;
        QStringList untranslated;
        for (auto verbs = verb.globalMatch(all); verbs.hasNext(); ++seen) {
            const QString name = verbs.next().captured(1);
            // Without names and values, and what CLI11 says of them.
            static const QRegularExpression named(u"^ +\\S+|\\{[^}]*\\}| in \\[|^[A-Za-z]+:|: torch-matrix .*$"_s,
                                                  QRegularExpression::MultilineOption);
            for (const QString &word : m_names->untranslated(printed({name, u"--help"_s}).remove(named))) {
                if (word.toUpper() != word)
                    untranslated.append(name + u": "_s + word);
            }
        }
        QVERIFY(seen > 20);
        QVERIFY2(untranslated.isEmpty(), qUtf8Printable(untranslated.join(u'\n')));
    }

    // A repository belongs to people who speak different languages, and JSON to programs.
    void commitsFilesAndJsonAreInNoLanguage()
    {
        VerbFixture f;
        f.set(u"TORCH_MATRIX_TRANSLATIONS"_s, m_translation->folder());
        f.set(u"LANGUAGE"_s, u"eo"_s);
        const QTemporaryDir folder;
        const QString created = folder.filePath(u"created"_s);
        const QString sample = folder.filePath(u"sample"_s);
        const QString wrong = u".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx2.nix"_s;
        f.write(wrong, f.read(wrong).replace("\"9.0\"", "\"sm_90\""));
        f.git({u"rm"_s, u"-q"_s, u".flox/pkgs/%1.nix"_s.arg(missing)});
        f.git({u"commit"_s, u"-qam"_s, u"Two mistakes"_s});
        const QStringList commands[] = {
            {u"sample"_s, sample},
            {u"init"_s, created, u"--only"_s, u"pytorch-python313-cpu-avx2"_s},
            {u"fix"_s, u"--rule"_s, u"gpu-targets-notation"_s, u"--apply"_s},
            {u"generate"_s, missing, u"--commit"_s},
            {u"settings"_s, u"set"_s, u"metadata_rev"_s, u"2"_s},
            {u"settings"_s, u"save"_s, u"--branch"_s, u"cuda-12_9"_s},
            {u"plan"_s, u"--apply"_s},
            {u"copy"_s, u"--from"_s, u"cuda-13_0"_s, u"--coverage"_s, u"--apply"_s},
            {u"derive"_s, u"next"_s, u"--set"_s, u"metadata_rev=3"_s, u"--apply"_s},
            {u"migrate"_s, u"--branch"_s, u"cuda-12_9"_s, u"--set"_s, u"metadata_rev=3"_s, u"--apply"_s},
            {u"export"_s, u"github"_s, u"--apply"_s},
            {u"export"_s, u"gitlab"_s, u"--apply"_s},
            {u"readme"_s, u"--place"_s, u"--apply"_s, u"--all-branches"_s},
            {u"plan"_s, u"--undo"_s, u"--apply"_s}};
        QStringList failed;
        for (const QStringList &command : commands) {
            const Ran ran = f.verb(command);
            if (ran.exitCode != 0)
                failed.append(
                    u"%1: %2 %3"_s.arg(command.join(u' '), QString::number(ran.exitCode), QString::fromUtf8(ran.err)));
        }
        QVERIFY2(failed.isEmpty(), qUtf8Printable(failed.join(u'\n')));
        const QString mark(1, QChar(pseudoBegin));
        for (const QString &repository : {f.sample(), created, sample}) {
            const auto git = [&](const QStringList &arguments) {
                QProcess process;
                process.start(u"git"_s, QStringList{u"-C"_s, repository} + arguments);
                process.waitForFinished(60'000);
                return QString::fromUtf8(process.readAllStandardOutput());
            };
            const QString messages = git({u"log"_s, u"--all"_s, u"--format=%B"_s});
            QVERIFY(!messages.isEmpty());
            QVERIFY2(!messages.contains(mark), qUtf8Printable(messages));
            QString written = git({u"grep"_s, u"--untracked"_s, u"-F"_s, mark});
            for (const QString &branch :
                 git({u"for-each-ref"_s, u"--format=%(refname)"_s}).split(u'\n', Qt::SkipEmptyParts))
                written += git({u"grep"_s, u"-F"_s, mark, branch});
            QCOMPARE(written, QString());
        }
        QVERIFY(f.verb({u"report"_s}).out.contains(mark.toUtf8()));
        QVERIFY(!f.verb({u"report"_s, u"--json"_s}).out.contains(mark.toUtf8()));
        QVERIFY(!f.verb({u"report"_s, u"--html"_s}).out.contains("class=\"" + mark.toUtf8()));
    }
};

TM_TEST(TestTranslated, QApplication)
#include "tst_translated.moc"
