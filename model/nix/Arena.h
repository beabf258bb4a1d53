// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QtTypes>

#include <algorithm>
#include <memory_resource>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tmx::nix {

/// Memory of one tree: allocated piecewise and freed at once. Runs no destructors, so only trivially destructible
/// objects may be stored in it.
class Arena
{
public:
    template <class T>
    T *make(T value)
    {
        static_assert(std::is_trivially_destructible_v<T>);
        return new (m_memory.allocate(sizeof(T), alignof(T))) T(std::move(value));
    }

    template <class T>
    T *allocate(size_t count)
    {
        static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
        return std::pmr::polymorphic_allocator<T>(&m_memory).allocate(count);
    }

    template <class T>
    std::span<const T> copy(std::span<const T> values)
    {
        if (values.empty())
            return {};
        T *target = allocate<T>(values.size());
        std::uninitialized_copy(values.begin(), values.end(), target);
        return {target, values.size()};
    }

    std::string_view copy(std::string_view text)
    {
        const std::span<const char> copied = copy(std::span<const char>(text.data(), text.size()));
        return {copied.data(), copied.size()};
    }

private:
    std::pmr::monotonic_buffer_resource m_memory{16384};
};

/// A growing list in an arena; takes 16 bytes when empty.
template <class T>
class ArenaList
{
public:
    void push(Arena &arena, const T &value)
    {
        if (m_size == m_capacity) {
            m_capacity = std::max<quint32>(2, m_capacity * 2);
            T *larger = arena.allocate<T>(m_capacity);
            std::uninitialized_copy_n(m_data, m_size, larger);
            m_data = larger;
        }
        new (static_cast<void *>(m_data + m_size++)) T(value);
    }
    void clear() { m_size = 0; }

    [[nodiscard]] quint32 size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    T &operator[](quint32 index) { return m_data[index]; }
    const T &operator[](quint32 index) const { return m_data[index]; }
    [[nodiscard]] const T *begin() const { return m_data; }
    [[nodiscard]] const T *end() const { return m_data + m_size; }

private:
    T *m_data = nullptr;
    quint32 m_size = 0;
    quint32 m_capacity = 0;
};

/// Collects a list of unknown length on a stack that nested lists share, then copies it to the arena in one piece.
template <class T>
class Gathering
{
public:
    explicit Gathering(std::vector<T> &stack)
        : m_stack(stack)
        , m_start(stack.size())
    {
    }
    ~Gathering() { m_stack.resize(m_start); }
    Q_DISABLE_COPY_MOVE(Gathering)

    void push(const T &value) { m_stack.push_back(value); }
    [[nodiscard]] std::span<const T> values() const { return std::span<const T>(m_stack).subspan(m_start); }
    [[nodiscard]] std::span<const T> into(Arena &arena) const { return arena.copy(values()); }

private:
    std::vector<T> &m_stack;
    size_t m_start;
};

} // namespace tmx::nix
