// SPDX-License-Identifier: MIT
#include "lessonlibrarybox.h"

#include "lessonlistmodel.h"
#include "lessonquestion.h"
#include "ui/style/theme.h"
#include "ui/text/linktext.h"
#include "ui/widgets/filteredit.h"
#include "ui/widgets/livetableview.h"
#include "ui/widgets/mutedlabel.h"

#include <QtCore/QSortFilterProxyModel>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

LessonLibraryBox::LessonLibraryBox(QWidget *parent)
    : QWidget(parent)
    , m_model(new LessonListModel(this))
    , m_filtered(new QSortFilterProxyModel(this))
    , m_filter(new FilterEdit(tr("Filter by any word"), this))
    , m_view(new LiveTableView(this))
    , m_score(new MutedLabel(LessonQuestionBox::score(), this))
{
    m_filtered->setSourceModel(m_model);
    m_filtered->setFilterRole(LessonListModel::SearchRole);
    m_filtered->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_view->setModel(m_filtered);
    m_view->setAccessibleName(tr("Lessons"));
    m_view->setColumns({{u"40"_s}, {u"Ghost stock: 10 phones, A buys 6"_s, 3}, {u"medium"_s, 0, 1}});
    m_filter->setList(m_view);
    connect(m_filter, &FilterEdit::textChanged, m_filtered, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) {
                if (current.isValid())
                    Q_EMIT chosen(m_model->lesson(m_filtered->mapToSource(current).row()));
            });
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kSpaceSection, kSpace, 0, kSpace);
    column->setSpacing(kSpace);
    column->addWidget(m_filter);
    column->addWidget(m_view, 1);
    column->addWidget(m_score);
}

void LessonLibraryBox::load()
{
    m_model->load(LinkText::lessonLanguage());
}

void LessonLibraryBox::chooseAny()
{
    load();
    if (!m_view->currentIndex().isValid())
        m_view->chooseRow(0);
}

void LessonLibraryBox::choose(const QString &id)
{
    load();
    const int row = m_model->rowOf(id);
    if (row < 0)
        return;
    m_filter->clear();
    m_view->chooseRow(m_filtered->mapFromSource(m_model->index(row, 0)).row());
}

void LessonLibraryBox::setPlayed(const QString &id)
{
    m_model->setPlayed(id);
}

void LessonLibraryBox::takeFilter()
{
    m_filter->take();
}

void LessonLibraryBox::showScore()
{
    m_score->setText(LessonQuestionBox::score());
}

} // namespace lockscope::ui
