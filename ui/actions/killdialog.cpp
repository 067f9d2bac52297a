// SPDX-License-Identifier: MIT
#include "killdialog.h"

#include "killtext.h"
#include "ui/pages/waits/waittext.h"
#include "ui/server/serverconnection.h"
#include "ui/style/paletteicon.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/widgets/messagebar.h"
#include "ui/widgets/mutedlabel.h"

#include <QtWidgets/QFormLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QProgressBar>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QRadioButton>
#include <QtWidgets/QToolButton>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using Step = KillFlow::Step;
using State = KillPart::State;

namespace {

constexpr int kStatementLines = 5;

} // namespace

KillDialog::KillDialog(ServerConnection *connection, KillFlow *flow, QWidget *parent)
    : ActionDialog(connection, kStatementLines, tr("This is exactly what is sent."), parent)
    , m_flow(flow)
    , m_who(makeLabel(this))
    , m_statementNow(makeLabel(this))
    , m_connectionChoice(new QRadioButton(this))
    , m_query(new QRadioButton(this))
    , m_queryRefusal(new MutedLabel({}, this))
    , m_progress(new QProgressBar(this))
{
    flow->setParent(this);
    setWindowTitle(flow->isSingle() ? tr("End connection") : tr("End connections"));
    setupWords();
    m_reason->setPlaceholderText(tr("Required"));
    if (flow->wantsName())
        askForName(connection->profile());
    m_retarget->setText(flow->isSingle() ? tr("Look at its new work") : tr("Look at their new work"));
    connect(m_connectionChoice, &QRadioButton::toggled, this,
            [this](bool isOn) { m_flow->setKind(isOn ? KillKind::Connection : KillKind::Query); });
    connect(m_reason, &QLineEdit::textChanged, m_flow, &KillFlow::setReason);
    connect(m_name, &QLineEdit::textChanged, m_flow, &KillFlow::setTypedName);
    connect(m_act, &QPushButton::clicked, m_flow, &KillFlow::act);
    connect(m_retarget, &QPushButton::clicked, m_flow, &KillFlow::retarget);
    connect(m_flow, &KillFlow::changed, this, &KillDialog::showFlow);
    connect(connection->clock(), &LiveClock::ticked, this, &KillDialog::showRunning);
    connect(connection, &ServerConnection::modeChanged, this, &KillDialog::showFlow);
    setTabOrderOf({m_connectionChoice, m_query});
    showFlow();
}

bool KillDialog::isInFlight() const
{
    return m_flow->isRunning();
}

void KillDialog::setLine(const Line &line, const QString &text)
{
    line.text->setText(text);
    line.text->setVisible(!text.isEmpty());
    line.icon->setVisible(!text.isEmpty());
}

void KillDialog::setupWords()
{
    m_statementNow->setFont(fixedFont());
    m_connectionChoice->setText(m_flow->isSingle() ? tr("End the &connection") : tr("End the &connections"));
    m_query->setText(tr("End only the &statement that runs"));
    m_queryRefusal->setWordWrap(true);
    m_queryRefusal->setIndent(kSpaceSection + kSpace);
    m_connectionChoice->setChecked(true);
    m_words->addWidget(m_who);
    m_words->addWidget(m_statementNow);
    auto *choice = new QVBoxLayout;
    choice->setSpacing(kSpaceInGroup);
    choice->addWidget(m_connectionChoice);
    choice->addWidget(m_query);
    choice->addWidget(m_queryRefusal);
    m_words->addLayout(choice);
    m_goesOn = addLine({});
    m_stays = addLine(markIcon(Mark::Waiting));
    m_deadlocks = addLine(markIcon(Mark::Violation));
    m_loss = addLine(svgIcon(u"warning"_s));
    m_locks = addLine(svgIcon(u"locks"_s));
    m_server = addLine(svgIcon(u"server"_s));
    m_words->addWidget(m_progress);
}

void KillDialog::showFlow()
{
    const Step step = m_flow->step();
    const auto &parts = m_flow->parts();
    const bool isAllOver =
        std::all_of(parts.cbegin(), parts.cend(), [](const KillPart &part) { return part.isOver(); });
    if (step == Step::Done && isAllOver && m_flow->hasEndedAny()) {
        accept();
        return;
    }
    const QString server = m_flow->serverName();
    setHeadline(KillText::title(*m_flow, fontMetrics().elidedText(server, Qt::ElideMiddle, 320)), server);
    const bool isOver = step == Step::Nothing || (step == Step::Done && isAllOver);
    const bool isBusy = step == Step::Acting || step == Step::Undoing;
    m_act->setText(
        step == Step::Acting        ? tr("Ending…")
            : step == Step::Undoing ? tr("Undoing its changes…")
            : step == Step::Changed
            ? tr("Its work changed")
            : KillText::verb(*m_flow, CommonText::onButton(fontMetrics().elidedText(server, Qt::ElideMiddle, 200))));
    m_act->setEnabled(m_flow->canAct());
    m_cancel->setText(isOver || isBusy ? tr("Close") : tr("Cancel"));
    m_retarget->setVisible(step == Step::Changed);
    m_reason->setEnabled(!isOver && !isBusy);
    m_name->setEnabled(!isOver && !isBusy);
    setGuardedStatement(m_flow->command(), m_flow->statement());
    showChoice();
    showProgress();
    showMessage();
    showMeaning();
    showRunning();
    setOver(isOver);
}

