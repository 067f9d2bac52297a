// SPDX-License-Identifier: MIT
#include "lessonspage.h"

#include "freeplaybar.h"
#include "lessonautoplay.h"
#include "lessoncomparebox.h"
#include "lessonexercisebox.h"
#include "lessonexport.h"
#include "lessonfaultbox.h"
#include "lessonlanes.h"
#include "lessonlibrarybox.h"
#include "lessonmomentbox.h"
#include "lessonquestion.h"
#include "lessons/lessonreader.h"
#include "lessons/lessonrecord.h"
#include "lessontext.h"
#include "lessontimeline.h"
#include "lessontransport.h"
#include "ui/server/serverconnection.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/text/linktext.h"
#include "ui/widgets/inspectorparts.h"
#include "ui/widgets/linklabel.h"
#include "ui/widgets/livetableview.h"

#include <QtCore/QFileInfo>
#include <QtCore/QSaveFile>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QStackedWidget>
#include <QtWidgets/QTabWidget>
#include <QtWidgets/QTextBrowser>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLibraryWidth = 330;

} // namespace

LessonsPage::LessonsPage(ServerConnection *connection, QWidget *parent)
    : Page(connection, tr("Lessons"), u"lessons"_s, parent)
    , m_server(connection)
    , m_play(new LessonPlayback([this] { return m_server.finder(); }, this))
    , m_library(new LessonLibraryBox(this))
    , m_libraryButton(new QPushButton(tr("Library"), this))
    , m_fault(new LessonFaultBox(this))
    , m_stage(new QStackedWidget(this))
    , m_title(makeLabel(this))
    , m_scenarios(new LinkLabel(this))
    , m_prose(new QTextBrowser(this))
    , m_transport(new LessonTransport(this))
    , m_free(new FreePlayBar(m_play, this))
    , m_exercise(new LessonExerciseBox([this] { return m_server.finder(); }, this))
    , m_comparison(new LessonCompareBox([this] { return m_server.finder(); }, this))
    , m_isolation(new QComboBox(this))
    , m_state(makeLabel(this))
    , m_lanes(new LessonLanes(steps(), this))
    , m_question(new LessonQuestionBox(this))
    , m_timeline(new LessonTimeline(this))
    , m_moment(new LessonMomentBox(this))
{
    auto *both = new QSplitter(this);
    both->addWidget(m_library);
    m_stage->addWidget(makeLesson());
    m_stage->addWidget(m_fault);
    both->addWidget(m_stage);
    both->setStretchFactor(1, 1);
    both->setSizes({forType(isLargeType() ? kLibraryWidth * 2 / 3 : kLibraryWidth), 2 * forType(kLibraryWidth)});
    m_column->addWidget(both, 1);
    connectPlayer();
    connectTransport();
    connect(m_library, &LessonLibraryBox::chosen, this, &LessonsPage::showLesson);
    connect(m_library, &LessonLibraryBox::refused, this, &LessonsPage::showFault);
    connect(m_fault, &LessonFaultBox::readAgain, m_library, &LessonLibraryBox::readAgain);
    connect(m_fault, &LessonFaultBox::takenOff, m_library, &LessonLibraryBox::takeOff);
    connect(m_library, &LessonLibraryBox::askedAgain, this,
            [this](qsizetype number) { playTo(m_play->lesson().questions.at(number).beforeStep); });
    connect(m_scenarios, &LinkLabel::chosen, this, &LessonsPage::scenarioRequested);
    showLibrary(!isLargeType());
    showState();
}

/// With its first lesson, unless one was opened. A window that never comes here reads none.
void LessonsPage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    m_library->chooseAny();
}

LessonsPage::~LessonsPage()
{
    delete m_play; // its sessions end before the server does
    delete m_exercise;
    delete m_comparison;
}

void LessonsPage::showLibrary(bool shown)
{
    m_libraryButton->setChecked(shown);
    m_library->setVisible(shown);
}

void LessonsPage::connectTransport()
{
    m_libraryButton->setCheckable(true);
    m_libraryButton->setToolTip(tr("Shows or folds the list of lessons"));
    m_isolation->setToolTip(tr("The isolation level of the sessions"));
    m_isolation->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(m_libraryButton, &QPushButton::toggled, this, &LessonsPage::showLibrary);
    connect(m_transport, &LessonTransport::nextWanted, this, &LessonsPage::next);
    connect(m_transport, &LessonTransport::backWanted, this, &LessonsPage::back);
    connect(m_transport, &LessonTransport::startOverWanted, this, [this] { playTo(0); });
    connect(m_transport->freeButton(), &QPushButton::toggled, m_free, &QWidget::setVisible);
    connect(m_transport->exerciseButton(), &QPushButton::toggled, m_exercise, &QWidget::setVisible);
    connect(m_free, &FreePlayBar::keepRequested, this, &LessonsPage::askWhereToKeep);
    m_free->hide();
    m_exercise->hide();
    connect(m_isolation, &QComboBox::activated, this, [this] {
        m_play->setIsolation(LessonIsolation(m_isolation->currentData().toInt()));
        playTo(0);
    });
}

