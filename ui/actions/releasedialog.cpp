// SPDX-License-Identifier: MIT
#include "releasedialog.h"

#include "console/duration.h"
#include "releaseflow.h"
#include "sources/storeaddress.h"
#include "ui/server/furtherservers.h"
#include "ui/server/serverconnection.h"
#include "ui/style/paletteicon.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/widgets/messagebar.h"

#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using Step = ReleaseFlow::Step;

namespace {

constexpr int kStatementLines = 9;
/// Of a store without a script it is a sentence.
constexpr int kSentenceLines = 3;

} // namespace

bool ReleaseDialog::isSentence(const ServerProfile &server)
{
    return server.isStore() && storeKind(server.store) != StoreKind::Redis;
}

int ReleaseDialog::linesFor(const ServerProfile &server)
{
    return isSentence(server) ? kSentenceLines : kStatementLines;
}

QString ReleaseDialog::hintFor(const ServerProfile &server)
{
    if (!server.isStore())
        return tr("This is exactly what is sent, with names and reason in hexadecimal.");
    switch (storeKind(server.store)) {
    case StoreKind::Redis:
        return tr("This is exactly what is sent. The script compares and acts in one step: nothing else runs in "
                  "between.");
    case StoreKind::ZooKeeper:
        return tr("The node is read, compared, and deleted by its name, which no other request's node has.");
    case StoreKind::Etcd:
        break;
    }
    return tr("One transaction compares and deletes: nothing else comes in between.");
}

ReleaseDialog::ReleaseDialog(ServerConnection *connection, const LockRow &lock, QWidget *parent)
    : ActionDialog(connection, linesFor(connection->profileOf(lock.key)), hintFor(connection->profileOf(lock.key)),
                   parent)
    , m_flow(new ReleaseFlow(connection, lock, this))
    , m_holder(makeLabel(this))
    , m_next(makeLabel(this))
{
    setWindowTitle(tr("Release lock"));
    setServer(lock.key.server);
    if (isSentence(connection->profileOf(lock.key)))
        m_statement->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    m_words->addWidget(m_holder);
    m_session = addLine();
    m_words->addWidget(m_next);
    m_reason->setPlaceholderText(tr("Required; kept with your name in the events"));
    m_retarget->setText(tr("Look at the new holder"));
    connect(m_reason, &QLineEdit::textChanged, m_flow, &ReleaseFlow::setReason);
    connect(m_act, &QPushButton::clicked, m_flow, &ReleaseFlow::act);
    connect(m_retarget, &QPushButton::clicked, m_flow, &ReleaseFlow::retarget);
    connect(m_flow, &ReleaseFlow::changed, this, &ReleaseDialog::showFlow);
    connect(connection->clock(), &LiveClock::ticked, this, &ReleaseDialog::showWords);
    connect(connection, &ServerConnection::modeChanged, this, &ReleaseDialog::showFlow);
    connect(connection->further(), &FurtherServers::changed, this, [this, server = lock.key.server] {
        if (server != 0 && !m_connection->further()->find(server))
            reject(); // it is in the list no more
    });
    showFlow();
    m_flow->start();
}

bool ReleaseDialog::isInFlight() const
{
    return m_flow->step() == ReleaseFlow::Step::Acting;
}

void ReleaseDialog::showFlow()
{
    const Step step = m_flow->step();
    if (step == Step::Released) {
        accept();
        return;
    }
    const QString name = fontMetrics().elidedText(CommonText::lock(m_flow->target().key), Qt::ElideMiddle, 240);
    const QString server = m_connection->profileOf(m_flow->target().key).fullName();
    setHeadline(tr("Release %1 on %2?").arg(name, fontMetrics().elidedText(server, Qt::ElideMiddle, 320)),
                CommonText::lock(m_flow->target().key) + u'\n' + server);
    const bool isOver = step == Step::Gone || step == Step::Changed;
    m_act->setText(step == Step::Acting ? tr("Releasing…") : tr("Release %1").arg(CommonText::onButton(name)));
    m_act->setEnabled(m_flow->canAct());
    m_cancel->setText(isOver ? tr("Close") : tr("Cancel"));
    m_retarget->setVisible(step == Step::Changed);
    // What was known of the old lease is no longer so.
    for (QLabel *label : {m_holder, m_session.icon, m_session.text, m_next})
        label->setVisible(!isOver);
    m_reason->setEnabled(step != Step::Acting);
    const QByteArray script = m_connection->releaseScript(m_flow->target().key);
    if (script.isEmpty())
        setStatement(m_flow->statement());
    else
        setGuardedStatement(m_flow->statement(), m_flow->statement() + "\n\n" + script);
    showMessage();
    showWords();
    setOver(isOver);
}

