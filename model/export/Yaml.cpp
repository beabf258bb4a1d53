// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/export/Yaml.h"

namespace tmx {

QByteArray yamlQuoted(const QString &text)
{
    QByteArray quoted = "\"";
    for (const uint code : text.toUcs4()) {
        if (code == '"' || code == '\\')
            quoted += QByteArray("\\") + char(code);
        else if (code >= 0x20 && code < 0x7f)
            quoted += char(code);
        else if (code <= 0xffff)
            quoted += "\\u" + QByteArray::number(code, 16).rightJustified(4, '0');
        else
            quoted += "\\U" + QByteArray::number(code, 16).rightJustified(8, '0');
    }
    return quoted + '"';
}

QByteArray yamlList(const QStringList &texts)
{
    QByteArrayList quoted;
    for (const QString &text : texts)
        quoted.append(yamlQuoted(text));
    return '[' + quoted.join(", ") + ']';
}

QByteArray indented(const QByteArray &lines, int blanks)
{
    QByteArray text;
    for (qsizetype from = 0; from < lines.size();) {
        const qsizetype end = lines.indexOf('\n', from);
        const qsizetype to = end < 0 ? lines.size() : end + 1;
        if (lines.at(from) != '\n')
            text += QByteArray(blanks, ' ');
        text += lines.sliced(from, to - from);
        from = to;
    }
    return text;
}

} // namespace tmx
