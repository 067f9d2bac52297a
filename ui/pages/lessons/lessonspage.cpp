// SPDX-License-Identifier: MIT
#include "lessonspage.h"

#include "console/wholefile.h"
#include "lessonautoplay.h"
#include "lessonexport.h"
#include "lessonfaultbox.h"
#include "lessonlibrarybox.h"
#include "lessons/lessonreader.h"
#include "lessons/lessonrecord.h"
#include "lessontext.h"
#include "ui/server/serverconnection.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"

#include <QtCore/QFileInfo>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QStackedWidget>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLibraryWidth = 330;

} // namespace

LessonsPage::LessonsPage(ServerConnection *connection, QWidget *parent)
    : Page(connection, tr("Lessons"), u"lessons"_s, parent)
    , m_server(connection)
    , m_library(new LessonLibraryBox(this))
    , m_libraryButton(new QPushButton(tr("Library"), this))
    , m_stage(new LessonStage([this] { return m_server.finder(); }, m_libraryButton, this))
    , m_fault(new LessonFaultBox(this))
    , m_shown(new QStackedWidget(this))
{
    m_shown->addWidget(m_stage);
    m_shown->addWidget(m_fault);
    auto *both = new QSplitter(this);
    both->addWidget(m_library);
    both->addWidget(m_shown);
    both->setStretchFactor(1, 1);
    both->setSizes({forType(isLargeType() ? kLibraryWidth * 2 / 3 : kLibraryWidth), 2 * forType(kLibraryWidth)});
    m_column->addWidget(both, 1);
    m_libraryButton->setCheckable(true);
    m_libraryButton->setToolTip(tr("Shows or folds the list of lessons"));
    connect(m_libraryButton, &QPushButton::toggled, this, &LessonsPage::showLibrary);
    connectLibrary();
    connectStage();
    showLibrary(!isLargeType());
}

/// Its sessions end before the server does.
LessonsPage::~LessonsPage()
{
    delete m_shown;
}

void LessonsPage::connectLibrary()
{
    connect(m_library, &LessonLibraryBox::chosen, this, &LessonsPage::showLesson);
    connect(m_library, &LessonLibraryBox::refused, this, &LessonsPage::showFault);
    connect(m_library, &LessonLibraryBox::askedAgain, this, [this](qsizetype number) {
        const auto &questions = m_stage->lesson().questions;
        if (number < questions.size()) // a file of one's own was read again meanwhile
            m_stage->playTo(questions.at(number).beforeStep);
    });
    connect(m_fault, &LessonFaultBox::readAgain, m_library, &LessonLibraryBox::readAgain);
    connect(m_fault, &LessonFaultBox::takenOff, m_library, &LessonLibraryBox::takeOff);
}

void LessonsPage::connectStage()
{
    connect(m_stage, &LessonStage::begins, m_error, &MessageBar::clear);
    connect(m_stage, &LessonStage::allPlayed, this, [this] { m_library->setPlayed(m_library->current()); });
    connect(m_stage, &LessonStage::answered, m_library, &LessonLibraryBox::showScore);
    connect(m_stage, &LessonStage::refused, this,
            [this](const QString &why) { m_error->show(MessageBar::Level::Info, why); });
    connect(m_stage, &LessonStage::failed, this, [this](const LockError &error) {
        m_error->show(MessageBar::Level::Error, error.message, CommonText::serverWords(error));
    });
    connect(m_stage, &LessonStage::leftBehind, this, [this](const LessonRemains &remains) {
        m_notice->show(MessageBar::Level::Warning, LessonText::remains(remains), LessonText::whatRemains(remains));
    });
    connect(m_stage, &LessonStage::keepRequested, this, &LessonsPage::askWhereToKeep);
    connect(m_stage, &LessonStage::lessonRequested, this, &LessonsPage::open);
    connect(m_stage, &LessonStage::scenarioRequested, this, &LessonsPage::scenarioRequested);
}

/// With its first lesson, unless one was opened. A window that never comes here reads none.
void LessonsPage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    m_library->chooseAny();
}

void LessonsPage::showLibrary(bool shown)
{
    m_libraryButton->setChecked(shown);
    m_library->setVisible(shown);
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
    return m_stage->lesson().id.isEmpty() ? Page::exportName() : m_stage->lesson().id;
}

QByteArray LessonsPage::exported(const QString &format) const
{
    return exportedLesson({m_stage->lesson(), steps()->place(), steps()->sessions(), steps()->moments()}, format,
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
    const QByteArray text = recordedLesson(m_stage->lesson(), steps()->place(), steps()->moments(), id);
    const auto read = readLesson(text, id);
    if (const auto *fault = std::get_if<LessonFault>(&read)) {
        m_error->show(MessageBar::Level::Error, tr("%1 was not written.").arg(file), fault->reason);
        return;
    }
    if (const QString why = writeWhole(file, text); !why.isEmpty()) {
        m_error->show(MessageBar::Level::Error, tr("%1 was not written.").arg(file), why);
        return;
    }
    m_library->addFile(file);
    m_error->show(MessageBar::Level::Good,
                  tr("Kept, and listed among your own. This plays it too: lockctl lesson run %1").arg(file));
}

void LessonsPage::open(const QString &key)
{
    m_library->choose(key);
}

void LessonsPage::showLesson(const Lesson &lesson)
{
    m_error->clear();
    m_stage->setLesson(lesson, m_library->current());
    m_shown->setCurrentWidget(m_stage);
}

/// Of one's own that cannot be played: nothing of another one is left on the screen.
void LessonsPage::showFault(const LessonFile &file)
{
    m_error->clear();
    m_stage->clear();
    m_fault->show(file);
    m_shown->setCurrentWidget(m_fault);
}

void LessonsPage::takeOver(LessonsPage *other)
{
    m_server.takeOver(other->m_server);
    if (!other->m_stage->lesson().id.isEmpty())
        open(other->m_library->current());
    m_stage->takeOver(other->m_stage);
}

} // namespace lockscope::ui
