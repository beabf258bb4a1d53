// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/help/Manual.h"

#include "model/base/Tr.h"

#include <QApplication>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QFile>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QShortcut>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

const QStringList order{u"getting-started"_s, u"window"_s,   u"settings"_s, u"grid"_s,   u"recipe"_s,  u"plan"_s,
                        u"branch-settings"_s, u"branches"_s, u"machines"_s, u"builds"_s, u"catalog"_s, u"verbs"_s,
                        u"troubleshooting"_s, u"safety"_s,   u"glossary"_s};

/// Which page describes which view, by its class.
struct Told {
    const char *view;
    const char *page;
};
constexpr Told told[] = {
    {"tmx::MatrixView", "grid"},
    {"tmx::RecipePane", "recipe"},
    {"tmx::PlanView", "plan"},
    {"tmx::ProblemsView", "recipe"},
    {"tmx::SettingsPage", "branch-settings"},
    {"tmx::HardwarePanel", "machines"},
    {"tmx::BuildConsole", "builds"},
    {"tmx::BuildsPage", "builds"},
    {"tmx::BuildsView", "builds"},
    {"tmx::BuildDialog", "builds"},
    {"tmx::PublishDialog", "builds"},
    {"tmx::ComparePanel", "branches"},
    {"tmx::OverviewPanel", "branches"},
    {"tmx::HistoryPanel", "branches"},
    {"tmx::WorkDialog", "branches"},
    {"tmx::StartPage", "getting-started"},
    {"tmx::PreferencesDialog", "settings"},
};

/// The anchor that a code host gives to a heading such as "A team's builds".
QString anchorOf(const QString &heading)
{
    static const QRegularExpression other(u"[^\\w -]"_s, QRegularExpression::UseUnicodePropertiesOption);
    return QString(heading).toLower().remove(other).replace(u' ', u'-');
}

} // namespace

const QList<ManualPage> &manualPages()
{
    static const QList<ManualPage> pages = [] {
        QList<ManualPage> read;
        for (const QString &id : order) {
            //: Folder of the manual's pages in the language, below resources: help/de
            QFile file(u":/torch-matrix/%1/%2.md"_s.arg(Tr::tr("help", "a folder"), id));
            if (!file.exists())
                file.setFileName(u":/torch-matrix/help/%1.md"_s.arg(id));
            const QString text = file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
            read.append({id, text.section(u'\n', 0, 0).mid(2), text});
        }
        return read;
    }();
    return pages;
}

QString manualPageOf(const QWidget *widget)
{
    for (; widget; widget = widget->parentWidget()) {
        const auto found = std::ranges::find_if(told, [widget](const Told &one) { return widget->inherits(one.view); });
        if (found != std::end(told))
            return QString::fromLatin1(found->page);
    }
    return order.constFirst();
}

