// SPDX-License-Identifier: MIT
#include "tablereleasedialog.h"

#include "locks/tablerows.h"
#include "ui/server/serverconnection.h"
#include "ui/style/paletteicon.h"
#include "ui/text/commontext.h"
#include "ui/text/tablelocktext.h"
#include "ui/text/tableprofiletext.h"
#include "ui/widgets/messagebar.h"

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using Outcome = TableReleaseReport::Outcome;

namespace {

constexpr int kStatementLines = 11;

QString nameOf(const TableLock &lock)
{
    return CommonText::resource(lock.fullName());
}

} // namespace

TableReleaseDialog::TableReleaseDialog(ServerConnection *connection, const TableLock &lock, QWidget *parent)
    : ActionDialog(connection, kStatementLines, tr("This is exactly what is sent."), parent)
    , m_lock(lock)
    , m_summary(makeLabel(this))
    , m_isProgram(new QCheckBox(tr("It is &%1's table").arg(lock.table.profile.title), this))
{
    setWindowTitle(tr("Release lock"));
    setupWords();
    m_reason->setPlaceholderText(tr("Required; kept with your name in the record of this machine"));
    if (connection->profile().isGuarded())
        askForName(connection->profile());
    for (QLineEdit *field : {m_reason, m_name})
        connect(field, &QLineEdit::textChanged, this, &TableReleaseDialog::showAll);
    connect(m_act, &QPushButton::clicked, this, &TableReleaseDialog::act);
    connect(connection, &ServerConnection::modeChanged, this, &TableReleaseDialog::showAll);
    connect(connection->clock(), &LiveClock::ticked, this, &TableReleaseDialog::showSummary);
    m_retarget->setText(tr("Look at it as it is now"));
    connect(m_retarget, &QPushButton::clicked, this, &TableReleaseDialog::retarget);
    setTabOrderOf({m_isProgram});
    showAll();
}

void TableReleaseDialog::setupWords()
{
    m_words->addWidget(m_summary);
    m_warning = addLine(svgIcon(u"warning"_s));
    const QString warning = TableProfileText::of(m_lock.table.profile.release.warning);
    const QString begun = warning.left(1).toUpper() + warning.mid(1); // lockctl has a colon before it
    m_warning.text->setText(tr("%1.", "a warning").arg(begun));
    for (QLabel *label : {m_warning.icon, m_warning.text})
        label->setVisible(!warning.isEmpty());
    auto *guard = makeLabel(this);
    guard->setText(tr("It is committed only if it changed exactly one row, and that is not held after it."));
    m_words->addWidget(guard);
    m_words->addWidget(m_isProgram);
    m_isProgram->setVisible(m_lock.table.isLookAlike);
    if (m_lock.table.isLookAlike)
        guard->setText(
            tr("Its columns are those of a lock table of %1, but its name is not: it may be any other program's.")
                .arg(m_lock.table.profile.title)
            + u' ' + guard->text());
    connect(m_isProgram, &QCheckBox::toggled, this, &TableReleaseDialog::ask);
}

TableReleaseOrder TableReleaseDialog::order() const
{
    TableReleaseOrder order;
    order.lock = m_lock;
    order.operatorName = AuditFile::operatorName();
    order.reason = m_reason->text().trimmed();
    if (m_lock.table.isLookAlike && m_isProgram->isChecked())
        order.profile = m_lock.table.profile.id;
    return order;
}

QString TableReleaseDialog::objection() const
{
    if (m_sent)
        return tr("Releasing…");
    if (m_target != Target::AsShown)
        return tr("Its row is not as it was shown any more.");
    if (!m_connection->isOperator())
        return tr("Operator mode has ended: this server is read-only again.");
    if (m_lock.table.isLookAlike && !m_isProgram->isChecked())
        return tr("Confirm first that it is %1's table.").arg(m_lock.table.profile.title);
    if (m_error)
        return m_error->message;
    if (!m_whyNot.isEmpty())
        return tr("It cannot be released here: %1.").arg(m_whyNot);
    if (!m_isAllowed)
        return tr("The server has not answered yet whether it can be released.");
    if (!isNamed())
        return nameWish();
    return hasReason() ? QString() : tr("Give a reason first.");
}

void TableReleaseDialog::act()
{
    if (!objection().isEmpty())
        return;
    m_sent = order();
    m_report.reset();
    showAll();
    Q_EMIT ordered(*m_sent);
}

/// What of a table was not read tells nothing of its rows.
void TableReleaseDialog::onTables(const TableLocksPtr &tables)
{
    const QString place = m_lock.table.place();
    const auto isOfIt = [&place](const auto &unread) { return unread.place == place; };
    if (m_sent || std::any_of(tables->unread.cbegin(), tables->unread.cend(), isOfIt))
        return;
    m_target = Target::Gone;
    for (const TableLock &lock : tables->locks) {
        if (lock.table.place() != place || lock.key != m_lock.key)
            continue;
        if (lock.values == m_lock.values && lock.table.columns == m_lock.table.columns) {
            m_target = Target::AsShown;
            break;
        }
        m_target = Target::Changed;
        m_now = lock;
    }
    showAll();
}

