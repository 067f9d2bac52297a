// SPDX-License-Identifier: MIT
#include "prepareddialog.h"

#include "killtext.h"
#include "ui/pages/waits/preparedtext.h"
#include "ui/server/serverconnection.h"
#include "ui/style/paletteicon.h"
#include "ui/style/statemark.h"
#include "ui/text/commontext.h"
#include "ui/widgets/messagebar.h"

#include <QtWidgets/QComboBox>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QRadioButton>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kStatementLines = 5;

} // namespace

PreparedDialog::PreparedDialog(ServerConnection *connection, quint64 number, const ServerWaitsPtr &waits, Family family,
                               QWidget *parent)
    : ActionDialog(connection, kStatementLines, tr("This is exactly what is sent."), parent)
    , m_number(number)
    , m_family(family)
    , m_waits(waits)
    , m_who(makeLabel(this))
    , m_xids(new QComboBox(this))
    , m_commit(new QRadioButton(tr("&Commit it"), this))
    , m_rollback(new QRadioButton(tr("Roll it &back"), this))
{
    const PreparedTransaction *known = waits->preparedTransaction(number);
    const PreparedTransaction prepared = known ? *known : PreparedTransaction();
    setWindowTitle(tr("End prepared transaction"));
    setupWords(prepared);
    m_reason->setPlaceholderText(tr("Required"));
    if (connection->profile().isGuarded())
        askForName(connection->profile());
    for (QRadioButton *choice : {m_commit, m_rollback})
        connect(choice, &QRadioButton::toggled, this, &PreparedDialog::showAll);
    for (QLineEdit *field : {m_reason, m_name})
        connect(field, &QLineEdit::textChanged, this, &PreparedDialog::showAll);
    connect(m_xids, &QComboBox::currentIndexChanged, this, &PreparedDialog::showAll);
    connect(m_act, &QPushButton::clicked, this, &PreparedDialog::act);
    connect(connection, &ServerConnection::modeChanged, this, &PreparedDialog::showAll);
    setTabOrderOf({m_xids, m_commit, m_rollback});
    showAll();
}

void PreparedDialog::setupWords(const PreparedTransaction &prepared)
{
    m_xids->setAccessibleName(tr("Its name"));
    m_xids->setPlaceholderText(tr("Choose its name"));
    m_statement->setPlaceholderText(tr("Choose first what becomes of it."));
    setNames(prepared.xids);
    m_xids->setCurrentIndex(m_names.size() == 1 ? 0 : -1);
    m_xids->setVisible(m_names.size() > 1);
    m_words->addWidget(m_who);
    m_words->addWidget(m_xids);
    m_words->addWidget(m_commit);
    m_words->addWidget(m_rollback);
    m_goesOn = addLine({});
    m_warning = addLine(svgIcon(u"warning"_s));
    m_warning.text->setText(
        tr("Only its coordinator knows what was decided for it. If the other parts of its global transaction end "
           "differently, the data will be inconsistent. This cannot be taken back."));
}

/// They become fewer while others end theirs; a chosen one that is another transaction's by now is chosen no more.
void PreparedDialog::setNames(const QList<Xid> &xids)
{
    if (xids.isEmpty() || xids == m_names)
        return;
    const QSignalBlocker blocker(m_xids);
    const QString chosen = m_xids->currentText();
    m_names = xids;
    m_xids->clear();
    for (const Xid &xid : std::as_const(m_names))
        m_xids->addItem(QString::fromLatin1(xid.toSql()));
    m_xids->setCurrentIndex(m_xids->findText(chosen, Qt::MatchExactly | Qt::MatchCaseSensitive));
    m_xids->setVisible(m_names.size() > 1 || m_xids->currentIndex() < 0);
}

PreparedOrder PreparedDialog::order() const
{
    const int chosen = m_xids->currentIndex();
    PreparedOrder order;
    order.target = PreparedTarget::of(*m_waits, m_number, chosen < 0 ? Xid() : m_names[chosen]);
    order.fate = m_commit->isChecked() ? PreparedFate::Commit : PreparedFate::Rollback;
    order.operatorName = AuditFile::operatorName();
    order.reason = m_reason->text().trimmed();
    return order;
}

