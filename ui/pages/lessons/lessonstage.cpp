// SPDX-License-Identifier: MIT
#include "lessonstage.h"

#include "besidechooser.h"
#include "freeplaybar.h"
#include "lessonautoplay.h"
#include "lessoncomparebox.h"
#include "lessonexercisebox.h"
#include "lessonlanes.h"
#include "lessonmomentbox.h"
#include "lessonprose.h"
#include "lessonquestion.h"
#include "lessontext.h"
#include "lessontimeline.h"
#include "ui/style/theme.h"
#include "ui/text/linktext.h"
#include "ui/widgets/inspectorparts.h"
#include "ui/widgets/linklabel.h"

#include <QtCore/QTimer>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QTabWidget>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

LessonStage::LessonStage(std::function<FindServer()> findServer, QWidget *atTheTop, QWidget *parent)
    : QWidget(parent)
    , m_play(new LessonPlayback(findServer, this))
    , m_title(makeLabel(this))
    , m_scenarios(new LinkLabel(this))
    , m_prose(new LessonProse(this))
    , m_transport(new LessonTransport(this))
    , m_free(new FreePlayBar(m_play, this))
    , m_exercise(new LessonExerciseBox(findServer, this))
    , m_comparison(new LessonCompareBox(findServer, this))
    , m_isolation(new QComboBox(this))
    , m_state(makeLabel(this))
    , m_lanes(new LessonLanes(steps(), this))
    , m_question(new LessonQuestionBox(this))
    , m_timeline(new LessonTimeline(this))
    , m_moment(new LessonMomentBox(this))
{
    layOut(atTheTop);
    connectPlayer();
    connectTransport();
    connect(m_prose, &LessonProse::lessonRequested, this, &LessonStage::lessonRequested);
    connect(m_scenarios, &LinkLabel::chosen, this, &LessonStage::scenarioRequested);
    showState();
}

/// Its sessions end before anything that they are shown by.
LessonStage::~LessonStage()
{
    delete m_play;
    delete m_exercise;
    delete m_comparison;
}

void LessonStage::connectTransport()
{
    m_isolation->setToolTip(tr("The isolation level of the sessions"));
    m_isolation->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(m_transport, &LessonTransport::nextWanted, this, &LessonStage::next);
    connect(m_transport, &LessonTransport::backWanted, this, &LessonStage::back);
    connect(m_transport, &LessonTransport::startOverWanted, this, [this] { playTo(0); });
    connect(m_transport->freeButton(), &QPushButton::toggled, m_free, &QWidget::setVisible);
    connect(m_transport->exerciseButton(), &QPushButton::toggled, m_exercise, &QWidget::setVisible);
    connect(m_free, &FreePlayBar::keepRequested, this, &LessonStage::keepRequested);
    m_free->hide();
    m_exercise->hide();
    connect(m_isolation, &QComboBox::activated, this, [this] {
        m_play->setIsolation(LessonIsolation(m_isolation->currentData().toInt()));
        playTo(0);
    });
}

/// The same twice: in words, and as a picture that is a slider too.
QWidget *LessonStage::makeSteps()
{
    auto *picture = new QScrollArea(this);
    picture->setWidget(m_timeline);
    picture->setWidgetResizable(true);
    picture->setFrameShape(QFrame::NoFrame);
    connect(m_timeline, &LessonTimeline::positionChanged, picture, [this, picture] {
        const QRect step = m_timeline->stepRect(m_timeline->position());
        picture->ensureVisible(step.center().x(), step.center().y(), step.width(), step.height());
    });
    connect(m_timeline, &LessonTimeline::lookedAt, this, &LessonStage::showMoment);
    connect(m_timeline, &LessonTimeline::runTo, this, &LessonStage::playOnTo);
    connect(m_lanes, &QAbstractItemView::clicked, this, [this](const QModelIndex &step) {
        if (step.row() < m_play->playedCount())
            m_timeline->moveTo(step.row());
    });
    auto *tabs = new QTabWidget(this);
    tabs->setDocumentMode(true);
    tabs->addTab(m_lanes, tr("Statements"));
    tabs->addTab(picture, tr("Time line"));
    tabs->addTab(m_comparison, tr("Side by side"));
    // Ends with what is shown: the tabs go one by one after it, see the destructor.
    connect(tabs, &QTabWidget::currentChanged, m_play, [this] { showState(); });
    return tabs;
}

/// Below each other: what the lesson says, its steps, what is locked.
QWidget *LessonStage::makeParts()
{
    auto *parts = new QSplitter(Qt::Vertical, this);
    parts->addWidget(m_prose);
    parts->addWidget(makeSteps());
    parts->addWidget(m_moment);
    parts->setStretchFactor(0, 1);
    parts->setStretchFactor(1, 4);
    parts->setStretchFactor(2, 2);
    parts->setChildrenCollapsible(false);
    parts->setSizes({forType(90), forType(300), forType(180)});
    return parts;
}

