// SPDX-License-Identifier: MIT
#include "keylook.h"

#include "keylocks/conventionlibrary.h"
#include "terminal/output.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

KeyStore storeOf(LockKind kind)
{
    if (kind == LockKind::ZooKeeperNode)
        return KeyStore::ZooKeeper;
    return kind == LockKind::EtcdKey ? KeyStore::Etcd : KeyStore::Redis;
}

} // namespace

void lookForKeys(LockSource &source, bool withGuesses)
{
    const auto kind = source.keyKind();
    if (!kind)
        return;
    QList<ConventionFile> faulty;
    const QList<KeyConvention> all = allConventions(ownConventionFolder(), &faulty);
    for (const ConventionFile &file : std::as_const(faulty))
        printError(
            u"%1:%2: %3"_s.arg(printable(file.path)).arg(file.fault()->line).arg(printable(file.fault()->reason)));
    source.useConventions(conventionsFor(all, storeOf(*kind), source.server(), withGuesses));
}

void warnAboutKeys(const KeyLocks &found)
{
    if (found.isCut)
        printError(u"only %1 locks of other programs are shown; there are more."_s.arg(found.rows.size()));
    if (found.unreadable > 0)
        printError(
            u"%1 keys or folders may not be read by this account, and may be or have locks."_s.arg(found.unreadable));
}

} // namespace lockscope::ctl
