// SPDX-License-Identifier: MIT
#include "replaybar.h"

#include "console/duration.h"
#include "recording/writtenmoment.h"
#include "timeslider.h"
#include "ui/alarms/alarmtext.h"
#include "ui/pages/waits/waittext.h"
#include "ui/server/serverconnection.h"
#include "ui/style/displaytimezone.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/widgets/elidedlabel.h"
#include "ui/widgets/mutedlabel.h"

#include <QtCore/QSignalBlocker>
#include <QtGui/QAction>
#include <QtGui/QPainter>
#include <QtWidgets/QBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>
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

QString shownTime(ServerTime time)
{
    return DisplayTimeZone::instance()->of(time).toString(u"yyyy-MM-dd HH:mm:ss"_s);
}

QString lockOf(const Incident &incident)
{
    if (incident.object)
        return CommonText::shortened(WaitText::object(*incident.object));
    const bool hasLock = incident.alarm && incident.alarm->subject.lock;
    return hasLock ? CommonText::shortened(CommonText::lock(*incident.alarm->subject.lock)) : QString();
}

/// "03:12:10: 11 waited, up to 2 min · shop.stock PRIMARY (5) · Session 6 billing@a7".
QString incidentText(const Incident &incident)
{
    const QString time = shownTime(incident.from);
    if (incident.kind == Incident::Kind::Deadlock)
        return ReplayBar::tr("%1: deadlock").arg(time);
    QStringList parts{incident.waiting == 0 ? ReplayBar::tr("%1: alarm").arg(time)
                                            : ReplayBar::tr("%1: %n waited, up to %2", nullptr, incident.waiting)
                                                  .arg(time, formatDuration(incident.longest))};
    parts += incident.locks > 1
        ? ReplayBar::tr("%1 and %n more locks", nullptr, incident.locks - 1).arg(lockOf(incident))
        : lockOf(incident);
    if (incident.blocker != 0)
        parts += AlarmText::blocker(incident.blocker, incident.blockerIs);
    if (incident.alarms > 1)
        parts += ReplayBar::tr("%n alarms", nullptr, incident.alarms);
    parts.removeAll(QString());
    return parts.join(u" · "_s);
}

QAction *makeStep(const QString &text, const QString &tip, const QKeySequence &keys, QObject *parent)
{
    auto *action = new QAction(text, parent);
    action->setShortcut(keys);
    action->setToolTip(tip.arg(keys.toString(QKeySequence::NativeText)));
    action->setEnabled(false);
    return action;
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
    , m_previous(makeStep(tr("Pre&vious incident"), tr("Go back to the incident before (%1)"),
                          QKeySequence(Qt::ALT | Qt::Key_Left), this))
    , m_next(makeStep(tr("Ne&xt incident"), tr("Go on to the next incident (%1)"),
                      QKeySequence(Qt::ALT | Qt::Key_Right), this))
    , m_badge(new QLabel(tr("RECORDED"), this))
    , m_time(new QLabel(this))
    , m_goTo(new QLineEdit(this))
    , m_notice(new ElidedLabel(this, Qt::ElideRight))
    , m_from(new MutedLabel({}, this))
    , m_to(new MutedLabel({}, this))
    , m_slider(new TimeSlider(this))
    , m_incidents(new QToolButton(this))
    , m_menu(new QMenu(this))
{
    m_badge->setFont(headingFont());
    m_badge->setToolTip(tr("A moment of a recording: nothing here is live, and nothing can be released or ended"));
    m_time->setFont(headingFont());
    m_time->setTextFormat(Qt::PlainText);
    m_slider->setAccessibleName(tr("Moment of the recording"));
    m_slider->setToolTip(tr("Move through the time of the recording"));
    m_goTo->setPlaceholderText(tr("Go to, such as 03:12"));
    m_goTo->setAccessibleName(tr("Go to a time"));
    m_goTo->setToolTip(tr("A time of the recording: 03:12, 03:12:30 or 2026-11-26 03:12"));
    m_goTo->setMinimumWidth(m_goTo->fontMetrics().horizontalAdvance(u"2026-11-26 03:12:30"_s) + 4 * kSpace);
    m_incidents->setMenu(m_menu);
    m_incidents->setPopupMode(QToolButton::InstantPopup);
    m_incidents->setAutoRaise(true);
    m_incidents->setToolTip(tr("Queues, deadlocks and alarms of the recording"));
    layOut();
    connect(m_slider, &QSlider::valueChanged, this, [this](int value) { showAt(timeOf(value)); });
    connect(m_goTo, &QLineEdit::returnPressed, this, &ReplayBar::goTo);
    connect(m_goTo, &QLineEdit::textEdited, this, [this] {
        m_said.clear();
        showText();
    });
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

/// The slider has a line of its own: what is said beside the moment must not move it under the mouse.
void ReplayBar::layOut()
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kSpaceSection, kSpaceInGroup, kSpaceSection, kSpaceInGroup);
    column->setSpacing(kSpaceInGroup);
    auto *said = new QHBoxLayout;
    said->setSpacing(kSpace);
    said->addWidget(m_badge);
    said->addWidget(m_time);
    said->addWidget(m_notice, 1);
    said->addWidget(m_goTo);
    said->addWidget(makeButton(m_previous, Qt::LeftArrow, this));
    said->addWidget(m_incidents);
    said->addWidget(makeButton(m_next, Qt::RightArrow, this));
    auto *way = new QHBoxLayout;
    way->setSpacing(kSpace);
    way->addWidget(m_from);
    way->addWidget(m_slider, 1);
    way->addWidget(m_to);
    column->addLayout(said);
    column->addLayout(way);
}

