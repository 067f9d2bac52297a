// SPDX-License-Identifier: MIT
#include "lessonlibrarybox.h"

#include "lessonclaimmodel.h"
#include "lessonlistmodel.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/text/linktext.h"
#include "ui/widgets/filteredit.h"
#include "ui/widgets/linklabel.h"
#include "ui/widgets/livetableview.h"
#include "ui/widgets/mutedlabel.h"

#include <QtCore/QSortFilterProxyModel>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QTabWidget>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

LessonLibraryBox::LessonLibraryBox(QWidget *parent)
    : QWidget(parent)
    , m_model(new LessonListModel(this))
    , m_filtered(new QSortFilterProxyModel(this))
    , m_claims(new LessonClaimModel(this))
    , m_filteredClaims(new QSortFilterProxyModel(this))
    , m_filter(new FilterEdit(tr("Filter by any word"), this))
    , m_tabs(new QTabWidget(this))
    , m_view(new LiveTableView(this))
    , m_claimView(new QTableView(this))
    , m_progress(new MutedLabel({}, this))
    , m_score(new MutedLabel({}, this))
    , m_again(new LinkLabel(this))
{
    setupLessons();
    setupClaims();
    m_tabs->setDocumentMode(true);
    m_tabs->setUsesScrollButtons(false); // a name that is cut says more than one out of sight
    m_tabs->setElideMode(Qt::ElideRight);
    m_tabs->addTab(m_view, tr("Lessons"));
    m_tabs->addTab(m_claimView, tr("What articles say"));
    connect(m_tabs, &QTabWidget::currentChanged, this,
            [this] { m_filter->setList(qobject_cast<QAbstractItemView *>(m_tabs->currentWidget())); });
    m_filter->setList(m_view);
    connect(m_filter, &FilterEdit::textChanged, this, &LessonLibraryBox::filterBy);
    connect(m_again, &LinkLabel::chosen, this, &LessonLibraryBox::askAgain);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kSpaceSection, kSpace, 0, kSpace);
    column->setSpacing(kSpace);
    column->addWidget(m_filter);
    column->addWidget(m_tabs, 1);
    for (QLabel *label :
         {static_cast<QLabel *>(m_progress), static_cast<QLabel *>(m_score), static_cast<QLabel *>(m_again)})
        column->addWidget(label);
    showScore();
}

void LessonLibraryBox::setupLessons()
{
    m_filtered->setSourceModel(m_model);
    m_filtered->setFilterRole(LessonListModel::SearchRole);
    m_filtered->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_view->setModel(m_filtered);
    m_view->setAccessibleName(tr("Lessons"));
    const int digit = m_view->fontMetrics().horizontalAdvance(u'0'); // of numbers that come into sight later
    m_view->setColumns({{u"4"_s, 0, 0, digit}, {u"Ghost stock: 10 phones, A buys 6"_s, 3}, {u"medium"_s, 0, 1}});
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) {
                if (current.isValid())
                    Q_EMIT chosen(m_model->lesson(m_filtered->mapToSource(current).row()));
            });
}

/// Sentences, so each row is as high as its own.
void LessonLibraryBox::setupClaims()
{
    m_filteredClaims->setSourceModel(m_claims);
    m_filteredClaims->setFilterRole(LessonClaimModel::SearchRole);
    m_filteredClaims->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_claimView->setModel(m_filteredClaims);
    m_claimView->setAccessibleName(tr("What articles say"));
    m_claimView->setFrameShape(QFrame::NoFrame);
    m_claimView->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_claimView->setSelectionMode(QAbstractItemView::SingleSelection);
    m_claimView->setTabKeyNavigation(false);
    m_claimView->setIconSize(QSize(1, 1) * m_claimView->fontMetrics().height());
    m_claimView->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_claimView->verticalHeader()->hide();
    m_claimView->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_claimView->horizontalHeader()->setHighlightSections(false);
    m_claimView->horizontalHeader()->setSectionResizeMode(LessonClaimModel::Claim, QHeaderView::Stretch);
    m_claimView->horizontalHeader()->setSectionResizeMode(LessonClaimModel::Verdict, QHeaderView::ResizeToContents);
    connect(m_claimView, &QTableView::activated, this,
            [this](const QModelIndex &index) { choose(index.data(LessonClaimModel::LessonRole).toString()); });
}

void LessonLibraryBox::filterBy(const QString &text)
{
    m_filtered->setFilterFixedString(text);
    m_filteredClaims->setFilterFixedString(text);
}

void LessonLibraryBox::load()
{
    if (m_model->rowCount() > 0)
        return;
    m_model->load(LinkText::lessonLanguage());
    m_claims->add(m_model->lessons());
    m_progress->setText(m_model->progress());
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
    const auto shown = [this, row] { return m_filtered->mapFromSource(m_model->index(row, 0)); };
    if (!shown().isValid())
        m_filter->clear();
    m_view->chooseRow(shown().row());
}

void LessonLibraryBox::setPlayed(const QString &id)
{
    m_model->setPlayed(id);
    m_progress->setText(m_model->progress());
}

void LessonLibraryBox::takeFilter()
{
    m_filter->take();
}

QString LessonLibraryBox::progress() const
{
    return QStringList{m_progress->text(), m_score->text()}.join(u'\n');
}

void LessonLibraryBox::showScore()
{
    m_score->setText(LessonScore::total());
    m_score->setVisible(!m_score->text().isEmpty());
    m_score->setToolTip(CommonText::tip(LessonScore::byTopic().join(u'\n')));
    const qsizetype again = LessonScore::again().size();
    QList<LinkLabel::Link> links;
    if (again > 0)
        links.append({tr("%1 to be asked again").arg(again), u"again"_s});
    m_again->setLinks(u"%1"_s, links);
    m_again->setToolTip(tr("Plays a lesson up to the question that was answered wrong"));
}

/// The first that there still is: a lesson may have changed since.
void LessonLibraryBox::askAgain()
{
    load();
    for (const LessonScore::Question &question : LessonScore::again()) {
        const int row = m_model->rowOf(question.lesson);
        if (row >= 0 && question.number < m_model->lesson(row).questions.size()) {
            m_view->selectionModel()->clear(); // it begins anew, whatever was done with it
            choose(question.lesson);
            Q_EMIT askedAgain(question.number);
            return;
        }
        LessonScore::forget(question);
    }
    showScore();
}

} // namespace lockscope::ui
