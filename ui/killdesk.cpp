#include "killdesk.h"

#include "killdialog.h"
#include "killwords.h"
#include "messagebar.h"
#include "serverlink.h"
#include "words.h"

namespace lockscope::ui {

KillDesk::KillDesk(ServerLink *link, MessageBar *told, QWidget *window)
    : QObject(window)
    , m_link(link)
    , m_told(told)
    , m_window(window)
{
    connect(link, &ServerLink::waitsFailed, this, &KillDesk::onWaitsFailed);
    connect(link, &ServerLink::opened, this, [this] {
        m_waits.reset();
        m_lookError.reset();
    });
}

KillDialog *KillDesk::dialog() const
{
    return m_dialog;
}

bool KillDesk::isOpen() const
{
    return m_dialog && m_dialog->isVisible();
}

void KillDesk::ask(const QList<quint64> &sessions)
{
    if (!m_waits || sessions.isEmpty() || isOpen())
        return;
    auto *flow = new KillFlow(m_link, sessions, m_waits, m_capabilities);
    if (m_lookError)
        flow->onWaitsFailed(*m_lookError);
    m_dialog = new KillDialog(m_link, flow, m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(flow, &KillFlow::ordered, this, &KillDesk::ordered);
    connect(m_dialog, &QDialog::accepted, this,
            [this, flow] { tell(true, KillWords::result(*flow), flow->recordErrors()); });
    m_dialog->open();
}

void KillDesk::onWaits(const ServerWaitsPtr &waits, const Capabilities &capabilities)
{
    m_waits = waits;
    m_capabilities = capabilities;
    m_lookError.reset();
    if (isOpen())
        m_dialog->flow()->onWaits(waits, capabilities);
}

void KillDesk::onWaitsFailed(const LockError &error)
{
    m_lookError = error;
    if (isOpen())
        m_dialog->flow()->onWaitsFailed(error);
}

void KillDesk::onProgressed(const KillOrder &order, const KillReport &report)
{
    if (isOpen())
        m_dialog->flow()->onProgressed(order, report);
}

void KillDesk::onKilled(const KillOrder &order, const KillReport &report)
{
    const QString text = KillWords::result(order, report);
    if (isOpen() && m_dialog->flow()->onKilled(order, report)) {
        if (isOpen() && !report.recordError.isEmpty())
            tell(false, text, report.recordError); // the dialog says the rest, and this stays when it is closed
        return;
    }
    using Outcome = KillReport::Outcome;
    const bool isGood = report.outcome == Outcome::Ended || report.outcome == Outcome::AlreadyGone;
    tell(isGood, text, report.recordError, report.error ? Words::serverWords(*report.error) : QString());
}

void KillDesk::tell(bool isGood, const QString &text, const QString &recordError, const QString &details)
{
    if (recordError.isEmpty())
        m_told->show(isGood ? MessageBar::Level::Good : MessageBar::Level::Warning, text, details);
    else
        m_told->show(MessageBar::Level::Warning, text + u' ' + tr("This is not on record."),
                     details.isEmpty() ? recordError : recordError + u'\n' + details);
}

} // namespace lockscope::ui
