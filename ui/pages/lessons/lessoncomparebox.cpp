// SPDX-License-Identifier: MIT
#include "lessoncomparebox.h"

#include "lessons/lessonexpectation.h"
#include "lessontext.h"
#include "playserver.h"
#include "privateserver/privatefolder.h"
#include "privateserver/serverprogram.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"
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

QString folderOf(Family family)
{
    return PrivateFolder::defaultPath() + (family == Family::MySql ? u"-mysql"_s : u"-mariadb"_s);
}

} // namespace

LessonCompareBox::LessonCompareBox(std::function<LessonPlayer::FindServer()> findServer, QWidget *parent)
    : QWidget(parent)
    , m_findServer(std::move(findServer))
    , m_trial(new LessonTrial(this))
    , m_play(new QPushButton(tr("Play on all"), this))
    , m_summary(makeLabel(this))
    , m_table(new QTableWidget(this))
{
    m_play->setToolTip(tr("Plays the lesson at each isolation level, and on a server of the other family if one is "
                          "installed here"));
    connect(m_play, &QPushButton::clicked, this, &LessonCompareBox::run);
    connect(m_trial, &LessonTrial::changed, this, &LessonCompareBox::showTries);
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
    top->addWidget(m_summary, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, kSpaceInGroup, 0, 0);
    column->setSpacing(kSpaceInGroup);
    column->addLayout(top);
    column->addWidget(m_table, 1);
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

/// Of the family that the lesson was not played on before; started for this, in a folder of its own.
LessonPlayer::FindServer LessonCompareBox::findOther() const
{
    return [others = m_others](LockError *error) -> std::optional<SessionTarget> {
        const Family family = others->isMySqlHere ? Family::MariaDb : Family::MySql;
        const auto program = ServerProgram::findOf(family, &error->message);
        if (!program)
            return std::nullopt;
        PrivateServerOptions options;
        options.program = program->path;
        return PlayServer::start(folderOf(family), options, &others->users[family == Family::MySql], error);
    };
}

void LessonCompareBox::run()
{
    QList<LessonTrial::Try> tries;
    for (const LessonIsolation isolation : m_lesson.isolations)
        tries.append({m_findServer(), isolation});
    if (m_lesson.families.size() > 1) {
        for (const LessonIsolation isolation : m_lesson.isolations)
            tries.append({findOther(), isolation});
    }
    setLesson(m_lesson);
    m_trial->begin(tries, m_lesson, {});
    showTries();
}

void LessonCompareBox::showTry(int column, const LessonTrial::Try &one)
{
    const QString server = one.place ? familyName(one.place->family) + u' ' + one.place->version.toString() : u"…"_s;
    m_table->setHorizontalHeaderItem(column,
                                     new QTableWidgetItem(server + u'\n' + LessonText::isolation(one.isolation)));
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
    QStringList failures;
    for (const LessonTrial::Try &one : m_trial->tries()) {
        if (one.place)
            m_others->isMySqlHere = m_trial->tries().constFirst().place->family == Family::MySql;
        if (one.place || one.failure.isEmpty())
            shown += &one;
        if (!one.failure.isEmpty() && !failures.contains(one.failure))
            failures += one.failure;
    }
    m_table->setColumnCount(int(shown.size()) + 1);
    for (qsizetype i = 0; i < shown.size(); ++i)
        showTry(int(i) + 1, *shown[i]);
    const int differing = markDifferences(shown);
    m_play->setEnabled(!m_trial->isRunning());
    QString said = m_trial->isRunning() ? tr("Playing…")
        : shown.size() < 2              ? QString()
        : differing == 0                ? tr("The same everywhere.")
                                        : tr("Steps that differ from the first column: %1.").arg(differing);
    m_summary->setText((QStringList(said) + failures).join(u' ').trimmed());
}

QString LessonCompareBox::summary() const
{
    return m_summary->text();
}

} // namespace lockscope::ui
