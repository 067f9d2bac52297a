// SPDX-License-Identifier: MIT
#include "replaybar.h"

#include "console/duration.h"
#include "ui/server/serverconnection.h"
#include "ui/style/displaytimezone.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"

#include <QtCore/QSignalBlocker>
#include <QtGui/QAction>
#include <QtGui/QPainter>
#include <QtWidgets/QBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMenu>
#include <QtWidgets/QSlider>
#include <QtWidgets/QStyle>
#include <QtWidgets/QToolButton>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

/// Steps of the slider, a second each or longer.
constexpr int kMaxSteps = 100'000;
constexpr int kMaxIncidents = 200; ///< in the menu
/// An older look than this is not what the moment was like.
constexpr Microseconds kOldLook = 15s;

QString shownTime(ServerTime time)
{
    return DisplayTimeZone::instance()->of(time).toString(u"yyyy-MM-dd HH:mm:ss"_s);
}

QString incidentText(const Incident &incident)
{
    const QString time = shownTime(incident.from);
    if (incident.kind == Incident::Kind::Deadlock)
        return ReplayBar::tr("%1: deadlock").arg(time);
    if (incident.kind == Incident::Kind::Alarm)
        return ReplayBar::tr("%1: alarm").arg(time);
    return ReplayBar::tr("%1: %n waited, up to %2", nullptr, incident.waiting)
        .arg(time, formatDuration(incident.longest));
}

QToolButton *makeButton(QAction *action, Qt::ArrowType arrow, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setArrowType(arrow);
    button->setAutoRaise(true);
    return button;
}

} // namespace

