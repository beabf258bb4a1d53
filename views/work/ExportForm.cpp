// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/work/ExportForm.h"

#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>

using namespace Qt::StringLiterals;

namespace tmx {

ExportForm::ExportForm(const QString &branch, QWidget *parent)
    : WorkForm(parent)
    , m_branch(branch)
    , m_host(chooser(tr("Host")))
    , m_only(chooser(tr("Recipes to build")))
    , m_since(field(tr("Changed since"), tr("a commit; empty: all")))
    , m_runners(field(tr("Runners"), tr("labels; empty: the host's")))
    , m_organisation(field(tr("Publish to"), tr("organisation of FloxHub; empty: nowhere")))
{
    setPlainToolTip(m_runners, tr("One label for all recipes, or a label for each system, such as aarch64-linux=arm"));
    m_host->addItem(tr("GitHub Actions"));
    m_host->addItem(tr("GitLab CI"));
    m_only->addItem(tr("all"), u"all"_s);
    m_only->addItem(tr("never built here"), u"missing"_s);
    m_only->addItem(tr("changed since their build here"), u"stale"_s);
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins({});
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    int at = 0;
    for (const auto &[text, widget] : {std::pair<QString, QWidget *>(tr("&Host"), m_host),
                                       {tr("&Recipes"), m_only},
                                       {tr("Changed &since"), m_since},
                                       {tr("R&unners"), m_runners},
                                       {tr("&Publish to"), m_organisation}}) {
        grid->addWidget(new Label(text, widget), at / 4, at % 4);
        grid->addWidget(widget, at / 4, at % 4 + 1);
        at += 2;
    }
    setFocusProxy(m_host);
}

QComboBox *ExportForm::chooser(const QString &name)
{
    auto *box = new QComboBox;
    box->setAccessibleName(name);
    connect(box, &QComboBox::currentIndexChanged, this, &ExportForm::edited);
    return box;
}

QLineEdit *ExportForm::field(const QString &name, const QString &placeholder)
{
    auto *edit = new QLineEdit;
    edit->setAccessibleName(name);
    edit->setPlaceholderText(placeholder);
    connect(edit, &QLineEdit::textEdited, this, &ExportForm::edited);
    return edit;
}

void ExportForm::setBuilds(const KnownBuilds &builds)
{
    m_builds = builds;
    Q_EMIT edited();
}

ChangeRequest ExportForm::request() const
{
    ExportRequest request;
    request.branch = m_branch;
    request.options.host = m_host->currentIndex() == 0 ? CiHost::GitHub : CiHost::GitLab;
    for (const QString &runner : m_runners->text().split(u',', Qt::SkipEmptyParts)) {
        if (!runner.trimmed().isEmpty())
            request.options.runners.append(runner.trimmed());
    }
    request.options.organisation = m_organisation->text().trimmed();
    request.since = m_since->text().trimmed();
    return withBuilds(request, m_only->currentData().toString(), m_builds.value_or(KnownBuilds()));
}

} // namespace tmx
