// SPDX-License-Identifier: MIT
#include "statusline.h"

#include "console/duration.h"
#include "ui/pages/page.h"
#include "ui/server/serverconnection.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/text/keylocktext.h"
#include "ui/widgets/mutedlabel.h"

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QToolButton>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using Phase = MonitorStatus::Phase;

StatusLine::StatusLine(ServerConnection *connection, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_dot(new QLabel(this))
    , m_server(new QLabel(this))
    , m_age(new QLabel(this))
    , m_cost(new QLabel(this))
    , m_shown(new QLabel(this))
    , m_keys(new QLabel(this))
    , m_tryNow(new QToolButton(this))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(kSpace, kSpaceInGroup, kSpace, kSpaceInGroup);
    row->setSpacing(kSpace);
    row->addWidget(m_dot);
    for (QLabel *label : {m_server, m_age, m_cost, m_shown, m_keys}) {
        label->setTextFormat(Qt::PlainText);
        auto *dot = label == m_server ? nullptr : new MutedLabel(u"·"_s, this);
        if (dot)
            row->addWidget(dot);
        if (label == m_cost)
            m_beforeCost = dot;
        if (label == m_keys)
            m_beforeKeys = dot;
        row->addWidget(label);
    }
    m_tryNow->setText(tr("Try now"));
    m_tryNow->hide();
    connect(m_tryNow, &QToolButton::clicked, connection, &ServerConnection::refresh);
    row->addWidget(m_tryNow);
    row->addStretch(1);
    m_keys->setToolTip(
        tr("All keys or nodes of the server are gone through for locks of other programs, slowly, beside "
           "the polls: the server is at work for that for a tenth of the time at most."));
    m_cost->setToolTip(
        tr("How long the last poll took, from question to answer. Polls take at most a tenth of the time."));
    connect(connection, &ServerConnection::opened, this, &StatusLine::showDot);
    connect(connection->clock(), &LiveClock::ticked, this, &StatusLine::showNow);
    connect(connection, &ServerConnection::statusChanged, this, &StatusLine::showNow);
    connect(connection, &ServerConnection::listUpdated, this, &StatusLine::showNow);
    connect(connection, &ServerConnection::pausedChanged, this, &StatusLine::showNow);
    showDot();
    showNow();
}

void StatusLine::showDot()
{
    const Tint tint = m_connection->profile().tint;
    const int side = m_server->fontMetrics().height();
    m_dot->setVisible(tint != Tint::None);
    m_dot->setPixmap(Tints::icon(tint).pixmap(QSize(side, side), devicePixelRatioF()));
}

QString StatusLine::text() const
{
    QStringList texts{m_server->text(), m_age->text(), m_cost->text(), m_shown->text()};
    if (!m_keys->text().isEmpty())
        texts += m_keys->text();
    return texts.join(u" · "_s);
}

QString StatusLine::serverText() const
{
    const MonitorStatus &status = m_connection->status();
    if (m_connection->isRecorded() && status.server.version.isEmpty())
        return status.isFailing() ? tr("Not opened") : tr("Opening…");
    if (m_connection->isUnanswered())
        return tr("No answer");
    if (status.isFailing()) {
        const auto left = status.nextTry.value_or(PollPace::Clock::time_point()) - PollPace::Clock::now();
        const auto seconds = std::chrono::ceil<std::chrono::seconds>(left).count();
        return seconds > 0 ? tr("Not connected, next try in %1 s").arg(seconds) : tr("Not connected");
    }
    if (m_connection->isStore() && status.phase != Phase::Connecting)
        return CommonText::shortened(m_connection->profile().fullName()) + u", "_s
            + m_connection->profile().storeTitle();
    if (status.server.version.isEmpty())
        return tr("Connecting…");
    const bool isMaria = status.server.family == Family::MariaDb;
    const QString number = status.server.version.section(u'-', 0, 0);
    const QString version = (isMaria ? u"MariaDB "_s : u"MySQL "_s) + number;
    return m_connection->profile().isPrivate
        ? version
        : CommonText::shortened(m_connection->profile().fullName()) + u", "_s + version;
}

void StatusLine::setPage(const Page *page)
{
    m_page = page;
    showNow();
}

PagePoll StatusLine::poll() const
{
    if (const auto poll = m_page ? m_page->poll() : std::nullopt)
        return *poll;
    const LockListUpdate &last = m_connection->last();
    return {.clock = m_connection->clock(),
            .cost = last.cost,
            .shown = last.shown,
            .total = last.counts.total(),
            .isFailing = m_connection->status().isFailing(),
            .isOfLocks = true,
            .isOfMatches = !last.contains.isEmpty(),
            .isAtLeast = last.counts.isAtLeast};
}

QString StatusLine::ageText(const LiveClock &clock) const
{
    if (!clock.isKnown())
        return tr("no data yet");
    if (m_connection->isRecorded())
        return tr("recorded, not live");
    // Tenths, always: digits that change their unit ten times a second cannot be read.
    const double age = std::chrono::duration<double>(clock.age()).count();
    const QString text =
        age < 10 ? tr("data %1 s old").arg(age, 0, 'f', 1) : tr("data %1 old").arg(formatDuration(clock.age()));
    return m_connection->isPaused() ? tr("paused, %1").arg(text) : text;
}

void StatusLine::showNow()
{
    const PagePoll poll = this->poll();
    const bool isKnown = poll.clock->isKnown();
    m_server->setText(serverText());
    m_tryNow->setVisible(m_connection->status().isFailing() && !m_connection->isRecorded());
    const QString version = m_connection->status().server.version;
    m_server->setToolTip(CommonText::tip((version + u'\n' + m_connection->urlText()).trimmed()));
    m_age->setText(ageText(*poll.clock));
    m_cost->setVisible(!m_connection->isRecorded());
    m_beforeCost->setVisible(!m_connection->isRecorded());
    m_cost->setText(isKnown ? tr("poll %1").arg(formatDuration(poll.cost)) : tr("no poll yet"));
    const QString words = poll.isOfMatches ? tr("shown %1 of %2 that match")
        : poll.isAtLeast                   ? tr("shown %1 of more than %2")
                                           : tr("shown %1 of %2");
    const QString shown = words.arg(CommonText::count(poll.shown), CommonText::count(poll.total));
    m_shown->setText(poll.isOfLocks ? tr("locks: %1").arg(shown) : shown); // also beside other pages
    const auto passes = m_connection->last().keyPasses.constFind(0);
    const bool hasKeys = poll.isOfLocks && passes != m_connection->last().keyPasses.constEnd();
    m_keys->setText(hasKeys ? KeyLockText::age(*passes) : QString());
    m_keys->setVisible(hasKeys);
    m_beforeKeys->setVisible(hasKeys);
    const bool isOld = isKnown && (poll.isFailing || m_connection->isPaused());
    QFont font = m_age->font();
    font.setBold(isOld);
    m_age->setFont(font);
}

} // namespace lockscope::ui
