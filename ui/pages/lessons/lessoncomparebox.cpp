// SPDX-License-Identifier: MIT
#include "lessoncomparebox.h"

#include "besidechooser.h"
#include "lessons/lessonexpectation.h"
#include "lessontext.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/widgets/inspectorparts.h"

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableWidget>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

QString textOf(const LessonOutcome &outcome)
{
    QStringList lines{LessonText::answer(outcome.answer)};
    return (lines + LessonText::freed(outcome)).join(u'\n');
}

} // namespace

LessonCompareBox::LessonCompareBox(std::function<LessonPlayer::FindServer()> findServer, QWidget *parent)
    : QWidget(parent)
    , m_findServer(std::move(findServer))
    , m_trial(new LessonTrial(this))
    , m_play(new QPushButton(tr("Play on all"), this))
    , m_beside(new BesideChooser(this))
    , m_summary(makeLabel(this))
    , m_table(new QTableWidget(this))
    , m_said(makeLabel(this))
{
    m_play->setToolTip(tr("Plays the lesson at each isolation level, on the private server and on the one beside it"));
    connect(m_beside, &BesideChooser::changed, this, &LessonCompareBox::showSaid);
    connect(m_play, &QPushButton::clicked, this, &LessonCompareBox::run);
    connect(m_trial, &LessonTrial::changed, this, &LessonCompareBox::showTries);
    connect(m_trial, &LessonTrial::leftBehind, this, &LessonCompareBox::leftBehind);
    connect(m_trial, &LessonTrial::finished, this, &LessonCompareBox::showTries);
    m_table->setAccessibleName(tr("The lesson side by side"));
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setFont(fixedFont());
    m_table->setWordWrap(true);
    m_table->setTabKeyNavigation(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    // Words wrap by the width that a column comes to have.
    connect(m_table->horizontalHeader(), &QHeaderView::sectionResized, m_table, &QTableView::resizeRowsToContents,
            Qt::QueuedConnection);
    auto *top = new QHBoxLayout;
    top->setSpacing(kSpace);
    top->addWidget(m_play);
    top->addWidget(m_beside);
    top->addWidget(m_summary, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, kSpaceInGroup, 0, 0);
    column->setSpacing(kSpaceInGroup);
    column->addLayout(top);
    column->addWidget(m_table, 1);
    column->addWidget(m_said);
    m_said->hide();
}

LessonCompareBox::~LessonCompareBox()
{
    delete m_trial; // its sessions end before the server does
}

void LessonCompareBox::setLesson(const Lesson &lesson)
{
    m_trial->stop();
    m_lesson = lesson;
    m_summary->clear();
    m_failures.clear();
    showSaid();
    m_beside->setEnabled(true);
    m_table->setColumnCount(1);
    m_table->setHorizontalHeaderLabels({tr("Statement")});
    m_table->setRowCount(int(lesson.steps.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const LessonStep &step = lesson.steps.at(row);
        const bool isStatement = step.kind == LessonStep::Kind::Statement;
        m_table->setItem(
            row, 0, new QTableWidgetItem((isStatement ? step.session + u": "_s : QString()) + LessonText::step(step)));
    }
    m_play->setEnabled(true);
}

void LessonCompareBox::setServers(ServerChooser *servers)
{
    m_beside->setServers(servers);
}

void LessonCompareBox::run()
{
    m_beside->find([this](const LessonPlayer::FindServer &beside) { begin(beside); });
}

/// A lesson of one family is not played on a private server of the other.
void LessonCompareBox::begin(const LessonPlayer::FindServer &beside)
{
    QList<LessonTrial::Try> tries;
    for (const LessonIsolation isolation : m_lesson.isolations)
        tries.append({m_findServer(), isolation});
    if (beside && (m_lesson.families.size() > 1 || !m_beside->isOtherFamily())) {
        for (const LessonIsolation isolation : m_lesson.isolations)
            tries.append({beside, isolation});
    }
    m_besideName = m_beside->serverName();
    setLesson(m_lesson);
    m_trial->begin(tries, m_lesson, {});
    showTries();
}

bool LessonCompareBox::isBeside(const LessonTrial::Try &one) const
{
    return &one - m_trial->tries().constData() >= m_lesson.isolations.size();
}

QString LessonCompareBox::failureOf(const LessonTrial::Try &one) const
{
    return one.failure.isEmpty() || !isBeside(one) || m_besideName.isEmpty() ? one.failure
                                                                             : m_besideName + u": "_s + one.failure;
}

void LessonCompareBox::showTry(int column, const LessonTrial::Try &one)
{
    QStringList head{one.place ? familyName(one.place->family) + u' ' + one.place->version.toString() : u"…"_s,
                     LessonText::isolation(one.isolation)};
    if (isBeside(one) && !m_besideName.isEmpty())
        head.prepend(CommonText::shortened(m_besideName));
    m_table->setHorizontalHeaderItem(column, new QTableWidgetItem(head.join(u'\n')));
    for (int row = 0; row < m_table->rowCount() && row < one.seen.size(); ++row)
        m_table->setItem(row, column, new QTableWidgetItem(textOf(one.seen.at(row))));
}

/// By what a lesson would expect, so that one server's words for an error are no difference. How many steps do.
int LessonCompareBox::markDifferences(const QList<const LessonTrial::Try *> &shown)
{
    int differing = 0;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        bool differs = false;
        for (qsizetype i = 1; i < shown.size(); ++i) {
            if (row >= shown.first()->seen.size() || row >= shown[i]->seen.size()
                || toString(shown.first()->seen.at(row)) == toString(shown[i]->seen.at(row)))
                continue;
            differs = true;
            QTableWidgetItem *cell = m_table->item(row, int(i) + 1);
            cell->setForeground(markColor(Mark::Alarm, palette()));
            cell->setText(u"≠ "_s + cell->text());
        }
        differing += differs ? 1 : 0;
    }
    return differing;
}

void LessonCompareBox::showTries()
{
    QList<const LessonTrial::Try *> shown;
    const QList<LessonTrial::Try> &tries = m_trial->tries();
    if (!tries.isEmpty() && tries.constFirst().place)
        m_beside->setFamilyHere(tries.constFirst().place->family);
    m_failures.clear();
    for (const LessonTrial::Try &one : tries) {
        if (one.place || one.failure.isEmpty())
            shown += &one;
        if (const QString failure = failureOf(one); !failure.isEmpty() && !m_failures.contains(failure))
            m_failures += failure;
    }
    m_table->setColumnCount(int(shown.size()) + 1);
    for (qsizetype i = 0; i < shown.size(); ++i)
        showTry(int(i) + 1, *shown[i]);
    const int differing = markDifferences(shown);
    m_play->setEnabled(!m_trial->isRunning());
    m_beside->setEnabled(!m_trial->isRunning());
    m_summary->setText(m_trial->isRunning()   ? tr("Playing…")
                           : shown.size() < 2 ? QString()
                           : differing == 0   ? tr("The same everywhere.")
                                              : tr("Steps that differ from the first column: %1.").arg(differing));
    showSaid();
}

void LessonCompareBox::showSaid()
{
    QStringList said = m_failures;
    if (const QString note = m_beside->note(); !note.isEmpty() && !said.contains(note))
        said += note;
    m_said->setText(said.join(u'\n'));
    m_said->setVisible(!said.isEmpty());
}

QString LessonCompareBox::summary() const
{
    return m_summary->text();
}

QString LessonCompareBox::said() const
{
    return m_said->text();
}

} // namespace lockscope::ui