ReplayBar::ReplayBar(ServerConnection *connection, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_previous(new QAction(tr("Previous incident"), this))
    , m_next(new QAction(tr("Next incident"), this))
    , m_badge(new QLabel(tr("RECORDED"), this))
    , m_time(new QLabel(this))
    , m_notice(new QLabel(this))
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_incidents(new QToolButton(this))
    , m_menu(new QMenu(this))
{
    m_badge->setFont(headingFont());
    m_badge->setToolTip(tr("A moment of a recording: nothing here is live, and nothing can be released or ended"));
    m_time->setFont(headingFont());
    m_time->setTextFormat(Qt::PlainText);
    m_notice->setTextFormat(Qt::PlainText);
    m_slider->setAccessibleName(tr("Moment of the recording"));
    m_slider->setToolTip(tr("Move through the time of the recording"));
    m_incidents->setMenu(m_menu);
    m_incidents->setPopupMode(QToolButton::InstantPopup);
    m_incidents->setAutoRaise(true);
    m_incidents->setToolTip(tr("Queues, deadlocks and alarms of the recording"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(kSpaceSection, kSpaceInGroup, kSpaceSection, kSpaceInGroup);
    row->setSpacing(kSpace);
    row->addWidget(m_badge);
    row->addWidget(m_time);
    row->addWidget(m_slider, 1);
    row->addWidget(m_notice);
    row->addWidget(makeButton(m_previous, Qt::LeftArrow, this));
    row->addWidget(m_incidents);
    row->addWidget(makeButton(m_next, Qt::RightArrow, this));
    connect(m_slider, &QSlider::valueChanged, this, [this](int value) { showAt(timeOf(value)); });
    connect(m_previous, &QAction::triggered, this, [this] { stepTo(-1); });
    connect(m_next, &QAction::triggered, this, [this] { stepTo(1); });
    connect(connection, &ServerConnection::opened, this, &ReplayBar::onServer);
    connect(connection, &ServerConnection::replayOpened, this, &ReplayBar::onOpened);
    connect(connection, &ServerConnection::momentShown, this, &ReplayBar::onMoment);
    connect(DisplayTimeZone::instance(), &DisplayTimeZone::changed, this, [this] {
        fillIncidents();
        showText();
    });
    onServer();
}

QString ReplayBar::text() const
{
    return QStringList{m_badge->text(), m_time->text(), m_notice->text()}.join(u' ').trimmed();
}

void ReplayBar::onServer()
{
    setVisible(m_connection->isRecorded());
    m_found.clear();
    m_moment.reset();
    m_time->clear();
    m_notice->clear();
    for (QWidget *part : QList<QWidget *>{m_slider, m_incidents})
        part->setEnabled(false);
    m_previous->setEnabled(false);
    m_next->setEnabled(false);
    m_incidents->setText(tr("Incidents"));
}

/// The first moment that is shown is the one that somebody opened the recording for, as a rule.
void ReplayBar::onOpened(const RecordingInfo &info, const QList<Incident> &incidents)
{
    m_info = info;
    m_found = incidents;
    const QSignalBlocker blocker(m_slider);
    m_slider->setRange(0, int(std::clamp<qint64>((info.to - info.from) / 1s, 1, kMaxSteps)));
    m_slider->setPageStep(std::max(1, m_slider->maximum() / 20));
    m_slider->setEnabled(true);
    fillIncidents();
    const Incident *longest = longestQueue(m_found);
    showAt(longest ? longest->worst : info.to);
}

void ReplayBar::fillIncidents()
{
    m_menu->clear();
    if (!m_slider->isEnabled())
        return;
    for (qsizetype i = 0; i < std::min<qsizetype>(m_found.size(), kMaxIncidents); ++i) {
        QAction *action = m_menu->addAction(incidentText(m_found[i]));
        connect(action, &QAction::triggered, this, [this, at = m_found[i].worst] { showAt(at); });
    }
    m_incidents->setText(tr("%n incidents", nullptr, int(m_found.size())));
    m_incidents->setEnabled(!m_found.isEmpty());
}

ServerTime ReplayBar::timeOf(int value) const
{
    return m_info.from + (m_info.to - m_info.from) * value / std::max(1, m_slider->maximum());
}

int ReplayBar::valueOf(ServerTime time) const
{
    const Microseconds length = std::max(Microseconds(1), m_info.to - m_info.from);
    return int((time - m_info.from) * m_slider->maximum() / length);
}

void ReplayBar::showAt(ServerTime at)
{
    m_at = std::clamp(at, m_info.from, m_info.to);
    const QSignalBlocker blocker(m_slider);
    m_slider->setValue(valueOf(m_at));
    m_connection->showMoment(m_at);
    const auto isBefore = [this](const Incident &one) { return one.worst < m_at; };
    const auto isAfter = [this](const Incident &one) { return one.worst > m_at; };
    m_previous->setEnabled(std::any_of(m_found.cbegin(), m_found.cend(), isBefore));
    m_next->setEnabled(std::any_of(m_found.cbegin(), m_found.cend(), isAfter));
    showText();
}

void ReplayBar::stepTo(int direction)
{
    std::optional<ServerTime> nearest;
    for (const Incident &one : std::as_const(m_found)) {
        const bool isBeyond = direction > 0 ? one.worst > m_at : one.worst < m_at;
        const bool isNearer = !nearest || (direction > 0 ? one.worst < *nearest : one.worst > *nearest);
        if (isBeyond && isNearer)
            nearest = one.worst;
    }
    if (nearest)
        showAt(*nearest);
}

void ReplayBar::onMoment(const ReplayedMomentPtr &moment)
{
    m_moment = moment;
    showText();
}

void ReplayBar::showText()
{
    m_time->setText(m_slider->isEnabled() ? shownTime(m_at) : QString());
    m_notice->clear();
    const bool isOld = m_moment && (m_moment->moment.isGap || m_moment->wanted - m_moment->moment.at > kOldLook);
    if (isOld)
        m_notice->setText(
            tr("nothing was seen then; this is %1 older").arg(formatDuration(m_moment->wanted - m_moment->moment.at)));
    else if (!m_info.damage.isEmpty())
        m_notice->setText(tr("the file is not whole"));
    m_notice->setToolTip(m_info.damage);
}

void ReplayBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::AlternateBase));
    painter.setPen(lineColor(palette()));
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

} // namespace lockscope::ui
