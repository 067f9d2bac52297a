// SPDX-License-Identifier: MIT
// What kind of story a wait is, as far as the server tells it: lessons are found by it.
#pragma once

#include <QtCore/QString>

#include <optional>

namespace lockscope {

struct ServerWaits;
struct WaitEdge;
struct WaitGraph;

enum class WaitShape {
    Row,      ///< for a record, or the transaction that changed it
    Gap,      ///< for a gap between records, or behind the last one
    Table,    ///< for InnoDB's lock on a whole table
    Metadata, ///< for the definition of a table or more
    UserLock, ///< for a name of GET_LOCK, also below a lease
    Prepared, ///< for a transaction that outlives its session
    Deadlock  ///< in a ring
};

/// "row wait", "gap wait", "table wait", "metadata wait", "user lock wait", "prepared transaction", "deadlock", and
/// back.
QString toString(WaitShape shape);
std::optional<WaitShape> waitShape(const QString &text);
/// All of them, for who has to choose one.
QStringList waitShapes();

/// Pure. The ring's alone is no matter of one edge.
WaitShape shapeOf(const WaitEdge &edge);
/// Of what a session waits for; of one that does not wait, what the longest wait behind it is for. None: there is no
/// such wait.
std::optional<WaitShape> shapeOf(const ServerWaits &waits, const WaitGraph &graph, quint64 session);

} // namespace lockscope
