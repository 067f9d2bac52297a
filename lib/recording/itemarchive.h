// SPDX-License-Identifier: MIT
// Values as CBOR, in both directions by one function `fields(archive, value)` for each type: what is written and what
// is read cannot part. A later version may add fields behind the last one of an item; read from an older file they are
// empty.
#pragma once

#include "recordeditems.h"
#include "session/servertime.h"

#include <QtCore/QCborArray>
#include <QtCore/QCborStreamWriter>
#include <QtCore/QList>
#include <QtCore/QString>

#include <optional>
#include <type_traits>

namespace lockscope {

class ItemWriter
{
public:
    explicit ItemWriter(char kind)
        : m_writer(&m_bytes)
    {
        m_writer.append(qint64(kind));
    }
    ItemWriter(const ItemWriter &) = delete;
    ItemWriter &operator=(const ItemWriter &) = delete;

    template<typename... T>
    void operator()(T &...values)
    {
        (put(values), ...);
    }
    /// What was written until now tells the item from others.
    void endIdentity() { m_identity = m_bytes.size(); }
    void addTo(RecordedItems *items) const { items->insert(m_bytes.left(m_identity), m_bytes.mid(m_identity)); }
    const QByteArray &bytes() const { return m_bytes; }

private:
    template<typename T>
    void put(T &value)
    {
        if constexpr (std::is_same_v<T, QString>)
            m_writer.append(QStringView(value));
        else if constexpr (std::is_same_v<T, QByteArray> || std::is_same_v<T, bool> || std::is_same_v<T, double>)
            m_writer.append(value);
        else if constexpr (std::is_same_v<T, Microseconds>)
            m_writer.append(qint64(value.count()));
        else if constexpr (std::is_same_v<T, ServerTime>)
            m_writer.append(qint64(value.time_since_epoch().count()));
        else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>)
            m_writer.append(qint64(value)); // the reader knows no larger ones; the bits come back
        else
            fields(*this, value);
    }
    template<typename T>
    void put(std::optional<T> &value)
    {
        m_writer.append(value.has_value());
        if (value)
            put(*value);
    }
    template<typename T>
    void put(QList<T> &values)
    {
        m_writer.append(qint64(values.size()));
        for (T &value : values)
            put(value);
    }

    QByteArray m_bytes;
    QCborStreamWriter m_writer;
    qsizetype m_identity = 0;
};

class ItemReader
{
public:
    /// Of one item, both parts of it.
    explicit ItemReader(const QByteArray &bytes)
        : m_values(QCborValue::fromCbor('\x9f' + bytes + '\xff').toArray()) // an array without a count
    {
        int kind = 0;
        get(kind);
        m_kind = char(kind);
    }

    char kind() const { return m_kind; }
    template<typename... T>
    void operator()(T &...values)
    {
        (get(values), ...);
    }

private:
    QCborValue next() { return m_at < m_values.size() ? m_values.at(m_at++) : QCborValue(); }
    template<typename T>
    void get(std::optional<T> &value)
    {
        value.reset();
        if (next().toBool())
            get(value.emplace());
    }
    template<typename T>
    void get(QList<T> &values)
    {
        const qint64 count = next().toInteger();
        values.clear();
        for (qint64 i = 0; i < count && m_at < m_values.size(); ++i) { // a damaged count ends with the item
            T value{};
            get(value);
            values.append(value);
        }
    }
    template<typename T>
    void get(T &value)
    {
        if constexpr (std::is_same_v<T, QString>)
            value = next().toString();
        else if constexpr (std::is_same_v<T, QByteArray>)
            value = next().toByteArray();
        else if constexpr (std::is_same_v<T, bool>)
            value = next().toBool();
        else if constexpr (std::is_same_v<T, double>)
            value = next().toDouble();
        else if constexpr (std::is_same_v<T, Microseconds>)
            value = Microseconds(next().toInteger());
        else if constexpr (std::is_same_v<T, ServerTime>)
            value = ServerTime(Microseconds(next().toInteger()));
        else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>)
            value = static_cast<T>(next().toInteger());
        else
            fields(*this, value);
    }

    QCborArray m_values;
    qsizetype m_at = 0;
    char m_kind = 0;
};

} // namespace lockscope