QSlider *ReplayBar::slider() const
{
    return m_slider;
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
    m_goTo->clear();
    m_said.clear();
    for (QLabel *label : QList<QLabel *>{m_notice, m_from, m_to})
        label->clear();
    for (QWidget *part : QList<QWidget *>{m_goTo, m_slider, m_incidents})
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
    m_goTo->setEnabled(true);
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
        connect(action, &QAction::triggered, this, [this, incident = m_found[i]] { choose(incident); });
    }
    m_incidents->setText(tr("%n incidents", nullptr, int(m_found.size())));
    m_incidents->setEnabled(!m_found.isEmpty());
}

ServerTime ReplayBar::timeOf(int value) const
{
    return m_info.from + (m_info.to - m_info.from) * value / std::max(1, m_slider->maximum());
}

/// To the nearest: times of values are cut to microseconds, and each must lead back to its value.
int ReplayBar::valueOf(ServerTime time) const
{
    const Microseconds length = std::max(Microseconds(1), m_info.to - m_info.from);
    return int(((time - m_info.from) * m_slider->maximum() + length / 2) / length);
}

void ReplayBar::showAt(ServerTime at)
{
    m_at = std::clamp(at, m_info.from, m_info.to);
    m_said.clear();
    const QSignalBlocker blocker(m_slider);
    m_slider->setValue(valueOf(m_at));
    m_connection->showMoment(m_at);
    const auto isBefore = [this](const Incident &one) { return one.worst < m_at; };
    const auto isAfter = [this](const Incident &one) { return one.worst > m_at; };
    m_previous->setEnabled(std::any_of(m_found.cbegin(), m_found.cend(), isBefore));
    m_next->setEnabled(std::any_of(m_found.cbegin(), m_found.cend(), isAfter));
    showText();
}

void ReplayBar::goTo()
{
    const WrittenMoment written = momentOf(m_goTo->text(), m_info, DisplayTimeZone::instance()->isUtc());
    if (written.at) {
        showAt(*written.at);
        m_goTo->clear();
    }
    if (!written.isTime)
        m_said = tr("that is no time: write 03:12 or 2026-11-26 03:12:30");
    else if (!written.at)
        m_said = tr("the recording has no such time");
    else if (*written.at < m_info.from)
        m_said = tr("the recording begins here");
    else if (*written.at > m_info.to)
        m_said = tr("the recording ends here");
    showText();
}

void ReplayBar::choose(const Incident &incident)
{
    showAt(incident.worst);
    Q_EMIT incidentChosen(incident);
}

/// Of several at one moment a deadlock, which can be pointed at.
void ReplayBar::stepTo(int direction)
{
    const Incident *nearest = nullptr;
    for (const Incident &one : std::as_const(m_found)) {
        const bool isBeyond = direction > 0 ? one.worst > m_at : one.worst < m_at;
        const bool isNearer = !nearest || (direction > 0 ? one.worst < nearest->worst : one.worst > nearest->worst);
        const bool isBeside = nearest && one.worst == nearest->worst && one.deadlock;
        if (isBeyond && (isNearer || isBeside))
            nearest = &one;
    }
    if (nearest)
        choose(Incident(*nearest));
}

void ReplayBar::onMoment(const ReplayedMomentPtr &moment)
{
    m_moment = moment;
    showText();
}

void ReplayBar::showText()
{
    m_time->setText(m_slider->isEnabled() ? shownTime(m_at) : QString());
    showEnds();
    QString notice;
    const bool isOld = m_moment && m_moment->moment.isOldAt(m_moment->wanted);
    if (!m_said.isEmpty())
        notice = m_said;
    else if (isOld)
        notice =
            tr("nothing was seen then; this is %1 older").arg(formatDuration(m_moment->wanted - m_moment->moment.at));
    else if (!m_info.damage.isEmpty())
        notice = tr("the file is not whole");
    m_notice->setFullText(notice);
    if (!m_info.damage.isEmpty())
        m_notice->setToolTip(m_info.damage);
}

/// With their days where there are several.
void ReplayBar::showEnds()
{
    if (!m_slider->isEnabled())
        return;
    const DisplayTimeZone *zone = DisplayTimeZone::instance();
    const bool isOneDay = zone->of(m_info.from).date() == zone->of(m_info.to).date();
    const QString format = isOneDay ? u"HH:mm:ss"_s : u"yyyy-MM-dd HH:mm:ss"_s;
    m_from->setText(zone->of(m_info.from).toString(format));
    m_to->setText(zone->of(m_info.to).toString(format));
}

void ReplayBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::AlternateBase));
    painter.setPen(lineColor(palette()));
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

} // namespace lockscope::ui
