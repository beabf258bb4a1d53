// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/widgets/ScrollPage.h"

#include <functional>

class QGridLayout;
class QLabel;

namespace tmx {

class CopyButton;
struct RecipePaneContent;

/// Facts of a variant that are known without reading its recipe, as a form that wraps to the available width. Facts
/// that do not apply to a variant (a CPU build's driver) take no room.
class FactsView : public ScrollPage
{
    Q_OBJECT
public:
    explicit FactsView(QWidget *parent = nullptr);
    void setContent(const RecipePaneContent &content);

Q_SIGNALS:
    void placeRequested(const QString &file, int line); ///< of a value; an empty file: the recipe

private:
    void showStated(const RecipePaneContent &content);
    using Getter = std::function<QString(const RecipePaneContent &)>;
    enum class Font { Text, Fixed };
    struct Row {
        QLabel *caption = nullptr;
        QLabel *value = nullptr;
        CopyButton *copy = nullptr; ///< nullptr: the value has no Copy button
        Getter get;
    };
    void addHeading(const QString &text);
    void addRow(const QString &caption, Getter get, Font font = Font::Text, const QString &copyName = {});

    QWidget *m_page = nullptr;
    QGridLayout *m_grid = nullptr;
    QLabel *m_useCase = nullptr;
    QList<Row> m_rows;
    int m_statedLine = 0;
    QWidget *m_stated = nullptr; ///< what is read, with a way to each place
};

} // namespace tmx
