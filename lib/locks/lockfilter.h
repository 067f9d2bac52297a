// SPDX-License-Identifier: MIT
#pragma once

#include "snapshot.h"

#include <QtCore/QStringList>

namespace lockscope {

/// What cannot be understood of a filter.
struct FilterError
{
    enum class Kind {
        UnknownField,  ///< `word` is before the colon; `allowed` are the fields
        UnknownValue,  ///< `allowed` are the values of `field`
        NotANumber,    ///< "3", ">3", ">=3", "<3" …
        NotADuration,  ///< the same with a unit: ">5m"
        NothingToFind, ///< a field without a value
        OpenQuote      ///< a quotation mark without its other half
    };
    Kind kind = Kind::UnknownField;
    QString field;
    QString word;
    QStringList allowed;

    bool operator==(const FilterError &) const = default;
};

/// What a person types to find locks: words that are all to be found in resource, owner or note, and fields with a
/// value, `holder:ci waiters:>3 kind:row`. A minus before any of them means those that do not; what is in quotation
/// marks is one word, whatever is in it. Upper and lower case are the same.
///
///     resource holder host note       text that is in it; with = before it, text that it is
///     server                          the same, of what the server is called in a list of several
///     profile                         the same, of the program whose table it is in: ShedLock
///     kind state                      one of them, or several with commas
///     waiters token session pid       a number, or < <= > >= and a number
///     held left                       a duration, 400ms 30s 5m 2h, or one of these and a duration
class LockFilter
{
public:
    /// Finds everything.
    LockFilter() = default;
    /// Of what cannot be understood `*error` tells, and the filter looks for the text as it stands.
    static LockFilter parse(const QString &text, std::optional<FilterError> *error = nullptr);
    static QStringList fields();

    /// `server`: what the lock's server is called, where the list has several.
    bool matches(const LockRow &row, ServerTime now, const QString &server = {}) const;
    bool isEmpty() const { return m_terms.isEmpty(); }
    /// What it finds changes with the time alone.
    bool isOfTime() const;
    /// Bytes that are in resource, owner or note of whatever it finds; empty where nothing is known.
    QByteArray needle() const;

private:
    enum class Field {
        Any,
        Resource,
        Holder,
        Host,
        Note,
        Server,
        Profile,
        Kind,
        State,
        Waiters,
        Token,
        Session,
        Pid,
        Held,
        Left
    };
    enum class Relation { Contains, Is, Less, AtMost, More, AtLeast };
    struct Term
    {
        Field field = Field::Any;
        Relation relation = Relation::Contains;
        bool isNegated = false;
        QString text;      ///< of a text
        QList<int> oneOf;  ///< kinds or states
        qint64 number = 0; ///< or microseconds
    };

    static std::optional<FilterError> read(const QString &word, qsizetype quoted, QList<Term> *terms);
    static std::optional<FilterError> readValue(const QString &name, const QString &value, Term *term);
    static std::optional<FilterError> readChoice(const QString &name, const QString &value, Term *term);
    static bool fits(const Term &term, const LockRow &row, ServerTime now, const QString &server);
    static bool fitsText(const Term &term, const LockRow &row, const QString &server);
    static bool fitsNumber(const Term &term, const std::optional<qint64> &number);
    static std::optional<qint64> numberOf(const Term &term, const LockRow &row, ServerTime now);

    QList<Term> m_terms;
};

} // namespace lockscope
