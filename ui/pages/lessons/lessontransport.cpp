// SPDX-License-Identifier: MIT
#include "lessontransport.h"

#include "lessonautoplay.h"
#include "ui/style/theme.h"
#include "ui/widgets/flowlayout.h"

#include <QtWidgets/QPushButton>

namespace lockscope::ui {

LessonTransport::LessonTransport(QWidget *parent)
    : QWidget(parent)
    , m_back(new QPushButton(tr("Back"), this))
    , m_next(new QPushButton(tr("Next"), this))
    , m_auto(new LessonAutoPlay(this))
    , m_again(new QPushButton(tr("Start over"), this))
    , m_free(new QPushButton(tr("Free play"), this))
    , m_exercise(new QPushButton(tr("Exercise"), this))
{
    m_back->setToolTip(tr("Replays the lesson in a fresh schema up to the step before (Alt+Left)"));
    m_next->setToolTip(tr("Plays the next step (Alt+Right)"));
    m_again->setToolTip(tr("Begins the lesson anew, in a fresh schema"));
    m_free->setToolTip(tr("You choose whose statement is next, write your own, and see what faults do"));
    m_exercise->setToolTip(tr("Write one of the lesson's statements better"));
    m_back->setShortcut(QKeyCombination(Qt::AltModifier, Qt::Key_Left));
    m_next->setShortcut(QKeyCombination(Qt::AltModifier, Qt::Key_Right));
    m_free->setCheckable(true);
    m_exercise->setCheckable(true);
    connect(m_back, &QPushButton::clicked, this, &LessonTransport::backWanted);
    connect(m_next, &QPushButton::clicked, this, &LessonTransport::nextWanted);
    connect(m_again, &QPushButton::clicked, this, &LessonTransport::startOverWanted);
    connect(m_auto, &LessonAutoPlay::due, m_next, &QPushButton::click); // nothing, where it cannot be pressed
    auto *row = new FlowLayout(kSpace, this);
    const QList<QWidget *> all{m_back, m_next, m_auto, m_again, m_free, m_exercise};
    for (QWidget *each : all)
        row->addWidget(each);
}

void LessonTransport::offer(const Offer &offer)
{
    m_focus.setEnabled(m_next, offer.next);
    m_focus.setEnabled(m_back, offer.back);
    m_again->setEnabled(offer.startOver);
    m_auto->setOffered(offer.autoPlay);
}

} // namespace lockscope::ui
