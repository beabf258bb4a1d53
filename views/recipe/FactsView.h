// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QScrollArea>

#include <functional>

class QGridLayout;
class QLabel;

namespace tmx {

class CopyButton;
struct RecipePaneContent;

/// What is known of a variant without reading its recipe, as a form that wraps to the width there is. Facts that a
/// variant does not have (a CPU build's driver) take no room.
class FactsView : public QScrollArea
{
    Q_OBJECT
public:
    explicit FactsView(QWidget *parent = nullptr);
    void setContent(const RecipePaneContent &content);

private:
    using Getter = std::function<QString(const RecipePaneContent &)>;
    enum class Font { Text, Fixed };
    struct Row {
        QLabel *caption = nullptr;
        QLabel *value = nullptr;
        CopyButton *copy = nullptr; ///< nullptr: the value is not worth a button
        Getter get;
    };
    void addHeading(const QString &text);
    void addRow(const QString &caption, Getter get, Font font = Font::Text, const QString &copyName = {});

    QWidget *m_page = nullptr;
    QGridLayout *m_grid = nullptr;
    QLabel *m_useCase = nullptr;
    QList<Row> m_rows;
};

} // namespace tmx
