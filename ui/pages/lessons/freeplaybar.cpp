// SPDX-License-Identifier: MIT
#include "freeplaybar.h"

#include "lessonplayback.h"
#include "lessontext.h"
#include "ui/style/theme.h"
#include "ui/widgets/inspectorparts.h"

#include <QtWidgets/QComboBox>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>
#include <QtWidgets/QPushButton>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

FreePlayBar::FreePlayBar(LessonPlayback *playback, QWidget *parent)
    : QFrame(parent)
    , m_play(playback)
    , m_goals(makeLabel(this))
    , m_turnRow(new QHBoxLayout)
    , m_faults(new QMenu(this))
    , m_fault(new QPushButton(tr("A fault"), this))
    , m_keep(new QPushButton(tr("Keep as a lesson…"), this))
    , m_session(new QComboBox(this))
    , m_statement(new QLineEdit(this))
    , m_run(new QPushButton(tr("Run"), this))
{
    setFrameShape(QFrame::StyledPanel);
    m_turnRow->setSpacing(kSpace);
    m_turnRow->addWidget(new QLabel(tr("Whose turn:"), this));
    m_turnRow->addStretch(1);
    m_fault->setMenu(m_faults);
    m_fault->setToolTip(tr("What may befall a session"));
    m_turnRow->addWidget(m_fault);
    m_keep->setToolTip(tr("Saves what was played, in your order, as the file of a lesson to edit and to play again"));
    connect(m_keep, &QPushButton::clicked, this, &FreePlayBar::keepRequested);
    m_turnRow->addWidget(m_keep);
    connect(m_faults, &QMenu::aboutToShow, this, &FreePlayBar::fillFaults);
    m_session->setToolTip(tr("The session that runs the statement"));
    m_session->setAccessibleName(tr("Session of your statement"));
    m_statement->setPlaceholderText(tr("What if …? A statement of your own"));
    m_statement->setAccessibleName(tr("A statement of your own"));
    m_statement->setFont(fixedFont());
    connect(m_statement, &QLineEdit::returnPressed, this, &FreePlayBar::runStatement);
    connect(m_run, &QPushButton::clicked, this, &FreePlayBar::runStatement);
    auto *own = new QHBoxLayout;
    own->setSpacing(kSpace);
    own->addWidget(m_session);
    own->addWidget(m_statement, 1);
    own->addWidget(m_run);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kSpace, kSpace, kSpace, kSpace);
    column->setSpacing(kSpaceInGroup);
    column->addWidget(m_goals);
    column->addLayout(m_turnRow);
    column->addLayout(own);
    connect(m_play, &LessonPlayback::changed, this, &FreePlayBar::showTurns);
    connect(m_play, &LessonPlayback::changed, this, &FreePlayBar::lookAtGoals);
    connect(m_play, &LessonPlayback::checked, this, [this](std::optional<bool> isOne) {
        if (isOne == true)
            reach(m_asked);
        askFrom(m_asked + 1);
    });
    showTurns();
}

/// One of its own beside those of the lesson: a look from outside.
void FreePlayBar::makeTurns()
{
    qDeleteAll(m_turns);
    m_turns.clear();
    m_session->clear();
    m_reached.clear();
    m_lookedAfter = 0;
    m_lessonShown = m_play->lesson().id;
    const QStringList sessions = m_play->lesson().sessions();
    for (const QString &session : sessions) {
        auto *button = new QPushButton(session, this);
        const int number = int(m_turns.size()) + 1;
        if (number <= 9)
            button->setShortcut(QKeyCombination(Qt::AltModifier, Qt::Key(Qt::Key_0 + number)));
        connect(button, &QPushButton::clicked, this, [this, session] { m_play->turn(session); });
        m_turnRow->insertWidget(number, button);
        m_turns.append(button);
        m_session->addItem(session);
    }
    char other = 'A';
    while (sessions.contains(QChar::fromLatin1(other)))
        ++other;
    m_session->addItem(QString(QChar::fromLatin1(other)));
    m_statement->clear();
    showGoals();
}

