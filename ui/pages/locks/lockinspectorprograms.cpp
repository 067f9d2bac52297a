// SPDX-License-Identifier: MIT
// What the inspector shows of locks that other programs keep in tables and keys of theirs.
#include "lockinspector.h"

#include "actions/tablerelease.h"
#include "ui/server/serverconnection.h"
#include "ui/text/commontext.h"
#include "ui/text/keylocktext.h"
#include "ui/text/tablelocktext.h"
#include "ui/text/tableprofiletext.h"

#include <QtWidgets/QLabel>
#include <QtWidgets/QPlainTextEdit>

namespace lockscope::ui {

void LockInspector::showTable(const TableLock &lock)
{
    m_program->setText(CommonText::resource(TableLockText::program(lock).toUtf8()));
    showFact(m_clock, lock.table.profile.isOfTransaction ? QString() : TableLockText::clock(lock));
    // Where the state is not known, the summary says why.
    showFact(m_reason, lock.stateNow() == TableLockState::Unknown ? QString() : TableLockText::reason(lock));
    showFact(m_remark, TableProfileText::of(lock.table.profile.note));
    const QString whyNot = TableLockText::whyNotReleasable(lock);
    showFact(m_noRelease, whyNot);
    setSql(whyNot.isEmpty() ? tableReleaseStatement(lock) : QByteArray());
    showFact(m_values, breakable(TableLockText::values(lock).join(u'\n')));
    showFact(m_keyValues, {});
}

void LockInspector::showKey(const LockRow &lock)
{
    const KeyLock &key = *lock.keyLock;
    m_program->setText(CommonText::resource(key.convention.title.toUtf8()));
    showFact(m_clock, KeyLockText::clock(key));
    showFact(m_reason, {});
    showFact(m_remark, KeyLockText::note(key.convention));
    const QString whyNot = KeyLockText::whyNotReleasable(key);
    showFact(m_noRelease, whyNot);
    setSql(whyNot.isEmpty() ? m_connection->keyStatement(lock, key.holders.constFirst()) : QByteArray());
    showFact(m_values, {});
    showFact(m_keyValues, breakable(KeyLockText::values(key).join(u'\n')));
}

/// A selection in it stays.
void LockInspector::setSql(const QByteArray &sql)
{
    if (const QString text = QString::fromUtf8(sql); m_sql->toPlainText() != text)
        m_sql->setPlainText(text);
}

} // namespace lockscope::ui
