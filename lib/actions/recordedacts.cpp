// SPDX-License-Identifier: MIT
#include "recordedacts.h"

#include "forcerelease.h"
#include "killtarget.h"

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

const QString kLease = u"lease "_s;
const QString kToken = u", token "_s;
const QString kSession = u"session "_s;

} // namespace

QString recordedTarget(const ReleaseOrder &order)
{
    return kLease + QString::fromUtf8(order.key.resource) + kToken + QString::number(order.token);
}

QString recordedTarget(const KillTarget &target)
{
    QString text = kSession + u"%1 of %2@%3"_s.arg(QString::number(target.session), target.user, target.host);
    if (target.transaction)
        text += u", transaction %1"_s.arg(*target.transaction);
    return text;
}

Event toEvent(const AuditLine &line)
{
    Event event;
    event.at = ServerTime(std::chrono::milliseconds(line.at.toMSecsSinceEpoch()));
    event.operatorName = line.operatorName;
    event.reason = line.reason;
    event.account = line.account;
    if (line.target.startsWith(kSession)) {
        event.kind = Event::Kind::Kill;
        event.key.resource = line.target.section(u" of "_s, 0, 0).toUtf8(); // as its own event names it
    } else if (const qsizetype token = line.target.lastIndexOf(kToken); line.target.startsWith(kLease) && token >= 0) {
        event.kind = Event::Kind::ForceRelease;
        event.key.resource = line.target.sliced(kLease.size(), token - kLease.size()).toUtf8();
        event.token = line.target.sliced(token + kToken.size()).toULongLong();
    } else {
        event.key.resource = line.target.toUtf8();
    }
    return event;
}

bool isSameAct(const AuditLine &line, const Event &event)
{
    const Event told = toEvent(line);
    return told.kind == event.kind && told.operatorName == event.operatorName && told.reason == event.reason
        && told.key.resource == event.key.resource && told.token == event.token;
}

bool isDone(const AuditLine &line)
{
    for (const QString &word : {u"released"_s, u"ended"_s, u"the statement was ended"_s}) {
        if (line.outcome.startsWith(word))
            return true;
    }
    return false;
}

bool isOfServer(const AuditLine &line, const ServerUrl &url)
{
    ServerUrl recorded;
    QString error;
    const QString address = line.server.section(u" ("_s, 0, 0); // which run of it stands behind
    if (!ServerUrl::parse(address, &recorded, &error))
        return false;
    return recorded.socket == url.socket && recorded.port == url.port
        && recorded.host.compare(url.host, Qt::CaseInsensitive) == 0;
}

} // namespace lockscope