void TableReleaseDialog::retarget()
{
    m_lock = m_now;
    m_target = Target::AsShown;
    m_report.reset();
    ask();
}

/// Whether it can be released, now and with what the person says.
void TableReleaseDialog::ask()
{
    m_isAllowed = false;
    m_whyNot.clear();
    m_error.reset();
    showAll();
    Q_EMIT previewWanted(order());
}

void TableReleaseDialog::onPreview(const TableReleaseOrder &order, const QString &why,
                                   const std::optional<LockError> &error)
{
    if (!(order.lock == m_lock) || order.profile != this->order().profile)
        return;
    m_whyNot = why;
    m_error = error;
    m_isAllowed = why.isEmpty() && !error;
    showAll();
}

bool TableReleaseDialog::onReleased(const TableReleaseOrder &order, const TableReleaseReport &report)
{
    if (!m_sent || !(*m_sent == order))
        return false;
    m_sent.reset();
    m_report = report;
    if (report.outcome == Outcome::Released)
        accept();
    else
        showAll();
    return true;
}

void TableReleaseDialog::showAll()
{
    const QString name = fontMetrics().elidedText(nameOf(m_lock), Qt::ElideMiddle, 240);
    const QString server = m_connection->profile().fullName();
    setHeadline(tr("Release %1 on %2?").arg(name, fontMetrics().elidedText(server, Qt::ElideMiddle, 320)),
                nameOf(m_lock) + u'\n' + server);
    showSummary();
    setStatement(tableReleaseStatement(m_lock));
    m_act->setText(m_sent ? tr("Releasing…") : tr("Release %1").arg(CommonText::onButton(name)));
    const QString objection = this->objection();
    m_act->setEnabled(objection.isEmpty());
    m_act->setToolTip(objection.isEmpty() ? QString() : CommonText::tip(objection));
    showMessage();
    const bool isTold = m_report && !m_report->mayBeDone; // else only the row tells how it went
    const bool isOver = m_target != Target::AsShown && !m_sent && !isTold;
    m_retarget->setVisible(m_target == Target::Changed && !m_sent);
    m_cancel->setText(isOver ? tr("Close") : tr("Cancel"));
    setOver(isOver);
}

/// What runs with the clock.
void TableReleaseDialog::showSummary()
{
    const SharedLockRow row = tableRows({m_lock}, {}).value(0);
    if (row)
        m_summary->setText(CommonText::summary(row, m_connection->clock()->now()));
}

void TableReleaseDialog::showMessage()
{
    if (m_report)
        showOutcome();
    else if (m_target == Target::Gone)
        m_message->show(MessageBar::Level::Good, tr("It is not held any more. Nothing was done."));
    else if (m_target == Target::Changed)
        m_message->show(MessageBar::Level::Warning, tr("Its row is not as it was shown any more. Nothing was done."));
    else if (m_error)
        showError(*m_error);
    else if (!m_whyNot.isEmpty() && !(m_lock.table.isLookAlike && !m_isProgram->isChecked()))
        m_message->show(MessageBar::Level::Warning, tr("It cannot be released here: %1.").arg(m_whyNot));
    else if (!m_connection->isOperator())
        m_message->show(MessageBar::Level::Warning, tr("Operator mode has ended: this server is read-only again."));
    else
        m_message->clear();
}

void TableReleaseDialog::showError(const LockError &error, const QString &fate)
{
    QString text = error.message;
    if (!fate.isEmpty())
        text += u' ' + fate;
    if (error.kind == LockError::Kind::Contention)
        text += u' ' + tr("The Waits page shows the session that is in the way, while somebody waits for it.");
    m_message->show(MessageBar::Level::Error, text, CommonText::serverWords(error));
}

void TableReleaseDialog::showOutcome()
{
    if (m_report->mayBeDone)
        showUnknown();
    else if (m_report->error)
        showError(*m_report->error, tr("Nothing was done."));
    else
        m_message->show(MessageBar::Level::Warning, TableLockText::outcome(*m_report));
}

/// The connection was lost while it was committed: the next looks at the row tell.
void TableReleaseDialog::showUnknown()
{
    const QString words = m_report->error ? CommonText::serverWords(*m_report->error) : QString();
    if (m_target == Target::Gone)
        m_message->show(MessageBar::Level::Good, tr("It is not held any more."), words);
    else if (m_target == Target::Changed)
        m_message->show(MessageBar::Level::Warning,
                        tr("It is not known whether it was released, and its row is not as it was shown any more."),
                        words);
    else
        m_message->show(MessageBar::Level::Warning,
                        tr("It is not known whether it was released: the connection was lost while it was committed. "
                           "Its row will tell."),
                        words);
}

} // namespace lockscope::ui
