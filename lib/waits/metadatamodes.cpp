// SPDX-License-Identifier: MIT
#include "metadatamodes.h"

#include <QtCore/QSet>

#include <algorithm>
#include <string_view>

namespace lockscope {

namespace {

/// One request: what it must wait for when others have it, and when others wait for it. Names parted by spaces.
struct Mode
{
    std::string_view name;
    std::string_view granted;
    std::string_view waiting;
};

/// Tables, views, routines and everything else with a name; the weakest mode first.
constexpr Mode kObjectModes[] = {
    {"SHARED", "EXCLUSIVE", "EXCLUSIVE"},
    {"SHARED_HIGH_PRIO", "EXCLUSIVE", ""},
    {"SHARED_READ", "SHARED_NO_READ_WRITE EXCLUSIVE", "SHARED_NO_READ_WRITE EXCLUSIVE"},
    {"SHARED_WRITE", "SHARED_READ_ONLY SHARED_NO_WRITE SHARED_NO_READ_WRITE EXCLUSIVE",
     "SHARED_NO_WRITE SHARED_NO_READ_WRITE EXCLUSIVE"},
    {"SHARED_WRITE_LOW_PRIO", "SHARED_READ_ONLY SHARED_NO_WRITE SHARED_NO_READ_WRITE EXCLUSIVE",
     "SHARED_READ_ONLY SHARED_NO_WRITE SHARED_NO_READ_WRITE EXCLUSIVE"},
    {"SHARED_UPGRADABLE", "SHARED_UPGRADABLE SHARED_NO_WRITE SHARED_NO_READ_WRITE EXCLUSIVE", "EXCLUSIVE"},
    {"SHARED_READ_ONLY", "SHARED_WRITE SHARED_WRITE_LOW_PRIO SHARED_NO_READ_WRITE EXCLUSIVE",
     "SHARED_WRITE SHARED_NO_READ_WRITE EXCLUSIVE"},
    {"SHARED_NO_WRITE",
     "SHARED_WRITE SHARED_WRITE_LOW_PRIO SHARED_UPGRADABLE SHARED_NO_WRITE SHARED_NO_READ_WRITE EXCLUSIVE",
     "EXCLUSIVE"},
    {"SHARED_NO_READ_WRITE",
     "SHARED_READ SHARED_WRITE SHARED_WRITE_LOW_PRIO SHARED_UPGRADABLE SHARED_READ_ONLY SHARED_NO_WRITE "
     "SHARED_NO_READ_WRITE EXCLUSIVE",
     "EXCLUSIVE"},
    {"EXCLUSIVE",
     "SHARED SHARED_HIGH_PRIO SHARED_READ SHARED_WRITE SHARED_WRITE_LOW_PRIO SHARED_UPGRADABLE SHARED_READ_ONLY "
     "SHARED_NO_WRITE SHARED_NO_READ_WRITE EXCLUSIVE",
     ""},
};

/// Schemas and what concerns the whole server.
constexpr Mode kScopeModes[] = {
    {"INTENTION_EXCLUSIVE", "SHARED EXCLUSIVE", "SHARED EXCLUSIVE"},
    {"SHARED", "INTENTION_EXCLUSIVE EXCLUSIVE", "EXCLUSIVE"},
    {"EXCLUSIVE", "INTENTION_EXCLUSIVE SHARED EXCLUSIVE", ""},
};

/// MariaDB's BACKUP, which FLUSH TABLES WITH READ LOCK and mariadb-backup take.
constexpr Mode kBackupModes[] = {
    {"BACKUP_START", "BACKUP_START BACKUP_FLUSH BACKUP_WAIT_FLUSH BACKUP_WAIT_DDL BACKUP_WAIT_COMMIT BACKUP_BLOCK_DDL",
     "BACKUP_FLUSH BACKUP_WAIT_FLUSH BACKUP_WAIT_DDL BACKUP_WAIT_COMMIT BACKUP_BLOCK_DDL"},
    {"BACKUP_FLUSH", "BACKUP_START", ""},
    {"BACKUP_WAIT_FLUSH", "BACKUP_START BACKUP_DML", ""},
    {"BACKUP_WAIT_DDL", "BACKUP_START BACKUP_DML BACKUP_DDL", ""},
    {"BACKUP_WAIT_COMMIT", "BACKUP_START BACKUP_DML BACKUP_SYS_DML BACKUP_DDL BACKUP_COMMIT", ""},
    {"BACKUP_FTWRL1", "BACKUP_DML BACKUP_TRANS_DML BACKUP_SYS_DML BACKUP_DDL BACKUP_ALTER_COPY", ""},
    {"BACKUP_FTWRL2", "BACKUP_DML BACKUP_TRANS_DML BACKUP_SYS_DML BACKUP_DDL BACKUP_ALTER_COPY BACKUP_COMMIT", ""},
    {"BACKUP_DML", "BACKUP_FLUSH BACKUP_WAIT_FLUSH BACKUP_WAIT_DDL BACKUP_WAIT_COMMIT BACKUP_FTWRL1 BACKUP_FTWRL2",
     "BACKUP_FLUSH BACKUP_WAIT_FLUSH BACKUP_WAIT_DDL BACKUP_WAIT_COMMIT BACKUP_FTWRL1 BACKUP_FTWRL2"},
    {"BACKUP_TRANS_DML", "BACKUP_FTWRL1 BACKUP_FTWRL2", "BACKUP_FTWRL1 BACKUP_FTWRL2"},
    {"BACKUP_SYS_DML", "BACKUP_WAIT_COMMIT BACKUP_FTWRL1 BACKUP_FTWRL2",
     "BACKUP_WAIT_COMMIT BACKUP_FTWRL1 BACKUP_FTWRL2"},
    {"BACKUP_DDL", "BACKUP_WAIT_DDL BACKUP_WAIT_COMMIT BACKUP_FTWRL1 BACKUP_FTWRL2 BACKUP_BLOCK_DDL",
     "BACKUP_WAIT_DDL BACKUP_WAIT_COMMIT BACKUP_FTWRL1 BACKUP_FTWRL2 BACKUP_BLOCK_DDL"},
    {"BACKUP_BLOCK_DDL",
     "BACKUP_START BACKUP_FLUSH BACKUP_WAIT_FLUSH BACKUP_WAIT_DDL BACKUP_WAIT_COMMIT BACKUP_BLOCK_DDL BACKUP_DDL",
     "BACKUP_START"},
    {"BACKUP_ALTER_COPY", "BACKUP_FTWRL1 BACKUP_FTWRL2", "BACKUP_FTWRL1 BACKUP_FTWRL2"},
    {"BACKUP_COMMIT", "BACKUP_WAIT_COMMIT BACKUP_FTWRL2", "BACKUP_WAIT_COMMIT BACKUP_FTWRL2"},
};

bool hasWord(std::string_view words, std::string_view word)
{
    for (std::size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
        const bool begins = at == 0 || words[at - 1] == ' ';
        const std::size_t end = at + word.size();
        if (begins && (end == words.size() || words[end] == ' '))
            return true;
    }
    return false;
}

template<std::size_t Count>
bool conflicts(const Mode (&modes)[Count], std::string_view wanted, std::string_view other, bool isGranted)
{
    const auto mode =
        std::find_if(std::begin(modes), std::end(modes), [wanted](const Mode &one) { return one.name == wanted; });
    return mode != std::end(modes) && hasWord(isGranted ? mode->granted : mode->waiting, other);
}

bool isScope(const QString &scope)
{
    for (const char *name : {"GLOBAL", "SCHEMA", "COMMIT", "TABLESPACE", "BACKUP LOCK"}) {
        if (scope == QLatin1String(name))
            return true;
    }
    return false;
}

void markCut(ServerWaits *waits)
{
    for (SourceStatus &status : waits->sources)
        status.isCut = status.isCut || status.source == WaitSource::Metadata;
}

QList<quint64> blockersOf(const ServerLock &waiter, const QList<const ServerLock *> &locks, bool isGranted)
{
    QList<quint64> found;
    for (const ServerLock *other : locks) {
        if (other->isGranted == isGranted && other->session != waiter.session
            && waitsFor(waiter.object, waiter.mode, other->mode, isGranted))
            found.append(other->session);
    }
    return found;
}

} // namespace

bool waitsFor(const ServerObject &object, const QString &wanted, const QString &other, bool isGranted)
{
    if (object.kind == ServerLockKind::User)
        return isGranted; // one holder; waiters are let in as they came
    const QByteArray wantedName = wanted.toLatin1();
    const QByteArray otherName = other.toLatin1();
    const std::string_view one(wantedName.constData(), std::size_t(wantedName.size()));
    const std::string_view two(otherName.constData(), std::size_t(otherName.size()));
    if (wanted.startsWith(QLatin1String("BACKUP_")))
        return conflicts(kBackupModes, one, two, isGranted);
    return isScope(object.scope) ? conflicts(kScopeModes, one, two, isGranted)
                                 : conflicts(kObjectModes, one, two, isGranted);
}

int strengthOf(const QString &mode)
{
    const QByteArray name = mode.toLatin1();
    const auto found = std::find_if(std::begin(kObjectModes), std::end(kObjectModes),
                                    [&name](const Mode &one) { return one.name == name.constData(); });
    return found == std::end(kObjectModes) ? 0 : int(found - std::begin(kObjectModes)) + 1;
}

void addMetadataEdges(const QList<ServerLock> &locks, ServerWaits *waits, bool isInferred)
{
    QHash<ServerObject, QList<const ServerLock *>> byObject;
    QList<const ServerLock *> requests;
    for (const ServerLock &lock : locks) {
        byObject[lock.object].append(&lock);
        if (!lock.isGranted)
            requests.append(&lock);
    }
    QList<QSet<quint64>> known(requests.size()); // a session may have the lock in several modes
    int added = 0;
    for (const bool isGranted : {true, false}) {
        for (qsizetype i = 0; i < requests.size(); ++i) {
            const ServerLock &waiter = *requests[i];
            const auto since = waiter.age ? std::optional(waiter.age->since) : std::nullopt;
            for (const quint64 blocker : blockersOf(waiter, byObject[waiter.object], isGranted)) {
                if (known[i].contains(blocker))
                    continue;
                if (++added > ServerWaits::MaxEdges)
                    return markCut(waits);
                known[i].insert(blocker);
                waits->edges.append({waiter.session, blocker, waiter.object, waiter.mode, since, isInferred});
            }
        }
    }
}

} // namespace lockscope
