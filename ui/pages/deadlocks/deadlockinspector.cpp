// SPDX-License-Identifier: MIT
#include "deadlockinspector.h"

#include "console/visibletext.h"
#include "deadlocktext.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"
#include "ui/widgets/elidedlabel.h"

#include <QtWidgets/QLabel>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

/// The rest is in the copied text.
constexpr qsizetype kMaxSides = 20;
constexpr qsizetype kMaxText = 100'000;

} // namespace

DeadlockInspector::DeadlockInspector(const QList<QAction *> &actions, QWidget *parent)
    : Inspector(tr("Select a deadlock to see who waited for whom, why, and what ends such deadlocks."), parent)
    , m_remedy(addText())
    , m_purpose(addText())
    , m_seen(addText())
    , m_sidesPlace(new QVBoxLayout)
{
    m_remedy->setFont(headingFont());
    m_sections->addLayout(m_sidesPlace);
    m_textTitle = addTitle();
    m_text = addSql(tr("The server's own text"));
    addButtons(actions);
    show(std::nullopt);
}

void DeadlockInspector::show(const std::optional<DeadlockShape> &shape)
{
    const bool isSame = shape && m_shape && *shape == *m_shape;
    m_shape = shape;
    setShown(shape.has_value());
    if (!shape) {
        m_name->setFullText(tr("No deadlock selected"));
        return;
    }
    if (isSame)
        return; // what is selected in it stays selected
    showMark();
    m_name->setFullText(DeadlockText::cause(shape->cause));
    m_summary->setText(DeadlockText::why(shape->cause));
    m_remedy->setText(DeadlockText::remedy(*shape));
    m_purpose->setText(DeadlockText::ofRun());
    m_purpose->setVisible(shape->isOfRun);
    m_seen->setText(DeadlockText::seen(*shape));
    showSides();
    showText();
}

void DeadlockInspector::showMark()
{
    if (m_shape)
        setMark(m_shape->isOfRun ? Mark::Released : Mark::Violation);
}

void DeadlockInspector::showSides()
{
    delete m_sides;
    m_sides = new QWidget(m_body);
    auto *column = new QVBoxLayout(m_sides);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kSpaceInGroup);
    m_sidesPlace->addWidget(m_sides);
    const QList<DeadlockSide> &sides = m_shape->latest.sides;
    for (const DeadlockSide &side : sides.first(qMin(sides.size(), kMaxSides)))
        addSide(side);
    if (sides.size() > kMaxSides) {
        QLabel *more = makeLabel(m_sides);
        more->setText(tr("%n more are in the copied text.", nullptr, int(sides.size() - kMaxSides)));
        column->addWidget(more);
    }
    m_sides->show();
}

void DeadlockInspector::addSide(const DeadlockSide &side)
{
    auto *column = static_cast<QVBoxLayout *>(m_sides->layout());
    const bool isVictim = side.number == m_shape->latest.victim;
    QLabel *title = makeLabel(m_sides);
    title->setFont(headingFont());
    title->setText(DeadlockText::nameInFull(side) + (isVictim ? u", "_s + DeadlockText::rolledBack() : QString()));
    QLabel *statement = makeLabel(m_sides);
    statement->setFont(fixedFont());
    statement->setText(breakable(DeadlockText::statement(side)));
    QLabel *facts = makeLabel(m_sides);
    facts->setText(breakable(DeadlockText::facts(m_shape->latest, side).join(u'\n')));
    for (QLabel *label : {title, statement, facts})
        column->addWidget(label);
    column->addSpacing(kSpace);
}

void DeadlockInspector::showText()
{
    const Deadlock &deadlock = m_shape->latest;
    QString title = tr("As the server sent it");
    if (deadlock.isCut)
        title += u'\n' + DeadlockText::cutText();
    QString text = visibleLines(QString::fromUtf8(deadlock.text));
    if (text.size() > kMaxText) {
        text.truncate(kMaxText);
        title += u'\n' + tr("Its beginning; the whole of it is in the copied text.");
    }
    m_textTitle->setText(title);
    m_text->setPlainText(text);
}

} // namespace lockscope::ui