/// The same twice: in words, and as a picture that is a slider too.
QWidget *LessonsPage::makeSteps()
{
    auto *picture = new QScrollArea(this);
    picture->setWidget(m_timeline);
    picture->setWidgetResizable(true);
    picture->setFrameShape(QFrame::NoFrame);
    connect(m_timeline, &LessonTimeline::positionChanged, picture, [this, picture] {
        const QRect step = m_timeline->stepRect(m_timeline->position());
        picture->ensureVisible(step.center().x(), step.center().y(), step.width(), step.height());
    });
    connect(m_timeline, &LessonTimeline::lookedAt, this, &LessonsPage::showMoment);
    connect(m_timeline, &LessonTimeline::runTo, this, &LessonsPage::playOnTo);
    connect(m_lanes, &QAbstractItemView::clicked, this, [this](const QModelIndex &step) {
        if (step.row() < m_play->playedCount())
            m_timeline->moveTo(step.row());
    });
    auto *tabs = new QTabWidget(this);
    tabs->setDocumentMode(true);
    tabs->addTab(m_lanes, tr("Statements"));
    tabs->addTab(picture, tr("Time line"));
    tabs->addTab(m_comparison, tr("Side by side"));
    connect(tabs, &QTabWidget::currentChanged, this, &LessonsPage::showState);
    return tabs;
}

QWidget *LessonsPage::makeLesson()
{
    m_title->setFont(headlineFont());
    m_prose->setOpenLinks(false);
    m_prose->setFrameShape(QFrame::NoFrame);
    m_prose->setAccessibleName(tr("What the lesson says"));
    connect(m_prose, &QTextBrowser::anchorClicked, this,
            [this](const QUrl &url) { open(QFileInfo(url.path()).completeBaseName()); });
    auto *parts = new QSplitter(Qt::Vertical, this);
    parts->addWidget(m_prose);
    parts->addWidget(makeSteps());
    parts->addWidget(m_moment);
    parts->setStretchFactor(0, 1);
    parts->setStretchFactor(1, 4);
    parts->setStretchFactor(2, 2);
    parts->setChildrenCollapsible(false);
    parts->setSizes({forType(90), forType(300), forType(180)});
    auto *box = new QWidget(this);
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(kSpace, kSpace, kSpaceSection, kSpace);
    column->setSpacing(kSpace);
    column->addWidget(m_title);
    auto *state = new QHBoxLayout; // what is played, and of what
    state->setSpacing(kSpaceSection);
    state->addWidget(m_state, 1);
    if (!isLargeType())
        state->addWidget(m_scenarios, 1);
    state->addWidget(m_isolation);
    state->addWidget(m_libraryButton);
    column->addLayout(state);
    if (isLargeType()) // too long to stand beside anything
        column->addWidget(m_scenarios);
    column->addWidget(parts, 1);
    column->addWidget(m_question);
    column->addWidget(m_free);
    column->addWidget(m_exercise);
    column->addWidget(m_transport);
    return box;
}

void LessonsPage::connectPlayer()
{
    connect(m_play, &LessonPlayback::begun, this, &LessonsPage::onBegun);
    connect(m_play, &LessonPlayback::played, this, &LessonsPage::onPlayed);
    connect(m_play, &LessonPlayback::failed, this, &LessonsPage::onFailed);
    connect(m_play, &LessonPlayback::changed, this, &LessonsPage::showState);
    connect(m_play, &LessonPlayback::changed, this, &LessonsPage::playOn);
    auto *seconds = new QTimer(this);
    connect(seconds, &QTimer::timeout, steps(), &LessonStepModel::tick);
    seconds->start(std::chrono::seconds(1));
    connect(m_question, &LessonQuestionBox::answered, this, &LessonsPage::onAnswered);
}

/// After a wrong answer nothing goes on by itself: why it is wrong is to be read first.
void LessonsPage::onAnswered(bool isRight)
{
    m_answeredFor = m_play->playedCount();
    m_library->showScore();
    if (!isRight) {
        m_wanted = 0;
        autoPlay()->stop();
    }
    showState();
    showNextStep();
    nextButton()->setFocus();
    playOn();
}

