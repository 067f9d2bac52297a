// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lessonplayer.h"

#include <QtWidgets/QTabWidget>

namespace lockscope::ui {

class IndexRuler;
class LessonLockModel;

/// What is locked at a moment of a lesson, twice: as a picture, and as a list.
class LessonMomentBox : public QTabWidget
{
    Q_OBJECT
public:
    explicit LessonMomentBox(QWidget *parent = nullptr);

    /// What the one at `index` shows; nothing at -1. `sessions` in the order of their colours.
    void show(const QStringList &sessions, const QList<LessonMoment> &moments, qsizetype index);
    LessonLockModel *locks() const { return m_locks; }
    IndexRuler *ruler() const { return m_ruler; }

private:
    LessonLockModel *m_locks;
    IndexRuler *m_ruler;
};

} // namespace lockscope::ui
