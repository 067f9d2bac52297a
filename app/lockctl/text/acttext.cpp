// SPDX-License-Identifier: MIT
#include "acttext.h"

#include "terminal/output.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

/// A session that was ended has no process that took a lease.
QString ownerOf(const Event &event)
{
    const Owner &owner = event.owner;
    if (!owner.session.isEmpty())
        return owner.toString();
    return owner.service.isEmpty() ? QString() : owner.service + u'@' + owner.host;
}

} // namespace

QJsonObject toJson(const Event &event)
{
    QJsonObject object{{u"id"_s, static_cast<qint64>(event.id)},
                       {u"at"_s, ctl::toJson(std::optional(event.at))},
                       {u"kind"_s, QString::fromUtf8(event.kindName)},
                       {u"token"_s, static_cast<qint64>(event.token)},
                       {u"owner"_s, ctl::toJson(event.owner)},
                       {u"operator"_s, event.operatorName},
                       {u"account"_s, event.account},
                       {u"reason"_s, event.reason}};
    addResource(&object, event.key.resource);
    return object;
}

QString eventText(const Event &event)
{
    const bool isPrepared = event.kind == Event::Kind::Kill && event.key.resource.startsWith("XA ");
    QStringList parts{isPrepared ? u"prepared transaction ended"_s : printable(event.kindName),
                      printable(event.key.resource)};
    parts.removeAll(QString()); // an act that servers have no kind for
    if (event.token != 0)
        parts.append(u"token %1"_s.arg(event.token));
    if (const QString owner = ownerOf(event); !owner.isEmpty())
        parts.append(printable(owner));
    QString line = parts.join(u"  "_s);
    if (!event.operatorName.isEmpty())
        line += u"  by %1"_s.arg(printable(event.actor()));
    if (!event.reason.isEmpty())
        line += u": %1"_s.arg(printable(event.reason));
    return line;
}

QString toLine(const Event &event)
{
    return toDateTime(event.at).toUTC().toString(Qt::ISODateWithMs) + u"  "_s + eventText(event);
}

QJsonObject toJson(const AuditLine &act)
{
    return {{u"at"_s, act.at.toString(Qt::ISODateWithMs)},
            {u"operator"_s, act.operatorName},
            {u"server"_s, act.server},
            {u"account"_s, act.account},
            {u"target"_s, act.target},
            {u"statement"_s, act.statement},
            {u"reason"_s, act.reason},
            {u"outcome"_s, act.outcome}};
}

QString toLine(const AuditLine &act)
{
    const QStringList cells{act.at.toString(Qt::ISODateWithMs),
                            printable(act.operatorName),
                            printable(act.server),
                            printable(act.account),
                            printable(act.target),
                            printable(act.outcome)};
    const QString line = cells.join(u"  "_s);
    return act.reason.isEmpty() ? line : line + u"  reason: "_s + printable(act.reason);
}

} // namespace lockscope::ctl