void ReleaseDialog::showMessage()
{
    const QString name = CommonText::lock(m_flow->target().key);
    const auto &now = m_flow->preview().lock;
    const auto &error = m_flow->error();
    switch (m_flow->step()) {
    case Step::Gone:
        m_message->show(MessageBar::Level::Good, tr("%1 is already released. Nothing was done.").arg(name));
        return;
    case Step::Changed:
        m_message->show(MessageBar::Level::Warning,
                        tr("%1 changed hands: %2 holds it now, with token %3. Nothing was done.")
                            .arg(name, CommonText::whoInFull(now->owner), CommonText::token(now->token)));
        return;
    default:
        break;
    }
    if (error)
        m_message->show(MessageBar::Level::Error, error->message, CommonText::serverWords(*error));
    else if (!m_connection->isOperatorOf(m_flow->target().key))
        m_message->show(MessageBar::Level::Warning, tr("Operator mode has ended: this server is read-only again."));
    else
        m_message->clear();
}

/// What runs with the clock.
void ReleaseDialog::showWords()
{
    const LockRow &lock = m_flow->target();
    const ServerTime now = m_connection->clockOf(lock.key)->now();
    const QString who = CommonText::holder(lock);
    const QString token = CommonText::token(lock.token);
    m_holder->setText(lock.acquiredAt ? tr("%1 has held it since %2 (%3), token %4.")
                                            .arg(who, CommonText::moment(*lock.acquiredAt),
                                                 CommonText::duration(lock.heldFor(now)), token)
                                      : tr("%1 holds it, token %2.").arg(who, token));
    setIcon(m_session, lock.sessionAlive ? svgIcon(u"warning"_s) : markIcon(markOf(lock.state)));
    QString session = lock.sessionAlive ? tr("Its session is alive: it may still be working. It learns of this at its "
                                             "next renewal, and its token will be "
                                             "refused from now on by stores that check.")
                                        : tr("Its session is gone, but its work may not be: its token will be refused "
                                             "from now on by stores that check.");
    const auto remaining = lock.remaining(now);
    if (!lock.sessionAlive && remaining && remaining->count() > 0)
        session += u' ' + tr("Left to itself, the lease ends in %1.").arg(formatDuration(*remaining));
    if (m_connection->profileOf(lock.key).isStore() && lock.sessionAlive)
        session = storeWords();
    m_session.text->setText(session);
    m_next->setText(nextWords());
}

/// Whoever holds it is not asked, and may hear of it late.
QString ReleaseDialog::storeWords() const
{
    const auto &queue = m_flow->preview().queue;
    const bool isKnown = !queue.isEmpty() && queue.first().owner != Owner();
    const QString other = isKnown ? CommonText::who(queue.first().owner) : tr("whoever takes it next");
    if (isOfOtherProgram(m_flow->target()))
        return tr("Another program holds it. It is told nothing of this and works on: it and %1 may both work.")
            .arg(other);
    return tr("Its session is alive: it may still be working. It learns of this at its next renewal at the latest, if "
              "its program looks at all; until then it and %1 may both work. Its token will be refused from now on by "
              "stores that check.")
        .arg(other);
}

QString ReleaseDialog::nextWords() const
{
    if (m_flow->step() == Step::Looking)
        return tr("Asking the server who waits…");
    const auto &queue = m_flow->preview().queue;
    if (queue.isEmpty())
        return tr("Nobody waits: it becomes free.");
    const Waiter &next = queue.first();
    const QString who = next.owner == Owner() ? tr("another program") : CommonText::who(next.owner);
    QString text = tr("Next: %1.").arg(who);
    if (next.since) {
        const auto waited =
            std::max(Microseconds::zero(), m_connection->clockOf(m_flow->target().key)->now() - *next.since);
        text = tr("Next: %1, waiting %2.").arg(who, CommonText::duration(waited));
    }
    if (queue.size() == 2)
        text += u' ' + tr("One more waits.");
    else if (queue.size() > 2)
        text += u' ' + tr("%1 more wait.").arg(CommonText::count(queue.size() - 1));
    return text;
}

} // namespace lockscope::ui