void FreePlayBar::showTurns()
{
    if (m_lessonShown != m_play->lesson().id || m_session->count() == 0)
        makeTurns();
    const QStringList stuck = m_play->steps()->stuck();
    const bool isBusy = m_play->isBusy();
    for (QPushButton *button : std::as_const(m_turns)) {
        const QString session = m_session->itemText(int(m_turns.indexOf(button)));
        const LessonStep *next = m_play->steps()->script().nextOf(session);
        m_focus.setEnabled(button, !isBusy && next != nullptr && !stuck.contains(session));
        button->setToolTip(stuck.contains(session) ? tr("%1 waits, or stands still").arg(session)
                               : next              ? LessonText::step(*next)
                                                   : tr("The lesson has no more statements of %1").arg(session));
    }
    m_focus.setEnabled(m_fault, !isBusy);
    m_focus.setEnabled(m_run, !isBusy);
    m_keep->setEnabled(!isBusy && m_play->playedCount() > 0);
}

void FreePlayBar::fillFaults()
{
    using Kind = LessonStep::Kind;
    m_faults->clear();
    const QList<LessonMoment> &moments = m_play->steps()->moments();
    const QStringList frozen = moments.isEmpty() ? QStringList() : moments.constLast().frozen;
    for (const QString &session : m_play->steps()->sessions()) {
        addFault(session, Kind::Disconnect);
        addFault(session, Kind::Kill);
        addFault(session, Kind::CutOff);
        addFault(session, frozen.contains(session) ? Kind::Thaw : Kind::Freeze);
        m_faults->addSeparator();
    }
    LessonStep second;
    second.kind = Kind::Pause;
    second.pause = std::chrono::seconds(1);
    m_faults->addAction(LessonText::step(second), this, [this, second] { m_play->add(second); });
}

void FreePlayBar::addFault(const QString &session, LessonStep::Kind kind)
{
    LessonStep step;
    step.kind = kind;
    step.session = session;
    m_faults->addAction(LessonText::step(step), this, [this, step] { m_play->add(step); });
}

void FreePlayBar::runStatement()
{
    const QString sql = withoutEnd(m_statement->text());
    const QString session = m_session->currentText();
    if (sql.isEmpty() || m_play->isBusy() || m_play->steps()->stuck().contains(session))
        return;
    LessonStep step;
    step.session = session;
    step.sql = sql;
    m_statement->clear();
    m_play->add(step);
}

/// After each step, once; a query can be asked when the step is over.
void FreePlayBar::lookAtGoals()
{
    if (m_play->isBusy() || m_lookedAfter == m_play->playedCount())
        return;
    m_lookedAfter = m_play->playedCount();
    if (!isVisible())
        return; // the lesson itself is no feat
    QList<LessonOutcome> seen;
    for (const LessonMoment &moment : m_play->steps()->moments())
        seen += moment.result.outcome;
    const QList<LessonGoal> &goals = m_play->lesson().goals;
    for (qsizetype i = 0; i < goals.size(); ++i) {
        if (m_lookedAfter > 0 && isReached(goals.at(i), seen, m_play->isAllPlayed()))
            reach(i);
    }
    if (m_lookedAfter > 0 && m_play->isAllPlayed())
        askFrom(0);
}

void FreePlayBar::askFrom(qsizetype goal)
{
    const QList<LessonGoal> &goals = m_play->lesson().goals;
    while (goal < goals.size() && (m_reached.contains(goal) || goals.at(goal).check.isEmpty()))
        ++goal;
    if (goal == goals.size())
        return;
    m_asked = goal;
    m_play->check(goals.at(goal).check);
}

void FreePlayBar::reach(qsizetype goal)
{
    if (!m_reached.contains(goal))
        m_reached.insert(goal, m_play->playedCount());
    showGoals();
}

void FreePlayBar::showGoals()
{
    QStringList lines;
    const QList<LessonGoal> &goals = m_play->lesson().goals;
    for (qsizetype i = 0; i < goals.size(); ++i) {
        const int fewest = int(goals.at(i).order.size());
        const int steps = int(m_reached.value(i));
        QString state;
        if (steps == 0)
            state = tr("%1 steps are enough.").arg(fewest);
        else if (steps <= fewest)
            state = tr("Reached in %1 steps: nobody knows a shorter way.").arg(steps);
        else
            state = tr("Reached in %1 steps; %2 are enough.").arg(steps).arg(fewest);
        lines += (steps > 0 ? u"✔ "_s : u"○ "_s) + goals.at(i).text + u' ' + state;
    }
    m_goals->setText(lines.join(u'\n'));
    m_goals->setVisible(!lines.isEmpty());
}

QString FreePlayBar::goals() const
{
    return m_goals->text();
}

} // namespace lockscope::ui
