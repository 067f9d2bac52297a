// SPDX-License-Identifier: MIT
#pragma once

#include "actor.h"
#include "eventually.h"

#include <QtCore/QList>

namespace lockscope::test {

/// Each runs its first statement, then both ask for what the other has, the second once the first waits: whoever the
/// server rolls back, it is a deadlock. False when it was none. `statements`: of the one, of the other, of the one, of
/// the other.
inline bool makeDeadlock(Observer &observer, Actor &one, Actor &other, const QList<QByteArray> &statements)
{
    for (Actor *actor : {&one, &other})
        actor->run("BEGIN");
    one.run(statements[0]);
    other.run(statements[1]);
    one.start(statements[2]);
    const QByteArray waits = "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT' AND "
                             "trx_mysql_thread_id = "
        + QByteArray::number(one.id());
    const bool isWaiting = eventually([&] {
        QThread::msleep(120); // InnoDB tells nothing new to who asks more often
        return observer.value(waits).toInt() == 1;
    });
    const Reply second = other.run(statements[3]);
    const Reply first = one.finish();
    for (Actor *actor : {&one, &other})
        actor->run("ROLLBACK");
    const auto &error = second.error ? second.error : first.error;
    return isWaiting && bool(second.error) != bool(first.error) && error->code == 1213;
}

/// Of two sessions at two rows of the table `shop.stock`.
inline bool makeDeadlock(Observer &observer, const TestServer &server, int row, int otherRow)
{
    Actor one(server);
    Actor other(server);
    const auto update = [](int id) { return "UPDATE shop.stock SET n = n + 1 WHERE id = " + QByteArray::number(id); };
    return makeDeadlock(observer, one, other, {update(row), update(otherRow), update(otherRow), update(row)});
}

} // namespace lockscope::test
