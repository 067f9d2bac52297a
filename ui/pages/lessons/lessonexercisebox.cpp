// SPDX-License-Identifier: MIT
#include "lessonexercisebox.h"

#include "lessontext.h"
#include "ui/style/theme.h"
#include "ui/widgets/inspectorparts.h"

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLines = 3;

} // namespace

LessonExerciseBox::LessonExerciseBox(std::function<LessonPlayer::FindServer()> findServer, QWidget *parent)
    : QFrame(parent)
    , m_findServer(std::move(findServer))
    , m_trial(new LessonTrial(this))
    , m_text(makeLabel(this))
    , m_statement(new QPlainTextEdit(this))
    , m_try(new QPushButton(tr("Try it"), this))
    , m_solution(new QPushButton(tr("Show a solution"), this))
    , m_other(new QPushButton(tr("Another exercise"), this))
    , m_verdict(makeLabel(this))
{
    setFrameShape(QFrame::StyledPanel);
    m_text->setFont(headingFont());
    m_statement->setFont(fixedFont());
    m_statement->setTabChangesFocus(true);
    m_statement->setAccessibleName(tr("The statement to edit"));
    m_statement->setFixedHeight(QFontMetrics(fixedFont()).lineSpacing() * kLines + 2 * kSpace);
    m_try->setToolTip(tr("Runs it through the whole lesson, at each isolation level and in two orders"));
    connect(m_statement, &QPlainTextEdit::textChanged, this, [this] { // it was about another statement
        if (!m_trial->isRunning())
            m_verdict->hide();
    });
    connect(m_try, &QPushButton::clicked, this, &LessonExerciseBox::run);
    connect(m_solution, &QPushButton::clicked, this,
            [this] { m_statement->setPlainText(m_lesson.exercises.at(m_number).solution); });
    connect(m_other, &QPushButton::clicked, this, [this] { show((m_number + 1) % m_lesson.exercises.size()); });
    connect(m_trial, &LessonTrial::changed, this, &LessonExerciseBox::showTries);
    connect(m_trial, &LessonTrial::leftBehind, this, &LessonExerciseBox::leftBehind);
    connect(m_trial, &LessonTrial::finished, this, &LessonExerciseBox::showTries);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(kSpace);
    for (QPushButton *button : {m_try, m_solution, m_other})
        buttons->addWidget(button);
    buttons->addStretch(1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kSpace, kSpace, kSpace, kSpace);
    column->setSpacing(kSpaceInGroup);
    column->addWidget(m_text);
    column->addWidget(m_statement);
    column->addLayout(buttons);
    column->addWidget(m_verdict);
}

void LessonExerciseBox::setLesson(const Lesson &lesson)
{
    m_lesson = lesson;
    if (lesson.exercises.isEmpty()) {
        m_trial->stop();
        hide();
    } else {
        show(0);
    }
}

void LessonExerciseBox::show(qsizetype exercise)
{
    m_trial->stop();
    m_number = exercise;
    const LessonExercise &one = m_lesson.exercises.at(exercise);
    m_text->setText(tr("Step %1 is to be better. %2").arg(one.step + 1).arg(one.text));
    m_statement->setPlainText(m_lesson.steps.at(one.step).sql);
    m_other->setVisible(m_lesson.exercises.size() > 1);
    m_verdict->clear();
    m_verdict->hide();
    m_try->setEnabled(true);
}

void LessonExerciseBox::run()
{
    const QString sql = withoutEnd(m_statement->toPlainText());
    if (sql.isEmpty() || m_trial->isRunning())
        return;
    const LessonExercise &exercise = m_lesson.exercises.at(m_number);
    Lesson edited = m_lesson;
    edited.steps[exercise.step].sql = sql;
    QList<LessonTrial::Try> tries;
    for (const LessonIsolation isolation : m_lesson.isolations) {
        tries.append({m_findServer(), isolation});
        if (m_lesson.sessions().size() > 1)
            tries.append({m_findServer(), isolation, true});
    }
    m_trial->begin(tries, edited, exercise.check);
    showTries();
}

QString LessonExerciseBox::lineOf(const LessonTrial::Try &one) const
{
    const QString where = LessonText::isolation(one.isolation)
        + (one.isOtherOrder ? tr(", the sessions the other way round: %1") : tr(", in the lesson's order: %1"));
    if (!one.failure.isEmpty())
        return where.arg(one.failure);
    if (!one.isOne)
        return where.arg(u"…"_s);
    if (*one.isOne)
        return u"✔ "_s + where.arg(tr("solved"));
    return (one.isOtherOrder ? u"○ "_s : u"✘ "_s) + where.arg(tr("not solved"));
}

/// The lesson's order decides: many a task is about who comes first.
void LessonExerciseBox::showTries()
{
    QStringList lines;
    bool isSolved = !m_trial->isRunning();
    for (const LessonTrial::Try &one : m_trial->tries()) {
        lines += lineOf(one);
        isSolved = isSolved && (one.isOtherOrder || one.isOne == true);
    }
    if (isSolved)
        lines.prepend(tr("Solved."));
    m_verdict->setText(lines.join(u'\n'));
    m_verdict->setVisible(!lines.isEmpty());
    m_focus.setEnabled(m_try, !m_trial->isRunning());
}

QString LessonExerciseBox::verdict() const
{
    return m_verdict->text();
}

} // namespace lockscope::ui
