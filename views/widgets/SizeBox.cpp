// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/widgets/SizeBox.h"

#include "model/base/TextForm.h"
#include "views/widgets/Tips.h"

#include <QLineEdit>

using namespace Qt::StringLiterals;

namespace tmx {

SizeBox::SizeBox(qint64 most, const QString &name, const QString &tip)
{
    setDecimals(0);
    setRange(0, double(most));
    setSingleStep(double(1LL << 30));
    describe(this, name, tip);
    lineEdit()->setAccessibleName(name);
}

std::optional<qint64> SizeBox::read(QStringView text) const
{
    if (text.startsWith(prefix()))
        text = text.sliced(prefix().size());
    const QString size = text.trimmed().toString();
    if (!size.isEmpty() && size == specialValueText())
        return 0;
    const bool bare = !size.isEmpty() && (size.back().isDigit());
    const std::optional<qint64> bytes = bytesOf(bare ? size + u'G' : size);
    return bytes && double(*bytes) <= maximum() ? bytes : std::nullopt;
}

QString SizeBox::textFromValue(double value) const
{
    return exactSizeText(qint64(value));
}

double SizeBox::valueFromText(const QString &text) const
{
    return double(read(text).value_or(qint64(value())));
}

QValidator::State SizeBox::validate(QString &text, int &) const
{
    return !text.startsWith(prefix()) ? QValidator::Invalid
           : read(text)               ? QValidator::Acceptable
                                      : QValidator::Intermediate;
}

void SizeBox::fixup(QString &text) const
{
    text = prefix() + textFromValue(value());
}

} // namespace tmx
