// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/work/WorkForm.h"

class QComboBox;

namespace tmx {

/// Which recipe of the branch others are made of.
class LikeForm : public WorkForm
{
    Q_OBJECT
public:
    /// `request`: what is to be generated, without a reference. `references`: the likeliest first.
    LikeForm(const GenerateRequest &request, const QStringList &references, QWidget *parent = nullptr);

    [[nodiscard]] ChangeRequest request() const override;

private:
    GenerateRequest m_request;
    QComboBox *m_like;
};

} // namespace tmx
