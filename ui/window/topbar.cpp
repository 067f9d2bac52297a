// SPDX-License-Identifier: MIT
#include "topbar.h"

#include "commandpalette.h"

#include "console/duration.h"
#include "ui/server/furtherservers.h"
#include "ui/server/serverconnection.h"
#include "ui/style/paletteicon.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"

#include <QtGui/QActionGroup>
#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QMenu>
#include <QtWidgets/QToolButton>

#include <array>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int kIconSide = 16;
constexpr int kStripe = 3; ///< of the server's colour
constexpr std::array<std::chrono::milliseconds, 6> kIntervals{200ms, 500ms, 1000ms, 2000ms, 5000ms, 30000ms};

QString intervalText(std::chrono::milliseconds interval)
{
    return interval < 1s ? TopBar::tr("%1 ms").arg(interval.count()) : TopBar::tr("%1 s").arg(interval.count() / 1000);
}

QSize iconSize()
{
    return {forType(kIconSide), forType(kIconSide)};
}

QToolButton *makeButton(QAction *action, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setAutoRaise(true);
    button->setIconSize(iconSize());
    return button;
}

} // namespace

TopBar::TopBar(ServerConnection *connection, const Actions &actions, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_connectTo(actions.connectTo)
    , m_server(new QToolButton(this))
    , m_mode(new QToolButton(this))
    , m_pause(makeButton(actions.pause, this))
    , m_interval(new QToolButton(this))
    , m_servers(new QMenu(tr("&Server"), this))
    , m_add(new QMenu(tr("Add to this &list"), this))
    , m_intervals(new QMenu(tr("P&oll interval"), this))
{
    m_server->setIconSize(iconSize());
    m_server->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_server->setPopupMode(QToolButton::InstantPopup);
    m_server->setMenu(m_servers);
    m_server->setAutoRaise(true);
    m_server->setFont(headingFont());
    m_server->setToolTip(tr("Which server this window looks at"));
    m_mode->setAutoRaise(true);
    connect(m_mode, &QToolButton::clicked, this, &TopBar::onModeClicked);
    setupIntervals();

    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(kSpace, kSpaceInGroup, kSpace, kSpaceInGroup + kStripe);
    row->setSpacing(kSpace);
    row->addWidget(m_server);
    row->addWidget(m_mode);
    row->addStretch(1);
    row->addWidget(makeButton(actions.palette, this));
    row->addStretch(1);
    row->addWidget(m_pause);
    row->addWidget(m_interval);
    connect(connection, &ServerConnection::opened, this, &TopBar::showServer);
    connect(connection, &ServerConnection::modeChanged, this, &TopBar::showMode);
    connect(connection->clock(), &LiveClock::ticked, this, &TopBar::showMode);
    showServer();
    showMode();
}

void TopBar::setupIntervals()
{
    auto *group = new QActionGroup(this);
    for (const auto interval : kIntervals) {
        QAction *action = m_intervals->addAction(intervalText(interval));
        action->setCheckable(true);
        action->setChecked(interval == m_connection->interval());
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, interval] {
            m_connection->setInterval(interval);
            m_interval->setText(intervalText(interval));
        });
    }
    m_interval->setMenu(m_intervals);
    m_interval->setPopupMode(QToolButton::InstantPopup);
    m_interval->setAutoRaise(true);
    m_interval->setText(intervalText(m_connection->interval()));
    m_interval->setToolTip(tr("How often the server is asked"));
}

void TopBar::setProfiles(const QList<ServerProfile> &profiles)
{
    m_servers->clear();
    for (const ServerProfile &profile : profiles) {
        const QString name = CommonText::onButton(profile.fullName());
        QAction *action = m_servers->addAction(Tints::icon(profile.tint),
                                               isTaggedAsProduction(profile) ? tr("%1 (production)").arg(name) : name);
        CommandPalette::addWords(action, tr("server, connect to"));
        connect(action, &QAction::triggered, this, [this, profile] { Q_EMIT serverChosen(profile); });
    }
    m_servers->addSeparator();
    m_servers->addAction(m_connectTo);
    m_servers->addMenu(m_add);
    fillAdd(profiles);
}

