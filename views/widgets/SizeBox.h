// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QDoubleSpinBox>

namespace tmx {

/// A size in bytes, shown unrounded ("1.5 GiB") and typed in any unit ("500M"); a number alone is in GiB. The arrows go
/// by a GiB. Its value is whole.
class SizeBox : public QDoubleSpinBox
{
    Q_OBJECT
public:
    SizeBox(qint64 most, const QString &name, const QString &tip);

    [[nodiscard]] QString textFromValue(double value) const override;
    [[nodiscard]] double valueFromText(const QString &text) const override;
    [[nodiscard]] QValidator::State validate(QString &text, int &cursor) const override;
    void fixup(QString &text) const override;

private:
    [[nodiscard]] std::optional<qint64> read(QStringView text) const;
};

} // namespace tmx