QString LessonsPage::help() const
{
    return LessonText::help();
}

void LessonsPage::focusFilter()
{
    showLibrary(true);
    m_library->takeFilter();
}

bool LessonsPage::closeLast()
{
    if (!autoPlay()->isOn())
        return false;
    autoPlay()->stop();
    return true;
}

QStringList LessonsPage::exportFormats() const
{
    return lessonFormats();
}

QString LessonsPage::exportName() const
{
    return m_play->lesson().id.isEmpty() ? Page::exportName() : m_play->lesson().id;
}

QByteArray LessonsPage::exported(const QString &format) const
{
    return exportedLesson({m_play->lesson(), steps()->place(), steps()->sessions(), steps()->moments()}, format,
                          palette());
}

void LessonsPage::askWhereToKeep()
{
    const QString file = QFileDialog::getSaveFileName(this, tr("Keep as a lesson"), u"my-lesson.md"_s, u"*.md"_s);
    if (!file.isEmpty())
        keepAs(file);
}

/// Only what can be read again: the name is part of a lesson.
void LessonsPage::keepAs(const QString &file)
{
    const QString id = QFileInfo(file).completeBaseName();
    const QByteArray text = recordedLesson(m_play->lesson(), steps()->place(), steps()->moments(), id);
    const auto read = readLesson(text, id);
    if (const auto *fault = std::get_if<LessonFault>(&read)) {
        m_error->show(MessageBar::Level::Error, tr("%1 was not written.").arg(file), fault->reason);
        return;
    }
    QSaveFile to(file);
    if (!to.open(QIODevice::WriteOnly) || to.write(text) != text.size() || !to.commit()) {
        m_error->show(MessageBar::Level::Error, tr("%1 was not written.").arg(file), to.errorString());
        return;
    }
    m_library->addFile(file);
    m_error->show(MessageBar::Level::Good,
                  tr("Kept, and listed among your own. This plays it too: lockctl lesson run %1").arg(file));
}

QString LessonsPage::state() const
{
    return m_state->text();
}

void LessonsPage::open(const QString &key)
{
    m_library->choose(key);
}

/// Of a lesson of one's own that cannot be played: nothing of another one is left on the screen.
void LessonsPage::showFault(const LessonFile &file)
{
    autoPlay()->stop();
    m_wanted = 0;
    m_error->clear();
    m_play->setLesson({});
    m_question->clear();
    showTimeline();
    m_fault->show(file);
    m_stage->setCurrentWidget(m_fault);
}

void LessonsPage::showLesson(const Lesson &lesson)
{
    autoPlay()->stop();
    m_wanted = 0;
    m_answeredFor = -1;
    m_error->clear();
    m_stage->setCurrentIndex(0);
    m_play->setLesson(lesson);
    m_title->setText(lesson.title);
    QList<LinkLabel::Link> scenarios;
    for (const QString &name : lesson.scenarios)
        scenarios.append({LinkText::scenario(name), name});
    m_scenarios->setLinks(tr("Run it in the lab: %1", "names of scenarios"), scenarios);
    m_isolation->clear();
    for (const LessonIsolation isolation : lesson.isolations)
        m_isolation->addItem(LessonText::isolation(isolation), int(isolation));
    m_play->setIsolation(lesson.isolations.constFirst());
    m_transport->exerciseButton()->setChecked(false);
    m_transport->exerciseButton()->setVisible(!lesson.exercises.isEmpty());
    m_exercise->setLesson(lesson);
    m_comparison->setLesson(lesson);
    m_proseShown.clear(); // the same words of another lesson begin at their top
    showTimeline();
    askIfDue();
}

void LessonsPage::playTo(qsizetype count)
{
    m_wanted = 0;
    m_error->clear();
    m_answeredFor = -1;
    m_play->playTo(count);
    showTimeline();
    askIfDue();
    showProse();
}

/// As far as no question stands in the way; then, when it is answered.
void LessonsPage::playOnTo(qsizetype steps)
{
    m_wanted = steps;
    playOn();
}

void LessonsPage::playOn()
{
    if (m_wanted > m_play->playedCount() && nextButton()->isEnabled())
        next();
}

void LessonsPage::next()
{
    m_error->clear();
    m_play->next();
}

void LessonsPage::back()
{
    if (m_play->playedCount() > 0)
        playTo(m_play->playedCount() - 1);
}

