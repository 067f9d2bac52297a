// SPDX-License-Identifier: MIT
#include "waitinspector.h"

#include "ui/style/theme.h"
#include "ui/text/words.h"
#include "ui/widgets/elidedlabel.h"
#include "ui/widgets/inspectorparts.h"
#include "waitwords.h"

#include <QtCore/QEvent>
#include <QtGui/QAction>
#include <QtWidgets/QGridLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

/// Of a list; the rest is in the copied text.
constexpr qsizetype kMaxEntries = 50;
constexpr int kStatementLines = 7;

} // namespace

WaitInspector::WaitInspector(const LiveClock *clock, const QList<QAction *> &actions, QWidget *parent)
    : QWidget(parent)
    , m_clock(clock)
    , m_mark(new QLabel(this))
    , m_name(new ElidedLabel(this))
    , m_nothing(makeLabel(this))
    , m_body(new QWidget(this))
{
    setMaximumWidth(forType(kInspectorMaxWidth));
    setMinimumWidth(forType(260));
    m_name->setFont(headlineFont());
    m_mark->setFont(headlineFont());
    m_nothing->setText(tr("Select a session to see its statement, what it holds and whom it blocks."));
    auto *head = new QHBoxLayout;
    head->setSpacing(kSpace);
    head->addWidget(m_mark);
    head->addWidget(m_name, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kSpaceSection, kSpaceSection, kSpaceSection, kSpaceSection);
    column->setSpacing(kSpace);
    column->addLayout(head);
    column->addWidget(m_nothing);
    auto *inner = new QVBoxLayout(m_body);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(kSpace);
    setupBody(inner);
    column->addWidget(makeScroll(m_body, this), 1);
    for (QAction *action : actions) {
        auto *button = new QPushButton(this);
        showAsButton(button, action);
        column->addWidget(button);
        m_buttons.append(button);
    }
    connect(clock, &LiveClock::ticked, this, &WaitInspector::showRunning);
    show(std::nullopt, {});
}

void WaitInspector::setupBody(QVBoxLayout *layout)
{
    m_summary = makeLabel(m_body);
    layout->addWidget(m_summary);
    QGridLayout *facts = makeFacts();
    const WaitPicturePtr nothing = WaitPicture::of(std::make_shared<ServerWaits>());
    for (const WaitFacts::Fact &fact : WaitFacts::of(*nothing, 0, {}).facts)
        m_facts.append(addFact(facts, fact.name, m_body));
    layout->addLayout(facts);
    m_statementTitle = makeTitle(m_body);
    m_statement = makeSqlBox(kStatementLines, m_body);
    m_statement->setAccessibleName(tr("Statement"));
    layout->addWidget(m_statementTitle);
    layout->addWidget(m_statement);
    m_waitsFor = addList(layout);
    m_blocks = addList(layout);
    m_holds = addList(layout);
    layout->addStretch(1);
}

WaitInspector::List WaitInspector::addList(QVBoxLayout *layout)
{
    const List list{makeTitle(m_body), makeLabel(m_body)};
    layout->addWidget(list.title);
    layout->addWidget(list.entries);
    return list;
}

void WaitInspector::showList(const List &list, const QString &title, const QStringList &entries)
{
    list.title->setVisible(!entries.isEmpty());
    list.entries->setVisible(!entries.isEmpty());
    list.title->setText(title);
    QString text = entries.mid(0, kMaxEntries).join(u'\n');
    if (entries.size() > kMaxEntries)
        text += u'\n' + tr("%n more are in the copied text.", nullptr, int(entries.size() - kMaxEntries));
    list.entries->setText(breakable(text));
}

void WaitInspector::show(std::optional<quint64> session, const WaitPicturePtr &picture)
{
    m_session = session;
    m_isGone = session && picture && !picture->nodes.contains(*session);
    if (!m_isGone)
        m_picture = picture;
    m_nothing->setVisible(!session);
    m_mark->setVisible(session.has_value());
    m_body->setVisible(session.has_value());
    for (QPushButton *button : std::as_const(m_buttons))
        button->setVisible(session.has_value());
    if (!session) {
        m_name->setFullText(tr("No session selected"));
        return;
    }
    showMark();
    showAll();
}

void WaitInspector::showMark()
{
    if (!m_session || !m_picture)
        return;
    const WaitNode *node = m_picture->node(*m_session);
    const Mark mark = m_isGone || !node ? Mark::Released : WaitWords::mark(*m_picture, *node);
    setMark(m_mark, markIcon(mark));
}

void WaitInspector::showAll()
{
    if (!m_session || !m_picture)
        return;
    const WaitFacts facts = WaitFacts::of(*m_picture, *m_session, m_clock->now());
    m_name->setFullText(facts.title);
    showNow(facts);
    m_statementTitle->setText(facts.statementTitle);
    m_statement->setVisible(!facts.statement.isEmpty());
    if (m_statement->toPlainText() != facts.statement)
        m_statement->setPlainText(facts.statement); // else what is selected in it stays selected
    showList(m_waitsFor, WaitFacts::waitsForTitle(), facts.waitsFor);
    showList(m_blocks, WaitFacts::blocksTitle(facts.blocks.size()), facts.blocks);
    showList(m_holds, facts.holdsTitle(), facts.holds);
}

void WaitInspector::showRunning()
{
    if (m_session && m_picture && isVisible() && !m_isGone)
        showNow(WaitFacts::running(*m_picture, *m_session, m_clock->now()));
}

void WaitInspector::showNow(const WaitFacts &running)
{
    m_summary->setText(m_isGone ? tr("It neither waits nor blocks any more. Below is how it was when last seen.")
                                : running.summary);
    for (int i = 0; i < m_facts.size(); ++i)
        m_facts[i]->setText(breakable(running.facts[i].value));
}

QString WaitInspector::text() const
{
    return m_session && m_picture ? WaitFacts::of(*m_picture, *m_session, m_clock->now()).toText() : QString();
}

void WaitInspector::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showMark(); // a picture in the old colours
}

} // namespace lockscope::ui
