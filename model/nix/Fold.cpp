// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Fold.h"

#include "model/nix/Folder.h"

namespace tmx::nix {

Fold::Fold(std::shared_ptr<const Tree> tree, const FoldOptions &options)
    : m_folder(std::make_unique<Folder>(std::move(tree), options))
{
}

Fold::~Fold() = default;

Value Fold::file()
{
    const Node *root = m_folder->tree().root();
    return {m_folder.get(), root ? m_folder->force(m_folder->delay(root, nullptr)) : m_folder->opaque(Why::NoRoot)};
}

Value Fold::result()
{
    return {m_folder.get(), m_folder->result()};
}

Value Fold::call(const Value &function, const Value &argument)
{
    return {m_folder.get(), m_folder->call(const_cast<Cell *>(&function.cell()), const_cast<Cell *>(&argument.cell()))};
}

Value Fold::argument(const QByteArray &name)
{
    const std::string_view kept = m_folder->arena().copy(std::string_view(name.constData(), size_t(name.size())));
    return {m_folder.get(), m_folder->term(UnknownKind::Argument, kept)};
}

int Fold::stepsLeft() const
{
    return m_folder->stepsLeft();
}

} // namespace tmx::nix