void LessonStage::layOut(QWidget *atTheTop)
{
    m_title->setFont(headlineFont());
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kSpace, kSpace, kSpaceSection, kSpace);
    column->setSpacing(kSpace);
    column->addWidget(m_title);
    auto *state = new QHBoxLayout; // what is played, and of what
    state->setSpacing(kSpaceSection);
    state->addWidget(m_state, 1);
    if (!isLargeType())
        state->addWidget(m_scenarios, 1);
    state->addWidget(m_isolation);
    state->addWidget(atTheTop);
    column->addLayout(state);
    if (isLargeType()) // too long to stand beside anything
        column->addWidget(m_scenarios);
    column->addWidget(makeParts(), 1);
    column->addWidget(m_question);
    column->addWidget(m_free);
    column->addWidget(m_exercise);
    column->addWidget(m_transport);
}

void LessonStage::connectPlayer()
{
    connect(m_play, &LessonPlayback::begun, this, &LessonStage::onBegun);
    connect(m_play, &LessonPlayback::played, this, &LessonStage::onPlayed);
    connect(m_play, &LessonPlayback::failed, this, &LessonStage::onFailed);
    connect(m_play, &LessonPlayback::leftBehind, this, &LessonStage::leftBehind);
    connect(m_exercise, &LessonExerciseBox::leftBehind, this, &LessonStage::leftBehind);
    connect(m_comparison, &LessonCompareBox::leftBehind, this, &LessonStage::leftBehind);
    connect(m_play, &LessonPlayback::changed, this, &LessonStage::showState);
    connect(m_play, &LessonPlayback::changed, this, &LessonStage::playOn);
    auto *seconds = new QTimer(this);
    connect(seconds, &QTimer::timeout, steps(), &LessonStepModel::tick);
    seconds->start(std::chrono::seconds(1));
    connect(m_question, &LessonQuestionBox::answered, this, &LessonStage::onAnswered);
}

/// After a wrong answer nothing goes on by itself: why it is wrong is to be read first.
void LessonStage::onAnswered(bool isRight)
{
    m_answeredFor = m_play->playedCount();
    Q_EMIT answered();
    if (!isRight)
        stopGoingOn();
    showState();
    showNextStep();
    m_transport->nextButton()->setFocus();
    playOn();
}

QString LessonStage::state() const
{
    return m_state->text();
}

void LessonStage::stopGoingOn()
{
    m_wanted = 0;
    m_transport->autoPlay()->stop();
}

void LessonStage::clear()
{
    stopGoingOn();
    m_key.clear();
    m_play->setLesson({});
    m_question->clear();
    showTimeline();
}

void LessonStage::setLesson(const Lesson &lesson, const QString &key)
{
    stopGoingOn();
    m_key = key;
    m_answeredFor = -1;
    m_play->setLesson(lesson);
    m_title->setText(lesson.title);
    showLinks();
    m_isolation->clear();
    for (const LessonIsolation isolation : lesson.isolations)
        m_isolation->addItem(LessonText::isolation(isolation), int(isolation));
    m_play->setIsolation(lesson.isolations.constFirst());
    m_transport->exerciseButton()->setChecked(false);
    m_transport->exerciseButton()->setVisible(!lesson.exercises.isEmpty());
    m_exercise->setLesson(lesson);
    m_comparison->setLesson(lesson);
    m_prose->forget();
    showTimeline();
    askIfDue();
}

void LessonStage::showLinks()
{
    QList<LinkLabel::Link> scenarios;
    for (const QString &link : lesson().scenarios)
        scenarios.append({LinkText::scenario(scenarioOf(link)), link});
    m_scenarios->setLinks(tr("Run it in the lab: %1", "names of scenarios"), scenarios);
}

void LessonStage::takeOver(const LessonStage *other)
{
    m_comparison->beside()->takeOver(*other->m_comparison->beside());
    if (lesson().id.isEmpty()) // nothing was shown
        return;
    m_isolation->setCurrentIndex(other->m_isolation->currentIndex());
    m_transport->freeButton()->setChecked(other->m_transport->freeButton()->isChecked());
    m_play->takeOver(other->m_play);
}

void LessonStage::playTo(qsizetype count)
{
    m_wanted = 0;
    Q_EMIT begins();
    m_answeredFor = -1;
    m_play->playTo(count);
    showTimeline();
    askIfDue();
    showProse();
}

/// As far as no question stands in the way; then, when it is answered.
void LessonStage::playOnTo(qsizetype steps)
{
    m_wanted = steps;
    playOn();
}

void LessonStage::playOn()
{
    if (m_wanted > m_play->playedCount() && m_transport->nextButton()->isEnabled())
        next();
}