void LessonsPage::takeOver(LessonsPage *other)
{
    if (other->m_play->lesson().id.isEmpty())
        return; // it was never shown
    open(other->m_library->current());
    m_isolation->setCurrentIndex(other->m_isolation->currentIndex());
    freeButton()->setChecked(other->freeButton()->isChecked());
    m_server.takeOver(other->m_server);
    m_play->takeOver(other->m_play);
}

void LessonsPage::onBegun(const LessonPlace &place)
{
    showTimeline();
    if (m_play->lesson().families.contains(place.family))
        return;
    m_play->end();
    m_wanted = 0;
    autoPlay()->stop();
    m_error->show(MessageBar::Level::Info,
                  tr("This lesson shows something that %1 does not have.").arg(familyName(place.family)));
}

void LessonsPage::onPlayed()
{
    showTimeline();
    if (steps()->script().left().isEmpty()) {
        m_library->setPlayed(m_library->current());
        autoPlay()->stop();
    }
    askIfDue();
}

void LessonsPage::onFailed(const LockError &error)
{
    m_wanted = 0;
    autoPlay()->stop();
    m_error->show(MessageBar::Level::Error, error.message, CommonText::serverWords(error));
    showState();
}

/// What is to be foreseen before the next step: where that is the lesson's.
void LessonsPage::askIfDue()
{
    const qsizetype next = m_play->playedCount();
    const QList<LessonQuestion> &questions = m_play->lesson().questions;
    const auto due = std::find_if(questions.cbegin(), questions.cend(),
                                  [next](const LessonQuestion &question) { return question.beforeStep == next; });
    if (due == questions.cend() || !steps()->script().isInOrder()) {
        m_question->clear();
    } else if (m_answeredFor != next) {
        m_question->ask({m_library->current(), due - questions.cbegin()}, *due);
        if (m_play->hasBegun()) // the button that was pressed cannot keep the focus
            m_question->choices().constFirst()->setFocus();
    }
    showNextStep();
}

void LessonsPage::showTimeline()
{
    m_timeline->show(timelineOf(steps()->sessions(), steps()->moments(), steps()->script().left()));
    showMoment();
}

/// The newest, or an earlier one that is looked back at.
void LessonsPage::showMoment()
{
    const qsizetype looked = m_timeline->looked();
    m_moment->show(steps()->sessions(), steps()->moments(), looked);
    m_lanes->showStep(int(looked));
    if (looksBack() || m_play->playedCount() == steps()->script().chosen().size())
        showProse();
    showState();
}

LessonLockModel *LessonsPage::locks() const
{
    return m_moment->locks();
}

IndexRuler *LessonsPage::ruler() const
{
    return m_moment->ruler();
}

void LessonsPage::showNextStep()
{
    const int last = steps()->rowCount() - 1;
    m_lanes->showStep(std::min(int(m_play->playedCount()), last));
}

/// What the lesson says before a step, or has said last before it.
QString LessonsPage::proseOf(qsizetype step) const
{
    const Lesson &lesson = m_play->lesson();
    const QList<LessonStep> steps = this->steps()->script().chosen() + this->steps()->script().left();
    for (qsizetype at = std::min(step, steps.size() - 1); at > 0; --at) {
        if (!steps.at(at).caption.trimmed().isEmpty())
            return steps.at(at).caption;
    }
    return LessonText::intro(lesson) + u"\n\n```\n"_s + lesson.setup.join(u";\n"_s) + u";\n```\n\n"_s;
}

/// Of the step that comes next, once all before it are played; or of the earlier one that is looked at.
void LessonsPage::showProse()
{
    const qsizetype looked = m_timeline->looked();
    const LessonScript &script = steps()->script();
    const qsizetype chosen = script.chosen().size();
    QString text;
    if (looksBack())
        text = proseOf(looked);
    else if (script.left().isEmpty() && chosen > 0)
        text = m_play->lesson().outro + LessonText::claims(m_play->lesson());
    else if (!m_play->lesson().steps.isEmpty())
        text = proseOf(script.isInOrder() ? chosen : chosen - 1);
    if (std::exchange(m_proseShown, text) != text) // what is read stays where it is
        m_prose->setMarkdown(text);
}

bool LessonsPage::looksBack() const
{
    return m_timeline->looked() < m_play->playedCount() - 1;
}

void LessonsPage::showState()
{
    const qsizetype played = m_play->playedCount();
    const bool isBusy = m_play->isBusy();
    const bool canGoOn = m_play->canGoOn();
    m_prose->setVisible(!isLargeType() || !m_question->isVisible() || looksBack());
    // The room is a question's, and what is locked now might answer it.
    m_moment->setVisible((!m_question->isOpen() || looksBack()) && !m_comparison->isVisible());
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

QString LessonsPage::progress() const
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
