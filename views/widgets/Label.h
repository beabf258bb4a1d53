// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QClipboard>
#include <QLabel>

namespace tmx {

/// A label that shows its text literally: names of branches and files, subjects of commits and errors are never
/// interpreted as markup.
class Label : public QLabel
{
    Q_OBJECT
public:
    enum Style {
        Ordinary = 0,
        Bold = 1,
        Title = 2 | Bold,                  ///< a tenth larger, too
        Quiet = 4,                         ///< secondary text; its colour follows the palette
        Wrapped = 8,                       ///< wraps to as many lines as needed
        Narrow = 16 | Wrapped,             ///< never widens its parent
        Selectable = 32,                   ///< by mouse and keyboard
        Placeholder = 64 | Quiet | Wrapped ///< in the middle of an empty page
    };
    Q_DECLARE_FLAGS(Styles, Style)

    explicit Label(const QString &text = {}, Styles styles = Ordinary, const QString &accessibleName = {});
    /// The label of `field`; "&" marks its mnemonic.
    Label(const QString &text, QWidget *field);

    /// Shows `sentence`, and ends no line after the hyphen that begins a word, such as "-DUSE_X".
    void setUnbroken(const QString &sentence);
    /// Shows `sentence`, and a long word in it, such as the name of a function, may go on in the next line.
    void setBreakable(const QString &sentence);
    /// Shows `sentence` with each address in it as a link that opens in the browser.
    void setSentenceWithLink(const QString &sentence, const QString &address);
    /// A word of any length does not widen the window.
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent *event) override;

private:
    void applyQuiet();
    void copyClean(QClipboard::Mode mode);
    bool m_quiet;
};
Q_DECLARE_OPERATORS_FOR_FLAGS(Label::Styles)

/// One line that is elided if the room is short, by default in the middle: a path keeps its file name, a package its
/// end. The tooltip shows all of it.
class ElidedLabel : public Label
{
    Q_OBJECT
public:
    explicit ElidedLabel(Styles styles = Ordinary, const QString &accessibleName = {},
                         Qt::TextElideMode mode = Qt::ElideMiddle);
    void setFullText(const QString &text);
    /// The same text in full and ever shorter: the first form that has room is shown, and no word is cut.
    void setForms(const QStringList &forms);
    [[nodiscard]] const QString &fullText() const { return m_text; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, Label::minimumSizeHint().height()}; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void elide();
    QString m_text;
    QStringList m_shorter; ///< forms of the text
    Qt::TextElideMode m_mode;
};

/// A sentence on a tint with a bar at its edge: something to know before reading on, or what went wrong.
class Banner : public Label
{
    Q_OBJECT
public:
    enum Kind { Note, Problem };

    explicit Banner(const QString &accessibleName = {}, Kind kind = Note);
    void setSentence(const QString &sentence); ///< hidden while it is empty

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Kind m_kind;
};

} // namespace tmx
