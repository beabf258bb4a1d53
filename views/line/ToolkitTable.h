// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QGridLayout;
class QLineEdit;
class QPushButton;

namespace tmx {

/// The CUDA toolkits of a line: version, what people call it, nixpkgs attribute, a pin of its own. Toolkits can be
/// added and taken away.
class ToolkitTable : public QWidget
{
    Q_OBJECT
public:
    explicit ToolkitTable(std::shared_ptr<const Catalog> catalog, QWidget *parent = nullptr);

    void setLine(const Line &line);
    void writeTo(Line &line) const;

Q_SIGNALS:
    void edited(); ///< by the user

private:
    struct Row {
        CudaProfile profile; ///< what is not edited here
        QComboBox *version;
        QLineEdit *release;
        QLineEdit *attribute;
        QLineEdit *pin;
        QPushButton *remove;
    };
    void addRow(const CudaProfile &profile);
    [[nodiscard]] CudaProfile profileOf(const Row &row) const;
    [[nodiscard]] QList<CudaProfile> profiles() const;

    std::shared_ptr<const Catalog> m_catalog;
    QGridLayout *m_grid;
    QPushButton *m_add;
    QList<Row> m_rows;
};

} // namespace tmx
