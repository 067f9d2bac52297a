#include "releasedialog.h"

#include "messagebar.h"
#include "monitor/duration.h"
#include "mutedlabel.h"
#include "paletteicon.h"
#include "releaseflow.h"
#include "serverlink.h"
#include "theme.h"
#include "words.h"

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using Step = ReleaseFlow::Step;

namespace {

QLabel *makeLabel(QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

} // namespace

ReleaseDialog::ReleaseDialog(ServerLink *link, const LockRow &lock, QWidget *parent)
    : QDialog(parent)
    , m_link(link)
    , m_flow(new ReleaseFlow(link, lock, this))
    , m_message(new MessageBar(this))
    , m_headline(makeLabel(this))
    , m_holder(makeLabel(this))
    , m_sessionMark(new QLabel(this))
    , m_session(makeLabel(this))
    , m_next(makeLabel(this))
    , m_production(makeLabel(this))
    , m_statement(new QPlainTextEdit(this))
    , m_copy(new QPushButton(svgIcon(u"copy"_s), tr("Copy"), this))
    , m_reason(new QLineEdit(this))
    , m_retarget(new QPushButton(this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
    , m_act(new QPushButton(this))
{
    setWindowTitle(tr("Release lock"));
    setMinimumWidth(forType(kFormMaxWidth));
    setupForm();
    setupButtons();
    connect(m_flow, &ReleaseFlow::changed, this, &ReleaseDialog::showFlow);
    connect(link->clock(), &LiveClock::ticked, this, &ReleaseDialog::showWords);
    connect(link, &ServerLink::modeChanged, this, &ReleaseDialog::showFlow);
    showFlow();
    m_flow->start();
    m_cancel->setFocus();
}

void ReleaseDialog::setupForm()
{
    m_headline->setFont(headlineFont());
    m_statement->setReadOnly(true);
    m_statement->setFont(fixedFont());
    m_statement->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_statement->setFixedHeight(fontMetrics().height() * 9);
    m_statement->setAccessibleName(tr("Statement"));
    m_statement->setTabChangesFocus(true);
    m_reason->setMaxLength(MaxReasonCharacters);
    m_reason->setPlaceholderText(tr("Required; kept with your name in the events"));
    m_reason->setAccessibleName(tr("Reason"));
    m_production->setText(tr("This is a production server."));
    m_production->setFont(headingFont());

    auto *session = new QHBoxLayout;
    session->setSpacing(kSpace);
    session->addWidget(m_sessionMark, 0, Qt::AlignTop);
    session->addWidget(m_session, 1);
    auto *words = new QVBoxLayout;
    words->setContentsMargins(kSpaceSection, kSpaceSection, kSpaceSection, 0);
    words->setSpacing(kSpace);
    words->addWidget(m_headline);
    words->addWidget(m_production);
    words->addWidget(m_holder);
    words->addLayout(session);
    words->addWidget(m_next);

    auto *form = new QFormLayout;
    form->setContentsMargins(kSpaceSection, kSpace, kSpaceSection, 0);
    form->setSpacing(kSpace);
    auto *hint = new MutedLabel(tr("Exactly this is sent; names and reason as hexadecimal text."), this);
    auto *below = new QHBoxLayout;
    below->addWidget(hint, 1);
    below->addWidget(m_copy, 0, Qt::AlignTop);
    auto *statement = new QVBoxLayout;
    statement->setSpacing(kSpaceInGroup);
    statement->addWidget(m_statement);
    statement->addLayout(below);
    form->addRow(tr("Statement"), statement);
    form->addRow(tr("&Reason"), m_reason);

    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, kSpaceSection);
    column->setSpacing(kSpace);
    column->addWidget(m_message);
    column->addLayout(words);
    column->addLayout(form);
    connect(m_reason, &QLineEdit::textChanged, m_flow, &ReleaseFlow::setReason);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_statement->toPlainText()); });
}

void ReleaseDialog::setupButtons()
{
    auto *row = new QHBoxLayout;
    row->setContentsMargins(kSpaceSection, kSpace, kSpaceSection, 0);
    row->setSpacing(kSpace);
    row->addStretch(1);
    row->addWidget(m_retarget);
    row->addWidget(m_cancel);
    row->addWidget(m_act);
    static_cast<QVBoxLayout *>(layout())->addLayout(row);
    for (QPushButton *button : {m_copy, m_retarget, m_act})
        button->setAutoDefault(false); // Return in the reason must not release
    m_cancel->setDefault(true);
    m_act->setIcon(svgIcon(u"release"_s));
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_act, &QPushButton::clicked, m_flow, &ReleaseFlow::act);
    connect(m_retarget, &QPushButton::clicked, m_flow, &ReleaseFlow::retarget);
}

