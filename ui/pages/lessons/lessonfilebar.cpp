// SPDX-License-Identifier: MIT
#include "lessonfilebar.h"

#include "ui/style/theme.h"
#include "ui/widgets/flowlayout.h"

#include <QtCore/QFileInfo>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QPushButton>

namespace lockscope::ui {

LessonFileBar::LessonFileBar(QWidget *parent)
    : QWidget(parent)
    , m_open(new QPushButton(tr("Open a file…"), this))
    , m_takeOff(new QPushButton(tr("Take off the list"), this))
{
    m_open->setToolTip(tr("Lists a lesson of your own, from its file; it can be dropped here too"));
    auto *row = new FlowLayout(kSpace, this);
    row->addWidget(m_open);
    row->addWidget(m_takeOff);
    setCurrent({});
    connect(m_open, &QPushButton::clicked, this, &LessonFileBar::ask);
    connect(m_takeOff, &QPushButton::clicked, this, [this] { Q_EMIT takenOff(m_current); });
}

void LessonFileBar::setCurrent(const QString &path)
{
    m_current = path;
    m_takeOff->setVisible(!path.isEmpty());
    m_takeOff->setToolTip(tr("%1 stays as it is").arg(path));
}

void LessonFileBar::ask()
{
    const QStringList paths = QFileDialog::getOpenFileNames(this, tr("Open lessons of your own"),
                                                            QFileInfo(m_current).path(), tr("Lessons (*.md)"));
    if (!paths.isEmpty())
        Q_EMIT opened(paths);
}

} // namespace lockscope::ui
