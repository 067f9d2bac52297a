// SPDX-License-Identifier: MIT
#include "waitinspector.h"

#include "lessons/lessonlibrary.h"
#include "ui/text/linktext.h"
#include "ui/widgets/elidedlabel.h"
#include "ui/widgets/linklabel.h"
#include "waits/waitshape.h"
#include "waittext.h"

#include <QtWidgets/QGridLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

/// Of a list; the rest is in the copied text.
constexpr qsizetype kMaxEntries = 50;

bool isKnown(const WaitPicture &picture, quint64 session)
{
    const PreparedTransaction *prepared = picture.waits->preparedTransaction(session);
    return picture.waits->session(session) || (prepared && !prepared->xids.isEmpty()); // its name goes first
}

/// False: that nobody is in the list says nothing.
bool areSessionsRead(const ServerWaits &waits)
{
    return std::none_of(waits.sources.cbegin(), waits.sources.cend(), [](const SourceStatus &status) {
        return status.source == WaitSource::Sessions && status.state == SourceStatus::State::Failed;
    });
}

} // namespace

WaitInspector::WaitInspector(const LiveClock *clock, const QList<QAction *> &actions, QWidget *parent)
    : Inspector(tr("Select a session to see its statement, what it holds and whom it blocks."), parent)
    , m_clock(clock)
    , m_lesson(new LinkLabel(m_body))
{
    m_sections->addWidget(m_lesson);
    connect(m_lesson, &LinkLabel::chosen, this, &WaitInspector::lessonRequested);
    QGridLayout *facts = addFacts();
    const WaitPicturePtr nothing = WaitPicture::of(std::make_shared<ServerWaits>());
    for (const WaitFacts::Fact &fact : WaitFacts::of(*nothing, 0, {}).facts)
        m_facts.append(addFact(facts, fact.name));
    m_statementTitle = addTitle();
    m_statement = addSql(tr("Statement"));
    m_history = addList();
    m_waitsFor = addList();
    m_blocks = addList();
    m_queue = addList();
    m_holds = addList();
    addButtons(actions);
    connect(clock, &LiveClock::ticked, this, &WaitInspector::showRunning);
    show(std::nullopt, {});
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
    const bool wasKnown = session && session == m_session && m_picture && isKnown(*m_picture, *session);
    const bool isLost = wasKnown && picture && !isKnown(*picture, *session) && areSessionsRead(*picture->waits);
    m_session = session;
    // One list may have it still when it is gone from the next.
    m_isGone = session && picture && (isLost || !picture->nodes.contains(*session));
    if (!m_isGone)
        m_picture = picture;
    setShown(session.has_value());
    if (!session) {
        setChosen(0);
        return;
    }
    showMark();
    showAll();
}

void WaitInspector::setChosen(int sessions)
{
    if (m_session)
        return;
    m_name->setFullText(sessions > 0 ? tr("%n session(s) selected", nullptr, sessions) : tr("No session selected"));
    m_buttons.last()->setVisible(sessions > 0);
}

void WaitInspector::showMark()
{
    if (!m_session || !m_picture)
        return;
    const WaitNode *node = m_picture->node(*m_session);
    setMark(m_isGone || !node ? Mark::Released : WaitText::mark(*m_picture, *node));
}

void WaitInspector::showAll()
{
    if (!m_session || !m_picture)
        return;
    const WaitFacts facts = WaitFacts::of(*m_picture, *m_session, m_clock->now());
    m_name->setFullText(facts.title);
    showNow(facts);
    showLesson();
    m_statementTitle->setText(facts.statementTitle);
    m_statementTitle->setVisible(!facts.statementTitle.isEmpty());
    m_statement->setVisible(!facts.statement.isEmpty());
    if (m_statement->toPlainText() != facts.statement)
        m_statement->setPlainText(facts.statement); // else what is selected in it stays selected
    showList(m_history, WaitFacts::historyTitle(), facts.history);
    showList(m_waitsFor, WaitFacts::waitsForTitle(), facts.waitsFor);
    showList(m_blocks, WaitFacts::blocksTitle(facts.blocks.size()), facts.blocks);
    showList(m_queue, WaitFacts::queueTitle(facts.queue.size()), facts.queue);
    showList(m_holds, facts.holdsTitle(), facts.holds);
}

void WaitInspector::showLesson()
{
    QList<LinkLabel::Link> lessons;
    if (const auto shape = shapeOf(*m_picture->waits, m_picture->graph, *m_session)) {
        const LessonTitle first = lessonsOfShape(*shape, LinkText::lessonLanguage()).value(0);
        lessons.append({first.title, first.id});
    }
    m_lesson->setLinks(tr("Lesson: %1", "the title of a lesson"), lessons);
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
        showFact(m_facts[i], running.facts[i].value);
}

QString WaitInspector::text() const
{
    return m_session && m_picture ? WaitFacts::of(*m_picture, *m_session, m_clock->now()).toText() : QString();
}

} // namespace lockscope::ui
