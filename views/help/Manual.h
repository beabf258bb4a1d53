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
/// The page that tells of a widget; of none that has one: the first page's.
QString manualPageOf(const QWidget *widget);

/// The manual: its pages beside the one that is read, and a search in all of them. Does not block the window.
class Manual : public QDialog
{
    Q_OBJECT
public:
    explicit Manual(QWidget *parent = nullptr);

    /// Shows the page of `widget` in the manual of its window, which is opened or raised.
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

/// F1 in the dialogs and further windows of a window: the manual at what has the focus there. In the window itself the
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
