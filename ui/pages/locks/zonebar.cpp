// SPDX-License-Identifier: MIT
#include "zonebar.h"

#include "ui/server/serverconnection.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"

#include <QtCore/QTimeZone>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QCompleter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

/// Those that a person is likely to mean come first.
QStringList zoneNames()
{
    QStringList names{u"UTC"_s};
    const QString here = QString::fromUtf8(QTimeZone::systemTimeZoneId());
    if (here != names.first() && applicationZone(here).isValid())
        names += here;
    for (const QByteArray &id : QTimeZone::availableTimeZoneIds()) {
        if (id.contains('/'))
            names += QString::fromUtf8(id);
    }
    return names;
}

} // namespace

ZoneBar::ZoneBar(ServerConnection *connection, QWidget *parent)
    : QFrame(parent)
    , m_connection(connection)
    , m_question(new QLabel(this))
    , m_zones(new QComboBox(this))
    , m_use(new QPushButton(tr("Use"), this))
    , m_later(new QPushButton(tr("Not now"), this))
{
    m_question->setTextFormat(Qt::PlainText);
    m_question->setWordWrap(true);
    m_zones->setEditable(true);
    m_zones->setInsertPolicy(QComboBox::NoInsert);
    m_zones->setAccessibleName(tr("Time zone"));
    m_zones->lineEdit()->setPlaceholderText(tr("Europe/Berlin, +02:00"));
    m_zones->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_zones->completer()->setFilterMode(Qt::MatchContains);
    m_zones->setMinimumContentsLength(22);
    m_later->setToolTip(tr("Its times stay unknown; you are asked again by the next window"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(kSpaceSection, kSpace, kSpaceSection, kSpace);
    row->setSpacing(kSpace);
    row->addWidget(m_question, 1);
    row->addWidget(m_zones);
    row->addWidget(m_use);
    row->addWidget(m_later);
    connect(m_zones, &QComboBox::editTextChanged, this,
            [this](const QString &text) { m_use->setEnabled(applicationZone(text.trimmed()).isValid()); });
    connect(m_use, &QPushButton::clicked, this, &ZoneBar::use);
    connect(m_later, &QPushButton::clicked, this, &ZoneBar::putOff);
    connect(connection, &ServerConnection::opened, this, &ZoneBar::hide);
    connection->follow(&TablesFeed::updated, this, [this](const TableLocksPtr &tables) { onTables(*tables); });
    hide();
}

/// What may be any program's is asked for nobody. The question stays while it is asked.
void ZoneBar::onTables(const TableLocks &tables)
{
    const auto needs = [](const TableLock &lock) { return lock.needsZone && !lock.table.isLookAlike; };
    const auto isOpen = [this](const TableLock &lock) { return !m_over.contains(lock.table.profile.id); };
    const auto isAsked = [this](const TableLock &lock) { return lock.table.profile.id == m_asked; };
    QList<TableLock> open;
    for (const TableLock &lock : tables.locks) {
        if (needs(lock) && isOpen(lock))
            open.append(lock);
    }
    if (open.isEmpty() || m_connection->isRecorded()) // what is told now changes nothing of then
        hide();
    else if (isHidden() || std::none_of(open.cbegin(), open.cend(), isAsked))
        ask(open.first().table.profile);
}

void ZoneBar::ask(const TableProfile &profile)
{
    m_asked = profile.id;
    m_question->setText(
        tr("In which time zone are %1's connections to the database? Its table does not say, and without "
           "it Lockscope cannot tell since when its locks are held, or until when.")
            .arg(CommonText::resource(profile.title.toUtf8())));
    if (m_zones->count() == 0)
        m_zones->addItems(zoneNames());
    m_zones->setCurrentIndex(-1); // none is likelier than the others
    m_zones->clearEditText();
    m_use->setEnabled(false);
    show();
}

void ZoneBar::use()
{
    if (!setApplicationZone(m_asked, m_zones->currentText().trimmed())) {
        m_question->setText(tr("The time zone could not be kept: the settings cannot be written."));
        return;
    }
    putOff();
    m_connection->call(&TablesFeed::refresh);
}

void ZoneBar::putOff()
{
    m_over.insert(m_asked);
    hide();
    Q_EMIT answered();
}

} // namespace lockscope::ui
