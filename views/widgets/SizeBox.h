// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QDoubleSpinBox>

namespace tmx {

/// A size in bytes, shown unrounded ("1.5 GiB") and typed in any unit ("500M"); a number without a unit is in GiB. The
/// arrows step by one GiB. Its value is an integer.
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
