// SPDX-License-Identifier: MIT
#include "recordedacts.h"

#include "forcerelease.h"
#include "killtarget.h"

namespace lockscope {

using namespace Qt::StringLiterals;

QString recordedTarget(const ReleaseOrder &order)
{
    return u"lease "_s + QString::fromUtf8(order.key.resource) + u", token "_s + QString::number(order.token);
}

QString recordedTarget(const KillTarget &target)
{
    QString text = u"session %1 of %2@%3"_s.arg(QString::number(target.session), target.user, target.host);
    if (target.transaction)
        text += u", transaction %1"_s.arg(*target.transaction);
    return text;
}

} // namespace lockscope
