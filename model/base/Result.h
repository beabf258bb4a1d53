// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <optional>
#include <utility>
#include <variant>

namespace tmx {

/// A failure, as a value. `sentence()` is the sentence for the user.
struct Error {
    QString what;       ///< verb phrase: "open the repository"
    QString subject;    ///< object: a path, a name, a line; may be empty
    QString why;        ///< cause, lower case, without a full stop
    QString remedy;     ///< what the user can do, as a separate sentence with a full stop; may be empty
    bool usage = false; ///< the request itself is invalid, whatever the repository contains: a malformed value, an
                        ///< unknown name

    /// The same error, marked as a usage error.
    [[nodiscard]] Error ofUsage() const
    {
        Error error = *this;
        error.usage = true;
        return error;
    }

    /// "Could not open the repository /x: it is a bare repository. Clone it."
    [[nodiscard]] QString sentence() const;
    /// The same beside its subject: without what could not be done, if that is about `other`.
    [[nodiscard]] QString sentenceBeside(const QString &other) const;
    bool operator==(const Error &) const = default;
};

/// Either a value or an Error. Does not throw; accessing the absent one is a bug and asserts.
template <class T>
class [[nodiscard]] Result
{
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error))
    {
    }

    explicit operator bool() const { return m_state.index() == 0; }
    [[nodiscard]] bool ok() const { return m_state.index() == 0; }

    T &value() & { return std::get<0>(m_state); }
    const T &value() const & { return std::get<0>(m_state); }
    T value() && { return std::get<0>(std::move(m_state)); }
    T &operator*() & { return value(); }
    const T &operator*() const & { return value(); }
    T operator*() && { return std::move(*this).value(); }
    T *operator->() { return &value(); }
    const T *operator->() const { return &value(); }

    [[nodiscard]] const Error &error() const { return std::get<1>(m_state); }

private:
    std::variant<T, Error> m_state;
};

/// A Result without a value: success, or an Error.
template <>
class [[nodiscard]] Result<void>
{
public:
    Result() = default;
    Result(Error error)
        : m_error(std::move(error))
    {
    }

    explicit operator bool() const { return !m_error; }
    [[nodiscard]] bool ok() const { return !m_error; }
    [[nodiscard]] const Error &error() const { return *m_error; }

private:
    std::optional<Error> m_error;
};

} // namespace tmx

/// Declares `name`, the Result of an expression, and returns its error to the caller where it has one.
#define TM_TRY(name, ...)                                                                                              \
    auto name = __VA_ARGS__;                                                                                           \
    if (!name)                                                                                                         \
    return name.error()

/// Evaluates an expression, a Result whose value is not needed, and returns its error to the caller where it has one.
#define TM_CHECK(...)                                                                                                  \
    do {                                                                                                               \
        if (auto tmChecked = __VA_ARGS__; !tmChecked)                                                                  \
            return tmChecked.error();                                                                                  \
    } while (false)
