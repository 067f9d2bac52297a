// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>

#include <optional>

namespace lockscope {

/// The name of a distributed transaction.
struct Xid
{
    qint64 format = 1;
    QByteArray gtrid; ///< any bytes, as the next one
    QByteArray bqual;

    /// As XA COMMIT takes it and MariaDB's XA RECOVER FORMAT='SQL' prints it: 'x1', or X'7831',X'',7 where a byte is
    /// not readable text.
    QByteArray toSql() const;
    /// What toSql() gives, and other ways to write it in SQL; none: it is not a name.
    static std::optional<Xid> fromSql(const QByteArray &text);

    bool operator==(const Xid &) const = default;
};

} // namespace lockscope