void ReleaseDialog::showFlow()
{
    const Step step = m_flow->step();
    if (step == Step::Released) {
        accept();
        return;
    }
    const QString name = fontMetrics().elidedText(Words::lock(m_flow->target().key), Qt::ElideMiddle, 240);
    m_headline->setText(tr("Release %1?").arg(name));
    m_headline->setToolTip(Words::tip(Words::lock(m_flow->target().key)));
    m_production->setVisible(m_link->profile().isProduction);
    const bool isOver = step == Step::Gone || step == Step::Changed;
    m_act->setText(step == Step::Acting ? tr("Releasing…") : tr("Release %1").arg(name));
    m_act->setEnabled(m_flow->canAct());
    m_act->setVisible(!isOver);
    m_cancel->setText(isOver ? tr("Close") : tr("Cancel"));
    m_retarget->setVisible(step == Step::Changed);
    m_retarget->setText(tr("Look at the new holder"));
    // What was known of the old lease is no longer so.
    for (QLabel *label : {m_holder, m_sessionMark, m_session, m_next})
        label->setVisible(!isOver);
    m_reason->setEnabled(!isOver && step != Step::Acting);
    m_statement->setEnabled(!isOver);
    const QString statement = QString::fromUtf8(m_flow->statement());
    if (m_statement->toPlainText() != statement)
        m_statement->setPlainText(statement);
    showMessage();
    showWords();
    fitHeight();
}

/// Wrapped words need more height when a message joins them; the dialog grows and never squeezes.
void ReleaseDialog::fitHeight()
{
    const int needed = layout()->totalHeightForWidth(width());
    if (needed > height())
        resize(width(), needed);
}

void ReleaseDialog::showEvent(QShowEvent *event)
{
    QDialog::showEvent(event);
    fitHeight();
}

void ReleaseDialog::showMessage()
{
    const QString name = Words::lock(m_flow->target().key);
    const auto &now = m_flow->preview().lock;
    const auto &error = m_flow->error();
    switch (m_flow->step()) {
    case Step::Gone:
        m_message->show(MessageBar::Level::Good, tr("%1 is already released. Nothing was done.").arg(name));
        return;
    case Step::Changed:
        m_message->show(MessageBar::Level::Warning,
                        tr("%1 changed hands: %2 holds it now, with token %3. Nothing was done.")
                            .arg(name, Words::whoInFull(now->owner), Words::token(now->token)));
        return;
    default:
        break;
    }
    if (error)
        m_message->show(MessageBar::Level::Error, error->message, Words::serverWords(*error));
    else if (!m_link->isOperator())
        m_message->show(MessageBar::Level::Warning, tr("Operator mode has ended: this server is read-only again."));
    else
        m_message->clear();
}

/// What runs with the clock.
void ReleaseDialog::showWords()
{
    const LockRow &lock = m_flow->target();
    const ServerTime now = m_link->clock()->now();
    const QString since = lock.acquiredAt ? Words::moment(*lock.acquiredAt) : Words::none();
    m_holder->setText(
        tr("%1 holds it since %2 (%3), token %4.")
            .arg(Words::whoInFull(lock.owner), since, Words::duration(lock.heldFor(now)), Words::token(lock.token)));
    const int side = fontMetrics().height();
    m_sessionMark->setPixmap((lock.sessionAlive ? svgIcon(u"warning"_s) : markIcon(markOf(lock.state)))
                                 .pixmap(QSize(side, side), devicePixelRatioF()));
    QString session = lock.sessionAlive ? tr("Its session is alive: it may still be working. It learns of this at its "
                                             "next renewal, and its token will be "
                                             "refused from now on by stores that check.")
                                        : tr("Its session is gone, but its work may not be: its token will be refused "
                                             "from now on by stores that check.");
    const auto remaining = lock.remaining(now);
    if (!lock.sessionAlive && remaining && remaining->count() > 0)
        session += u' ' + tr("Left to itself, the lease ends in %1.").arg(formatDuration(*remaining));
    m_session->setText(session);
    m_next->setText(nextWords());
}

QString ReleaseDialog::nextWords() const
{
    if (m_flow->step() == Step::Looking)
        return tr("Asking the server who waits…");
    const auto &queue = m_flow->preview().queue;
    if (queue.isEmpty())
        return tr("Nobody waits: it becomes free.");
    const Waiter &next = queue.first();
    std::optional<Microseconds> waited;
    if (next.since)
        waited = std::max(Microseconds::zero(), m_link->clock()->now() - *next.since);
    QString text = tr("Next: %1, waiting %2.").arg(Words::who(next.owner), Words::duration(waited));
    if (queue.size() == 2)
        text += u' ' + tr("One more waits.");
    else if (queue.size() > 2)
        text += u' ' + tr("%1 more wait.").arg(Words::count(queue.size() - 1));
    return text;
}

} // namespace lockscope::ui