Manual::Manual(QWidget *parent)
    : QDialog(parent)
    , m_words(new QLineEdit)
    , m_list(new QListWidget)
    , m_text(new QTextBrowser)
{
    setWindowTitle(tr("Manual"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_words->setPlaceholderText(tr("Search the manual"));
    m_words->setAccessibleName(tr("Search the manual"));
    m_words->setClearButtonEnabled(true);
    m_list->setAccessibleName(tr("Pages"));
    m_text->setAccessibleName(tr("Manual"));
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->document()->setDocumentMargin(16);

    auto *side = new QWidget;
    auto *pages = new QVBoxLayout(side);
    pages->setContentsMargins({});
    pages->addWidget(m_words);
    pages->addWidget(m_list, 1);
    auto *parts = new QSplitter;
    parts->addWidget(side);
    parts->addWidget(m_text);
    parts->setStretchFactor(1, 1);
    parts->setSizes({200, 700});
    parts->setChildrenCollapsible(false);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    for (QAbstractButton *button : buttons->buttons())
        static_cast<QPushButton *>(button)->setAutoDefault(false); // Enter moves to the next match.
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(parts, 1);
    layout->addWidget(buttons);

    connect(m_words, &QLineEdit::textChanged, this, &Manual::search);
    connect(m_words, &QLineEdit::returnPressed, this, &Manual::findNext);
    connect(new QShortcut(QKeySequence::FindNext, this), &QShortcut::activated, this, &Manual::findNext);
    connect(new QShortcut(QKeySequence::Find, this), &QShortcut::activated, m_words, [this] { m_words->setFocus(); });
    connect(m_list, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem *item) {
        if (item)
            showPage(item->data(Qt::UserRole).toString());
    });
    connect(m_text, &QTextBrowser::anchorClicked, this, &Manual::follow);

    resize((parent ? parent->window()->size() - QSize(120, 80) : QSize(960, 700))
               .expandedTo({640, 420})
               .boundedTo({1100, 900}));
    search();
    m_text->setFocus();
}

void Manual::openFor(const QWidget *widget, QWidget *window)
{
    auto *manual = window->findChild<Manual *>(Qt::FindDirectChildrenOnly);
    if (!manual)
        manual = new Manual(window);
    manual->showPage(manualPageOf(widget));
    if (manual->isVisible()) {
        manual->raise();
        manual->activateWindow();
    } else {
        manual->show();
    }
}

void Manual::showPage(const QString &id)
{
    const auto page = std::ranges::find(manualPages(), id, &ManualPage::id);
    if (page == manualPages().end() || id == m_page)
        return;
    m_page = id;
    m_text->setMarkdown(page->text);
    mark();
    for (int row = 0; row < m_list->count(); ++row) {
        if (m_list->item(row)->data(Qt::UserRole).toString() == id)
            m_list->setCurrentRow(row);
    }
}

/// Finds the pages that have all the words.
void Manual::search()
{
    const QStringList words = m_words->text().split(u' ', Qt::SkipEmptyParts);
    QStringList shown;
    {
        const QSignalBlocker blocker(m_list);
        m_list->clear();
        for (const ManualPage &page : manualPages()) {
            if (!std::ranges::all_of(
                    words, [&page](const QString &word) { return page.text.contains(word, Qt::CaseInsensitive); }))
                continue;
            auto *item = new QListWidgetItem(page.title, m_list);
            item->setData(Qt::UserRole, page.id);
            shown.append(page.id);
            if (page.id == m_page)
                m_list->setCurrentItem(item);
        }
    }
    if (!shown.isEmpty() && !shown.contains(m_page))
        showPage(shown.constFirst());
    mark();
    if (!words.isEmpty()) {
        m_text->moveCursor(QTextCursor::Start);
        findNext();
    }
}

void Manual::findNext()
{
    const QString word = m_words->text().section(u' ', 0, 0, QString::SectionSkipEmpty);
    if (word.isEmpty() || m_text->find(word))
        return;
    m_text->moveCursor(QTextCursor::Start);
    m_text->find(word);
}

/// Marks every occurrence of every word.
void Manual::mark()
{
    QList<QTextEdit::ExtraSelection> places;
    QTextCharFormat format;
    format.setBackground(palette().color(QPalette::Highlight));
    format.setForeground(palette().color(QPalette::HighlightedText));
    for (const QString &word : m_words->text().split(u' ', Qt::SkipEmptyParts)) {
        for (QTextCursor at = m_text->document()->find(word); !at.isNull(); at = m_text->document()->find(word, at))
            places.append({at, format});
    }
    m_text->setExtraSelections(places);
}

void Manual::follow(const QUrl &link)
{
    if (!link.isRelative()) {
        QDesktopServices::openUrl(link);
        return;
    }
    if (!link.path().isEmpty())
        showPage(link.path().section(u'.', 0, 0));
    for (QTextBlock block = m_text->document()->begin(); block.isValid() && link.hasFragment(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || anchorOf(block.text()) != link.fragment())
            continue;
        m_text->setTextCursor(QTextCursor(block));
        m_text->ensureCursorVisible();
        return;
    }
}

ManualKey::ManualKey(QWidget *window)
    : QObject(window)
    , m_window(window)
{
    QCoreApplication::instance()->installEventFilter(this);
}

bool ManualKey::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress || !static_cast<QKeyEvent *>(event)->matches(QKeySequence::HelpContents))
        return QObject::eventFilter(watched, event);
    QWidget *active = QApplication::activeWindow();
    const QWidget *owner = active;
    while (owner && owner != m_window)
        owner = owner->parentWidget();
    if (!owner || active == m_window || qobject_cast<Manual *>(active))
        return QObject::eventFilter(watched, event);
    Manual::openFor(QApplication::focusWidget(), active);
    return true;
}

} // namespace tmx