void KillDialog::showChoice()
{
    const Step step = m_flow->step();
    const bool canChoose = step == Step::Ready || step == Step::Changed;
    const QString refusal = KillText::queryRefusal(*m_flow);
    m_connectionChoice->setEnabled(canChoose);
    m_query->setEnabled(canChoose && refusal.isEmpty());
    m_queryRefusal->setText(refusal);
    m_queryRefusal->setVisible(canChoose && !refusal.isEmpty());
    for (QRadioButton *button : {m_connectionChoice, m_query})
        button->setVisible(step != Step::Nothing);
}

void KillDialog::showProgress()
{
    quint64 most = 0;
    quint64 left = 0;
    for (const KillPart &part : m_flow->parts()) {
        most += part.mostRows;
        if (part.state == State::RollingBack)
            left += part.report.rowsLeft;
    }
    constexpr int steps = 1000; // rows may be more than an int counts
    m_progress->setVisible(m_flow->step() == Step::Undoing);
    m_progress->setRange(0, most == 0 ? 0 : steps);
    m_progress->setValue(most == 0 ? 0 : steps - int(qMin(left, most) * steps / most));
    m_progress->setFormat(KillText::rowsLeft(left));
}

void KillDialog::showMessage()
{
    const auto &parts = m_flow->parts();
    const auto first = [&parts](State state) {
        const auto found =
            std::find_if(parts.cbegin(), parts.cend(), [state](const KillPart &part) { return part.state == state; });
        return found == parts.cend() ? nullptr : &*found;
    };
    const KillPart *failed = first(State::Failed);
    const KillPart *refused = first(State::Refused);
    if (m_flow->step() == Step::Undoing)
        m_message->show(MessageBar::Level::Info,
                        tr("The server has accepted it and is undoing the changes. That goes on when this is closed."));
    else if (failed)
        m_message->show(MessageBar::Level::Error, KillText::failed(*failed),
                        failed->report.error ? CommonText::serverWords(*failed->report.error) : QString());
    else if (m_flow->step() == Step::Changed)
        m_message->show(MessageBar::Level::Warning, KillText::changed(*m_flow));
    else if (refused)
        m_message->show(MessageBar::Level::Warning, WaitText::whyProtected(refused->preview.session->protection));
    else if (m_flow->step() == Step::Nothing || m_flow->step() == Step::Done)
        m_message->show(MessageBar::Level::Good, KillText::alreadyGone(*m_flow));
    else if (!m_connection->isOperator())
        m_message->show(MessageBar::Level::Warning,
                        tr("This server is open read-only. Start operator mode to end a connection."));
    else
        showPoll();
}

/// How true is what is shown. An old picture forbids nothing: the kill compares on its own connection, and looks often
/// fail just because of what is to be ended.
void KillDialog::showPoll()
{
    const QString unseen = KillText::unseen(*m_flow);
    if (const auto &error = m_flow->pollError())
        m_message->show(MessageBar::Level::Warning,
                        tr("The server does not answer; what is shown is from %1.")
                            .arg(CommonText::moment(m_flow->waits().clock.server)),
                        error->message);
    else if (!unseen.isEmpty())
        m_message->show(MessageBar::Level::Warning, unseen);
    else
        m_message->clear();
}

/// Empty when nothing is left to be ended.
QString KillDialog::whenOpen(const QString &text) const
{
    return m_flow->step() == Step::Nothing || m_flow->step() == Step::Done ? QString() : text;
}

void KillDialog::showMeaning()
{
    const QString statement = whenOpen(KillText::statement(*m_flow));
    m_statementNow->setText(statement);
    m_statementNow->setVisible(!statement.isEmpty());
    setIcon(m_goesOn, markIcon(KillText::goesOnMark(m_flow->sum().forecast)));
    setLine(m_stays, whenOpen(KillText::staysBlocked(*m_flow)));
    setLine(m_deadlocks, whenOpen(KillText::deadlocks(*m_flow)));
    setLine(m_loss, whenOpen(KillText::loss(*m_flow)));
    setLine(m_locks, whenOpen(KillText::locks(*m_flow)));
    setLine(m_server, whenOpen(KillText::server(*m_flow)));
}

/// What runs with the clock.
void KillDialog::showRunning()
{
    const SnapshotClock &clock = m_flow->waits().clock; // of the looks: the list beside them may fail alone
    const ServerTime now = m_flow->pollError() || m_connection->isPaused() ? clock.server : clock.now();
    const QString who = whenOpen(KillText::who(*m_flow, now));
    m_who->setText(who);
    m_who->setVisible(!who.isEmpty());
    setLine(m_goesOn, whenOpen(KillText::goesOn(*m_flow, now)));
}

} // namespace lockscope::ui
