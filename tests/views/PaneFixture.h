// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/views/Palettes.h"
#include "views/recipe/RecipePaneContent.h"

#include "tests/support/FileText.h"

#include <QApplication>
#include <QFile>
#include <QPalette>
#include <QRegularExpression>
#include <QTest>

/// Shared by the tests of the recipe pane and its parts.
namespace pane {

using palettes::darkPalette;
using palettes::lightPalette;

using namespace Qt::StringLiterals;

// The offscreen platform says this of each window that has a least size.
inline void failOnWarnings()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support propagateSizeHints)"_s));
}

inline QByteArray recipeText()
{
    return tmx::test::contentOf(QStringLiteral(TM_FIXTURES "/pane/pytorch-python313-cuda12_8-sm90-avx512.nix"));
}

inline tmx::DiffLine line(tmx::DiffLine::Kind kind, int oldLine, int newLine, const QString &text)
{
    return {kind, oldLine, newLine, text};
}

/// One line of the recipe replaced, one added: two changes.
inline QList<tmx::DiffLine> twoChanges()
{
    using Kind = tmx::DiffLine::Kind;
    return {line(Kind::HunkHeader, 20, 20, u"@@ -20,4 +20,4 @@"_s),
            line(Kind::Context, 20, 20, u"    \"-mavx512vl\"  # vector length extensions"_s),
            line(Kind::Removed, 21, 0, u"    \"-mavx512ifma\"  # byte and word instructions"_s),
            line(Kind::Added, 0, 21, u"    \"-mavx512bw\"  # byte and word instructions"_s),
            line(Kind::Context, 22, 22, u"    \"-mfma\"       # fused multiply-add"_s),
            line(Kind::Context, 23, 23, u"  ];"_s),
            line(Kind::HunkHeader, 71, 71, u"@@ -71,2 +71,3 @@"_s),
            line(Kind::Context, 71, 71, u"    echo \"=========================================\""_s),
            line(Kind::Added, 0, 72, u"    echo \"GPU Target: ${gpuArch} (NVIDIA Hopper (H100, H200))\""_s),
            line(Kind::Context, 72, 73, u"    echo \"CPU Features: AVX-512\""_s)};
}

inline tmx::RecipePaneContent content()
{
    tmx::RecipePaneContent c;
    c.name = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
    c.stateSentence = u"Changed since the last commit."_s;
    c.text = recipeText();
    c.exists = true;
    c.againstHead = twoChanges();
    c.hasHead = true;
    c.hasTemplate = true;
    c.file = u".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx512.nix"_s;
    c.hardware = u"H100 or H200 on Intel Skylake-X or newer."_s;
    c.facts.name = c.name;
    c.facts.gpu = u"Hopper (sm90, compute capability 9.0)"_s;
    c.facts.products = {u"H100"_s, u"H200"_s, u"GH200"_s};
    c.facts.cpu = u"AVX-512"_s;
    c.facts.cpuHardware = u"Intel Skylake-X+ (2017), AMD Zen 4+ (2022)"_s;
    c.facts.flags = {u"-mavx512f"_s, u"-mavx512dq"_s, u"-mavx512vl"_s, u"-mavx512bw"_s, u"-mfma"_s};
    c.facts.cuda = u"12.8"_s;
    c.facts.pythonVersion = u"3.13"_s;
    c.facts.frameworkVersion = u"2.8.0"_s;
    c.facts.driver = u"NVIDIA 525.60.13 or newer"_s;
    c.facts.platform = u"x86_64-linux"_s;
    c.facts.useCase = u"General workloads."_s;
    c.facts.buildCommand = u"flox build "_s + c.name;
    return c;
}

template <class T>
T *named(const QWidget *root, const QString &accessibleName)
{
    for (T *widget : root->findChildren<T *>())
        if (widget->accessibleName() == accessibleName)
            return widget;
    return nullptr;
}

} // namespace pane
