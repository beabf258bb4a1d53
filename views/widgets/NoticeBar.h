// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QFrame>

class QLabel;
class QTimer;
class QPushButton;
class QToolButton;

namespace tmx {

/// One sentence below the views: what was done, or what failed. Stays until it is closed (Esc or its button) or
/// replaced. A notice of success without a button disappears after a while. Announced to screen readers.
class NoticeBar : public QFrame
{
    Q_OBJECT
public:
    enum class Kind { Done, Information, Problem };

    explicit NoticeBar(QWidget *parent = nullptr);

    void showNotice(Kind kind, const QString &sentence);
    /// Shows a button that acts on the notice. Pressing it emits actionTriggered() once and closes the notice.
    void showNotice(Kind kind, const QString &sentence, const QString &action);
    /// The notice describes a state. It stays until the caller hides it: keys, buttons and timeouts do not close it.
    void setLasting();
    [[nodiscard]] QString text() const;
    [[nodiscard]] Kind kind() const { return m_kind; }

Q_SIGNALS:
    void takes(int height); ///< of its place; 0 while it is hidden
    void actionTriggered();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void applyColours();
    Kind m_kind = Kind::Information;
    bool m_lasting = false;
    QLabel *m_glyph = nullptr;
    QLabel *m_text = nullptr;
    QPushButton *m_action = nullptr;
    QToolButton *m_close = nullptr;
    QTimer *m_goAway = nullptr;
};

} // namespace tmx
