// SPDX-License-Identifier: MIT
#include "findings.h"

#include "ui/pages/locks/locktablemodel.h"
#include "ui/pages/waits/waitoutline.h"
#include "ui/pages/waits/waittext.h"
#include "ui/style/statemark.h"
#include "ui/text/commontext.h"

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

QString joined(QStringList parts)
{
    parts.removeIf([](const QString &part) { return part.isEmpty() || part == CommonText::none(); });
    return parts.join(u" · "_s);
}

} // namespace

QList<Finding> lockFindings(const QList<LockItem> &locks, const ServerNames &servers,
                            const std::function<void(const LockKey &)> &show)
{
    QList<Finding> found;
    found.reserve(locks.size());
    for (const LockItem &item : locks) {
        const LockRow &lock = item.row;
        const auto text = [&item](LockTableModel::Column column) { // none of them runs with the clock
            return LockTableModel::text(item, column, {});
        };
        found.append(
            {joined({text(LockTableModel::ResourceColumn), text(LockTableModel::StateColumn),
                     CommonText::who(lock.owner), text(LockTableModel::NoteColumn), servers.value(lock.key.server)}),
             markOf(lock.state), [show, key = lock.key] { show(key); }});
    }
    return found;
}

QList<Finding> sessionFindings(const WaitPicture *picture, const std::function<void(quint64)> &show)
{
    QList<Finding> found;
    for (const WaitNode &node : picture ? picture->graph.nodes : QList<WaitNode>()) {
        const ServerSession *session = picture->waits->session(node.session);
        if (!session && !picture->waits->preparedTransaction(node.session))
            continue;
        found.append({joined({WaitText::session(*picture->waits, node.session), WaitText::state(*picture, node.session),
                              session ? WaitText::program(*session) : QString(),
                              session ? WaitText::statement(*session) : QString()}),
                      WaitText::mark(*picture, node), [show, id = node.session] { show(id); }});
    }
    return found;
}

} // namespace lockscope::ui
