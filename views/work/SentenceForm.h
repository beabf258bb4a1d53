// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/work/WorkForm.h"

namespace tmx {

/// Work of which nothing is left to choose but the files: a sentence says what it is.
class SentenceForm : public WorkForm
{
    Q_OBJECT
public:
    SentenceForm(ChangeRequest request, const QString &sentence, QWidget *parent = nullptr);

    [[nodiscard]] ChangeRequest request() const override { return m_request; }

private:
    ChangeRequest m_request;
};

} // namespace tmx
