// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/work/WorkForm.h"

class QComboBox;

namespace tmx {

/// Chooses the recipe of the branch that others are generated like.
class LikeForm : public WorkForm
{
    Q_OBJECT
public:
    /// `request`: what to generate, without a reference. `references`: the likeliest first.
    LikeForm(const GenerateRequest &request, const QStringList &references, QWidget *parent = nullptr);

    [[nodiscard]] ChangeRequest request() const override;

private:
    GenerateRequest m_request;
    QComboBox *m_like;
};

} // namespace tmx
