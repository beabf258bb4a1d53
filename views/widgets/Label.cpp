// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/widgets/Label.h"

#include "views/theme/Colors.h"
#include "views/theme/Theme.h"
#include "views/widgets/Tips.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QPainter>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

const QChar joiner(0x2060);   // keeps together what stands before and after it
const QChar mayBreak(0x200b); // a line may end here

} // namespace

Label::Label(const QString &text, Styles styles, const QString &accessibleName)
    : QLabel(text)
    , m_quiet(styles.testFlag(Quiet))
{
    setTextFormat(Qt::PlainText);
    setAccessibleName(accessibleName);
    if (styles.testFlag(Bold)) {
        QFont font = this->font();
        font.setBold(true);
        if (styles.testFlag(Title))
            font.setPointSizeF(font.pointSizeF() * 1.1);
        setFont(font);
    }
    if (styles.testFlag(Narrow))
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // setWordWrap() adds height for width to it
    if (styles.testFlag(Wrapped))
        setWordWrap(true);
    if (styles.testFlag(Selectable))
        setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    if (styles.testFlag(Placeholder)) {
        setAlignment(Qt::AlignCenter);
        setMargin(24);
    }
    applyQuiet();
}

Label::Label(const QString &text, QWidget *field)
    : Label(text)
{
    setBuddy(field);
}

void Label::setUnbroken(const QString &sentence)
{
    static const QRegularExpression hyphens(u"(?<!\\S)(-+)(?=\\S)"_s);
    setText(QString(sentence).replace(hyphens, u"\\1"_s + joiner));
    connect(QGuiApplication::clipboard(), &QClipboard::changed, this, &Label::copyClean, Qt::UniqueConnection);
}

void Label::setBreakable(const QString &sentence)
{
    static const QRegularExpression longWords(u"\\S{16,}"_s);
    static const QRegularExpression joints(u"(?<=\\w)_(?=\\w)"_s);
    QString text = sentence;
    QList<QRegularExpressionMatch> words;
    for (auto word = longWords.globalMatch(sentence); word.hasNext();)
        words.prepend(word.next()); // from the end, so that the places of the others stay
    for (const QRegularExpressionMatch &word : std::as_const(words))
        text.replace(word.capturedStart(), word.capturedLength(), word.captured().replace(joints, u"_"_s + mayBreak));
    setText(text);
    connect(QGuiApplication::clipboard(), &QClipboard::changed, this, &Label::copyClean, Qt::UniqueConnection);
}

/// What is copied from the label is what its sentence says.
void Label::copyClean(QClipboard::Mode mode)
{
    QClipboard *clipboard = QGuiApplication::clipboard();
    QString text = clipboard->text(mode);
    if ((text.contains(joiner) || text.contains(mayBreak)) && text == selectedText())
        clipboard->setText(text.remove(joiner).remove(mayBreak), mode);
}

void Label::setSentenceWithLink(const QString &sentence, const QString &address)
{
    QString text = sentence.toHtmlEscaped();
    if (!address.isEmpty())
        text.replace(address.toHtmlEscaped(), u"<a href=\"%1\">%1</a>"_s.arg(address.toHtmlEscaped()));
    setTextFormat(Qt::RichText);
    setTextInteractionFlags(Qt::TextBrowserInteraction);
    setOpenExternalLinks(true);
    setText(text);
}

QSize Label::minimumSizeHint() const
{
    constexpr int widestWord = 200;
    const QSize size = QLabel::minimumSizeHint();
    return {std::min(size.width(), widestWord), size.height()};
}

void Label::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ParentChange)
        applyQuiet();
}

void Label::applyQuiet()
{
    if (!m_quiet)
        return;
    const QColor quiet = mutedText(parentWidget() ? parentWidget()->palette() : QApplication::palette());
    QPalette own = palette();
    if (own.color(QPalette::WindowText) == quiet)
        return; // setPalette() sends PaletteChange too.
    own.setColor(QPalette::WindowText, quiet);
    setPalette(own);
}

ElidedLabel::ElidedLabel(Styles styles, const QString &accessibleName, Qt::TextElideMode mode)
    : Label({}, styles, accessibleName)
    , m_mode(mode)
{
}

void ElidedLabel::setFullText(const QString &text)
{
    setForms({text});
}

void ElidedLabel::setForms(const QStringList &forms)
{
    const QString text = forms.value(0);
    m_text = text;
    m_shorter = forms.mid(1);
    setPlainToolTip(this, text);
    setAccessibleDescription(text);
    updateGeometry();
    elide();
}

QSize ElidedLabel::sizeHint() const
{
    const QMargins margins = contentsMargins();
    return {fontMetrics().horizontalAdvance(m_text) + 2 + margins.left() + margins.right(),
            QLabel::sizeHint().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent *event)
{
    Label::resizeEvent(event);
    elide();
}

void ElidedLabel::changeEvent(QEvent *event)
{
    Label::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        elide();
}

void ElidedLabel::elide()
{
    const int room = contentsRect().width();
    const auto fits = [this, room](const QString &text) { return fontMetrics().horizontalAdvance(text) <= room; };
    const auto form = fits(m_text) ? m_shorter.cend() : std::ranges::find_if(m_shorter, fits);
    if (form != m_shorter.cend() || m_shorter.isEmpty() || fits(m_text)) {
        setText(form != m_shorter.cend() ? *form : fontMetrics().elidedText(m_text, m_mode, room));
        return;
    }
    QString text = m_shorter.constLast();
    for (qsizetype end = text.size(); end > 0 && !fits(text + u'\u2026'); end = text.lastIndexOf(u' ', end - 1))
        text.truncate(end);
    setText(fits(text + u'\u2026') ? text + u'\u2026' : fontMetrics().elidedText(text, m_mode, room));
}

Banner::Banner(const QString &accessibleName, Kind kind)
    : Label({}, Wrapped | Selectable, accessibleName)
    , m_kind(kind)
{
    setContentsMargins(14, 7, 10, 7);
    hide();
}

void Banner::setSentence(const QString &sentence)
{
    setText(sentence);
    setVisible(!sentence.isEmpty());
}

void Banner::paintEvent(QPaintEvent *event)
{
    {
        QPainter painter(this);
        const QColor accent = m_kind == Problem ? Theme::current(palette()).severity(Severity::Error).color
                                                : palette().color(QPalette::Highlight);
        painter.fillRect(rect(), mix(palette().color(QPalette::Window), accent, 0.14));
        painter.fillRect(QRect(0, 0, 4, height()), accent);
    }
    Label::paintEvent(event);
}

} // namespace tmx