/// Those that are in the list already are not offered; the private server has a window to itself.
void TopBar::fillAdd(const QList<ServerProfile> &profiles)
{
    m_add->clear();
    for (const ServerProfile &profile : profiles) {
        if (profile.isPrivate || profile.isAt(m_connection->profile()) || m_connection->further()->has(profile))
            continue;
        QAction *action = m_add->addAction(Tints::icon(profile.tint), CommonText::onButton(profile.fullName()));
        CommandPalette::addWords(action, tr("server, add, beside, list"));
        connect(action, &QAction::triggered, this, [this, profile] { Q_EMIT serverAdded(profile); });
    }
    if (!m_add->isEmpty())
        m_add->addSeparator();
    connect(m_add->addAction(tr("Another server…")), &QAction::triggered, this,
            [this] { Q_EMIT serverAdded(ServerProfile()); });
    m_add->menuAction()->setEnabled(!m_connection->isRecorded());
}

void TopBar::showServer()
{
    const ServerProfile &profile = m_connection->profile();
    const QString name = profile.name.isEmpty() ? tr("No server") : profile.fullName();
    m_server->setIcon(profile.tint == Tint::None ? svgIcon(u"server"_s) : Tints::icon(profile.tint));
    m_server->setText(CommonText::onButton(fontMetrics().elidedText(name, Qt::ElideMiddle, 260)));
    m_server->setAccessibleName(tr("Server %1").arg(name));
    for (QToolButton *ofPolls : {m_mode, m_pause, m_interval})
        ofPolls->setVisible(!m_connection->isRecorded());
    showMode();
    update(); // the stripe
}

QString TopBar::modeText() const
{
    QString text = tr("READ-ONLY");
    if (m_connection->isOperatorStarted()) {
        const int all = int(m_connection->guardedServers().size());
        const int named = int(serversThat(true).size());
        text = named < all ? tr("OPERATOR on %1 of %2").arg(named).arg(all) : tr("OPERATOR");
        if (const auto left = m_connection->operatorTimeLeft())
            text += u' ' + formatDuration(*left);
    }
    if (m_connection->profile().isPrivate)
        text = m_connection->hasOperatorMode() ? tr("PRIVATE · others %1").arg(text) : tr("PRIVATE");
    return m_connection->profile().isGuarded() ? tr("PRODUCTION · %1").arg(text) : text;
}

/// Of those that want operator mode, which are in it or not.
QStringList TopBar::serversThat(bool mayBeChanged) const
{
    const ServerNames names = m_connection->further()->names();
    QStringList found;
    for (const int number : m_connection->guardedServers()) {
        if (m_connection->isOperatorOf(number) == mayBeChanged)
            found += names.value(number, m_connection->profile().name);
    }
    return found;
}

QString TopBar::modeTip() const
{
    const bool isAlone = m_connection->further()->isEmpty();
    const QString changed = serversThat(true).join(u", ");
    const QString kept = serversThat(false).join(u", ");
    if (!m_connection->hasOperatorMode())
        return tr("Lockscope's own server: try anything here");
    if (!m_connection->isOperatorStarted())
        return isAlone ? tr("Nothing is changed on this server. Click to start operator mode.")
                       : tr("Nothing is changed on %1. Click to start operator mode.").arg(kept);
    if (isAlone)
        return tr("Locks may be released and connections ended. Click to go back to read-only.");
    if (kept.isEmpty())
        return tr("Locks may be released and connections ended on %1. Click to go back to read-only.").arg(changed);
    return tr("Locks may be released and connections ended on %1. Nothing is changed on %2: click to be asked for all.")
        .arg(changed, kept);
}

void TopBar::showMode()
{
    const QString text = modeText();
    const QString tip = CommonText::tip(modeTip());
    m_mode->setEnabled(m_connection->hasOperatorMode());
    if (text == m_mode->text() && tip == m_mode->toolTip())
        return;
    m_mode->setText(text);
    m_mode->setToolTip(tip);
    QPalette colors = palette();
    if (m_connection->isOperatorStarted() || m_connection->profile().isGuarded())
        colors.setColor(QPalette::ButtonText, markColor(Mark::Orphan, palette()));
    m_mode->setPalette(colors);
}

void TopBar::onModeClicked()
{
    if (m_connection->isOperatorOfAll())
        Q_EMIT readOnlyRequested();
    else
        Q_EMIT operatorModeRequested();
}

void TopBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(lineColor(palette()));
    painter.drawLine(0, height() - 1, width(), height() - 1);
    if (const Tint tint = m_connection->profile().tint; tint != Tint::None)
        painter.fillRect(0, height() - kStripe, width(), kStripe, Tints::color(tint, palette()));
}

} // namespace lockscope::ui