bool PreparedDialog::isChosen() const
{
    return m_xids->currentIndex() >= 0 && (m_commit->isChecked() || m_rollback->isChecked());
}

bool PreparedDialog::canAct() const
{
    const PreparedTransaction *prepared = m_waits->preparedTransaction(m_number);
    const bool mayHaveIt = prepared && isChosen() && prepared->xids.contains(m_names[m_xids->currentIndex()]);
    return mayHaveIt && preparedRefusal(*prepared).isEmpty() && !m_sent && isNamed() && hasReason()
        && m_connection->isOperator();
}

void PreparedDialog::act()
{
    if (!canAct())
        return;
    m_sent = order();
    m_report.reset();
    m_expected = forecast(*m_waits, {m_number});
    showAll();
    Q_EMIT ordered(*m_sent);
}

void PreparedDialog::onWaits(const ServerWaitsPtr &waits)
{
    m_waits = waits;
    if (const PreparedTransaction *prepared = waits->preparedTransaction(m_number); prepared && !m_sent)
        setNames(prepared->xids);
    showAll();
}

bool PreparedDialog::onEnded(const PreparedOrder &order, const PreparedReport &report)
{
    if (!m_sent || !(*m_sent == order))
        return false;
    m_sent.reset();
    m_report = report;
    if (report.outcome == PreparedReport::Outcome::Ended)
        accept();
    else
        showAll();
    return true;
}

void PreparedDialog::showMeaning(const PreparedTransaction *prepared)
{
    if (!prepared)
        return;
    m_who->setText(tr("%1, open for %2. Changed rows: %3.")
                       .arg(PreparedText::name(*prepared),
                            CommonText::duration(m_waits->clock.server - prepared->transaction.started),
                            CommonText::count(qint64(prepared->transaction.rowsChanged))));
    const WaitForecast told = forecast(*m_waits, {m_number});
    setIcon(m_goesOn, markIcon(prepared->isTold ? KillText::goesOnMark(told) : Mark::Unknown));
    m_goesOn.text->setText(
        prepared->isTold
            ? KillText::goesOn(*m_waits, told)
            : tr("The server does not tell which transaction has this name, so nobody knows who goes on."));
}

void PreparedDialog::showAll()
{
    const PreparedTransaction *prepared = m_waits->preparedTransaction(m_number);
    const QString server = m_connection->profile().fullName();
    const QString name = PreparedText::holder(m_number);
    setHeadline(tr("End %1 on %2?").arg(name, fontMetrics().elidedText(server, Qt::ElideMiddle, 320)), server);
    showMeaning(prepared);
    const PreparedOrder order = this->order();
    setGuardedStatement(isChosen() ? preparedCommand(order) : QByteArray(),
                        isChosen() ? preparedStatement(order, m_family) : QByteArray());
    m_act->setText(m_sent                        ? tr("Ending…")
                       : m_commit->isChecked()   ? tr("Commit %1").arg(name)
                       : m_rollback->isChecked() ? tr("Roll back %1").arg(name)
                                                 : tr("End %1").arg(name));
    m_act->setEnabled(canAct());
    const bool isGone = !prepared && !m_sent;
    if (m_report && m_report->error)
        m_message->show(MessageBar::Level::Error, m_report->error->message, CommonText::serverWords(*m_report->error));
    else if (isGone || m_report)
        m_message->show(MessageBar::Level::Good, tr("It has ended already. Nothing was done."));
    else if (const QString why = prepared ? preparedRefusal(*prepared) : QString(); !why.isEmpty())
        m_message->show(MessageBar::Level::Warning, PreparedText::ends(*prepared));
    else if (!m_connection->isOperator())
        m_message->show(MessageBar::Level::Warning, tr("Operator mode has ended: this server is read-only again."));
    else
        m_message->clear();
    m_cancel->setText(isGone ? tr("Close") : tr("Cancel"));
    setOver(isGone);
}

} // namespace lockscope::ui