void LessonStage::next()
{
    Q_EMIT begins();
    m_play->next();
}

void LessonStage::back()
{
    if (m_play->playedCount() > 0)
        playTo(m_play->playedCount() - 1);
}

void LessonStage::onBegun(const LessonPlace &place)
{
    showTimeline();
    if (m_play->lesson().families.contains(place.family))
        return;
    m_play->end();
    stopGoingOn();
    Q_EMIT refused(tr("This lesson shows something that %1 does not have.").arg(familyName(place.family)));
}

void LessonStage::onPlayed()
{
    showTimeline();
    if (steps()->script().left().isEmpty()) {
        Q_EMIT allPlayed();
        m_transport->autoPlay()->stop();
    }
    askIfDue();
}

void LessonStage::onFailed(const LockError &error)
{
    stopGoingOn();
    Q_EMIT failed(error);
    showState();
}

/// What is to be foreseen before the next step: where that is the lesson's.
void LessonStage::askIfDue()
{
    const qsizetype next = m_play->playedCount();
    const QList<LessonQuestion> &questions = m_play->lesson().questions;
    const auto due = std::find_if(questions.cbegin(), questions.cend(),
                                  [next](const LessonQuestion &question) { return question.beforeStep == next; });
    if (due == questions.cend() || !steps()->script().isInOrder()) {
        m_question->clear();
    } else if (m_answeredFor != next) {
        m_question->ask({m_key, due - questions.cbegin()}, *due);
        if (m_play->hasBegun()) // the button that was pressed cannot keep the focus
            m_question->choices().constFirst()->setFocus();
    }
    showNextStep();
}

void LessonStage::showTimeline()
{
    m_timeline->show(timelineOf(steps()->sessions(), steps()->moments(), steps()->script().left()));
    showMoment();
}

/// The newest, or an earlier one that is looked back at.
void LessonStage::showMoment()
{
    const qsizetype looked = m_timeline->looked();
    m_moment->show(steps()->sessions(), steps()->moments(), looked);
    m_lanes->showStep(int(looked));
    if (looksBack() || m_play->playedCount() == steps()->script().chosen().size())
        showProse();
    showState();
}

LessonLockModel *LessonStage::locks() const
{
    return m_moment->locks();
}

IndexRuler *LessonStage::ruler() const
{
    return m_moment->ruler();
}

void LessonStage::showNextStep()
{
    const int last = steps()->rowCount() - 1;
    m_lanes->showStep(std::min(int(m_play->playedCount()), last));
}

void LessonStage::showProse()
{
    m_prose->show(lesson(), steps()->script(), looksBack() ? std::optional(m_timeline->looked()) : std::nullopt);
}

bool LessonStage::looksBack() const
{
    return m_timeline->looked() < m_play->playedCount() - 1;
}

void LessonStage::showState()
{
    const qsizetype played = m_play->playedCount();
    const bool isBusy = m_play->isBusy();
    const bool canGoOn = m_play->canGoOn();
    m_prose->setVisible(!isLargeType() || !m_question->isVisible() || looksBack());
    // The room is a question's, and what is locked now might answer it. For a projector there is none beside the
    // reason.
    const bool isAsking = isLargeType() ? m_question->isVisible() : m_question->isOpen();
    m_moment->setVisible((!isAsking || looksBack()) && !m_comparison->isVisible());
    m_transport->offer({.next = !isBusy && canGoOn && !m_question->isOpen(),
                        .back = !isBusy && played > 0,
                        .startOver = m_play->hasBegun() || played > 0, // ends what goes on, too
                        .autoPlay = canGoOn});
    if (isBusy && played == 0)
        m_state->setText(tr("The lesson's schema is being made…"));
    else if (looksBack())
        m_state->setText(tr("You look at step %1 of %2").arg(m_timeline->looked() + 1).arg(played));
    else if (m_question->isOpen())
        m_state->setText(tr("Step %1 of %2: what will happen?").arg(played + 1).arg(m_play->lesson().steps.size()));
    else
        m_state->setText(progress());
}

QString LessonStage::progress() const
{
    const LessonScript &script = steps()->script();
    const int left = int(script.left().size());
    if (!script.isInOrder())
        return m_play->canGoOn() || left == 0
            ? tr("In your order: %1 played, %2 of the lesson left").arg(m_play->playedCount()).arg(left)
            : tr("In your order: whoever has something left to do waits");
    if (left > 0)
        return tr("%1 of %2 steps played").arg(m_play->playedCount()).arg(m_play->lesson().steps.size());
    return steps()->hasDiffered() ? tr("Played. This server did not do everything that the lesson expects.")
                                  : tr("Played: everything was as the lesson expects.");
}

} // namespace lockscope::ui
