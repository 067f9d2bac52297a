// SPDX-License-Identifier: MIT
#include "lessonmomentbox.h"

#include "indexruler.h"
#include "lessonlockmodel.h"
#include "ui/widgets/livetableview.h"

#include <QtWidgets/QScrollArea>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

LessonMomentBox::LessonMomentBox(QWidget *parent)
    : QTabWidget(parent)
    , m_locks(new LessonLockModel(this))
    , m_ruler(new IndexRuler(this))
{
    auto *list = new LiveTableView(this);
    list->setModel(m_locks);
    list->setAccessibleName(tr("Row locks after this step"));
    const int mark = fontMetrics().height() + 6;
    list->setColumns({{u"W10"_s, 0, 0, mark},
                      {u"goods_table"_s, 1},
                      {u"PRIMARY"_s, 1},
                      {u"exclusive"_s, 0, 1},
                      {u"insert into the gap before"_s, 1},
                      {u"20, 'phone'"_s, 2},
                      {u"held, new"_s}});
    auto *picture = new QScrollArea(this);
    picture->setWidget(m_ruler);
    picture->setWidgetResizable(true);
    picture->setFrameShape(QFrame::NoFrame);
    setDocumentMode(true);
    addTab(picture, tr("Indexes and locks"));
    addTab(list, tr("Row locks after this step"));
}

void LessonMomentBox::show(const QStringList &sessions, const QList<LessonMoment> &moments, qsizetype index)
{
    const LessonMoment moment = moments.value(index);
    m_locks->show(moment, moments.value(index - 1));
    m_ruler->show(moment, sessions);
}

} // namespace lockscope::ui
