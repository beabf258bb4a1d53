// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/work/SaveForm.h"

#include "model/base/Sentences.h"
#include "model/change/Change.h"
#include "views/widgets/Label.h"

#include <QVBoxLayout>

namespace tmx {

SaveForm::SaveForm(const QString &branch, const Settings &settings)
    : m_branch(branch)
    , m_settings(settings)
    , m_sentence(new Label({}, Label::Wrapped))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_sentence);
    say(0);
}

ChangeRequest SaveForm::request() const
{
    SettingsRequest request;
    request.branch = m_branch;
    request.settings = m_settings;
    return request;
}

void SaveForm::setChanges(const QList<ChangeSet> &changes)
{
    say(changes.isEmpty() ? 0 : lostComments(changes.constFirst().files.constFirst()));
}

void SaveForm::say(int lostComments)
{
    QStringList sentences{tr("Commits torch-matrix.toml to branch %1, and no other file.").arg(m_branch)};
    if (lostComments > 0)
        sentences.append(
            tr("%n lines of comments are lost, because those parts of the file are rewritten.", nullptr, lostComments));
    m_sentence->setText(joinedSentences(sentences));
}

} // namespace tmx
