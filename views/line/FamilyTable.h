// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"

#include <QSet>
#include <QWidget>

#include <memory>

class QCheckBox;
class QComboBox;
class QLineEdit;

namespace tmx {

/// The families of a line: which it promises, in which version, from which templates, under which name.
class FamilyTable : public QWidget
{
    Q_OBJECT
public:
    explicit FamilyTable(const std::shared_ptr<const Catalog> &catalog, QWidget *parent = nullptr);

    void setTemplates(const QHash<QString, QStringList> &templates); ///< by family id
    void setLine(const Line &line);
    void writeTo(Line &line) const;

Q_SIGNALS:
    void edited(); ///< by the user

private:
    struct Row {
        QString id;
        QCheckBox *promised;
        QLineEdit *version;
        QComboBox *gpu;
        QComboBox *cpu;
        QLineEdit *prefix;
        QLineEdit *hash;
    };
    void offer(QComboBox *box, const QString &family, const QString &chosen) const;

    QList<Row> m_rows;
    QSet<QString> m_gpuChosen; ///< families whose GPU template the user has chosen: it counts for every toolkit
    QHash<QString, QStringList> m_templates;
};

} // namespace tmx
