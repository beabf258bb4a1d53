// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QDialog>
#include <QList>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace tmx {

/// One page of the manual, a file in resources/help.
struct ManualPage {
    QString id; ///< the file's name: "builds"
    QString title;
    QString text; ///< Markdown
};
/// In the order in which they are read.
const QList<ManualPage> &manualPages();
/// The page about a widget, or about its nearest parent that has one; else the first page.
QString manualPageOf(const QWidget *widget);

/// The manual: a list of pages beside the current page, and a search in all pages. Does not block the window.
class Manual : public QDialog
{
    Q_OBJECT
public:
    explicit Manual(QWidget *parent = nullptr);

    /// Shows the page about `widget` in its window's manual, which is opened or raised.
    static void openFor(const QWidget *widget, QWidget *window);
    void showPage(const QString &id);
    [[nodiscard]] QString page() const { return m_page; }

private:
    void search();
    void findNext();
    void mark();
    void follow(const QUrl &link);

    QString m_page;
    QLineEdit *m_words;
    QListWidget *m_list;
    QTextBrowser *m_text;
};

/// F1 in the dialogs and secondary windows of a window opens the manual at the focused widget. In the window itself the
/// menu has that key.
class ManualKey : public QObject
{
    Q_OBJECT
public:
    explicit ManualKey(QWidget *window);
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *m_window;
};

} // namespace tmx
