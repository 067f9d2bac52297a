// SPDX-License-Identifier: MIT
#include "lessonlibrarybox.h"

#include "lessonclaimmodel.h"
#include "lessonfilebar.h"
#include "lessonfiles.h"
#include "lessonlistmodel.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/text/linktext.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/filteredit.h"
#include "ui/widgets/linklabel.h"
#include "ui/widgets/livetableview.h"
#include "ui/widgets/mutedlabel.h"

#include <QtCore/QMimeData>
#include <QtCore/QSortFilterProxyModel>
#include <QtGui/QDropEvent>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QStackedWidget>
#include <QtWidgets/QTabWidget>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

QStringList lessonFiles(const QMimeData *data)
{
    QStringList paths;
    for (const QUrl &url : data->urls()) {
        if (url.toLocalFile().endsWith(".md"_L1))
            paths += url.toLocalFile();
    }
    return paths;
}

} // namespace

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
    , m_files(new LessonFileBar(this))
    , m_progress(new MutedLabel({}, this))
    , m_score(new MutedLabel({}, this))
    , m_again(new LinkLabel(this))
{
    setupLessons();
    setupClaims();
    setupTabs();
    setAcceptDrops(true);
    connect(m_filter, &FilterEdit::textChanged, this, &LessonLibraryBox::filterBy);
    connect(m_filter, &FilterEdit::returnPressed, this, &LessonLibraryBox::openFound);
    connect(m_again, &LinkLabel::chosen, this, &LessonLibraryBox::askAgain);
    connect(m_files, &LessonFileBar::opened, this, &LessonLibraryBox::openFiles);
    connect(m_files, &LessonFileBar::takenOff, this, &LessonLibraryBox::takeOff);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kSpaceSection, kSpace, 0, kSpace);
    column->setSpacing(kSpace);
    column->addWidget(m_filter);
    column->addWidget(m_tabs, 1);
    column->addWidget(m_files);
    for (QLabel *label :
         {static_cast<QLabel *>(m_progress), static_cast<QLabel *>(m_score), static_cast<QLabel *>(m_again)})
        column->addWidget(label);
    showScore();
}

void LessonLibraryBox::setupTabs()
{
    m_tabs->setDocumentMode(true);
    m_tabs->setUsesScrollButtons(false); // a name that is cut says more than one out of sight
    m_tabs->setElideMode(Qt::ElideRight);
    m_tabs->addTab(withEmpty(m_view, tr("No lesson has these words")), tr("Lessons"));
    m_tabs->addTab(withEmpty(m_claimView, tr("Nothing that articles say has these words")), tr("What articles say"));
    const QList<QAbstractItemView *> lists{m_view, m_claimView};
    connect(m_tabs, &QTabWidget::currentChanged, this, [this, lists](int tab) { m_filter->setList(lists.value(tab)); });
    m_filter->setList(m_view);
}

/// In its place stands what is said when the filter finds nothing.
QStackedWidget *LessonLibraryBox::withEmpty(QWidget *list, const QString &headline)
{
    auto *empty = new EmptyState(this);
    empty->setMessage(headline, {}, {}, tr("Clear filter"));
    connect(empty, &EmptyState::actionClicked, m_filter, &QLineEdit::clear);
    auto *both = new QStackedWidget(this);
    both->addWidget(list);
    both->addWidget(empty);
    return both;
}

void LessonLibraryBox::setupLessons()
{
    m_filtered->setSourceModel(m_model);
    m_filtered->setFilterRole(LessonListModel::SearchRole);
    m_filtered->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_view->setModel(m_filtered);
    m_view->setAccessibleName(tr("Lessons"));
    const int digit = m_view->fontMetrics().horizontalAdvance(u'0'); // of numbers that come into sight later
    m_view->setColumns(
        {{LessonListModel::own(), 0, 0, digit}, {u"Ghost stock: 10 phones, A buys 6"_s, 3}, {u"medium"_s, 0, 1}});
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &LessonLibraryBox::onChosen);
    connect(m_view, &QAbstractItemView::clicked, this, &LessonLibraryBox::readIfEdited);
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
    connect(m_claimView->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) { m_hasMoved = m_hasMoved || current.isValid(); });
    connect(m_claimView, &QTableView::activated, this,
            [this](const QModelIndex &index) { choose(index.data(LessonClaimModel::LessonRole).toString()); });
}

void LessonLibraryBox::filterBy(const QString &text)
{
    m_filtered->setFilterFixedString(text);
    m_filteredClaims->setFilterFixedString(text);
    m_hasMoved = false;
    const auto show = [this](int tab, const QAbstractItemModel *found) {
        const bool isNone = found->rowCount() == 0 && !m_filter->text().isEmpty();
        static_cast<QStackedWidget *>(m_tabs->widget(tab))->setCurrentIndex(isNone ? 1 : 0);
    };
    show(0, m_filtered);
    show(1, m_filteredClaims);
}

/// The first one, unless the arrow keys have chosen another.
void LessonLibraryBox::openFound()
{
    if (m_tabs->currentIndex() == 0) {
        if (!m_hasMoved && m_filtered->rowCount() > 0)
            m_view->chooseRow(0);
        return;
    }
    const QModelIndex current = m_hasMoved ? m_claimView->currentIndex() : m_filteredClaims->index(0, 0);
    if (!current.isValid())
        return;
    m_claimView->setCurrentIndex(current);
    choose(current.data(LessonClaimModel::LessonRole).toString());
}

/// One of one's own is read from its file each time.
void LessonLibraryBox::onChosen(const QModelIndex &current)
{
    if (!current.isValid())
        return; // the filter hides it, and it is chosen nevertheless
    const int row = m_filtered->mapToSource(current).row();
    m_current = m_model->key(row);
    m_hasMoved = true;
    const bool isOwn = m_model->file(row);
    m_files->setCurrent(isOwn ? m_current : QString());
    if (isOwn)
        m_model->setFile(LessonFiles::read(m_current));
    const LessonFile *file = m_model->file(row);
    if (file && file->fault())
        Q_EMIT refused(*file);
    else
        Q_EMIT chosen(m_model->lesson(row));
}

/// A click on the one that is chosen already.
void LessonLibraryBox::readIfEdited()
{
    const int row = m_model->rowOf(m_current);
    const LessonFile *file = row < 0 ? nullptr : m_model->file(row);
    if (file && LessonFiles::read(file->path).source != file->source)
        readAgain();
}

void LessonLibraryBox::readAgain()
{
    const QString key = m_current;
    m_view->selectionModel()->clear(); // it begins anew, whatever was done with it
    choose(key);
}

void LessonLibraryBox::addFile(const QString &path)
{
    load();
    m_model->setFile(LessonFiles::read(LessonFiles::add(path)));
}

void LessonLibraryBox::openFiles(const QStringList &paths)
{
    for (const QString &path : paths)
        addFile(path);
    m_view->selectionModel()->clear();
    choose(LessonFiles::add(paths.constLast()));
}

void LessonLibraryBox::takeOff(const QString &path)
{
    LessonFiles::remove(path);
    m_model->removeFile(path);
    if (m_current != path)
        return;
    m_current.clear();
    chooseAny();
}

void LessonLibraryBox::dragEnterEvent(QDragEnterEvent *event)
{
    if (!lessonFiles(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void LessonLibraryBox::dropEvent(QDropEvent *event)
{
    event->acceptProposedAction();
    openFiles(lessonFiles(event->mimeData()));
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
    if (m_current.isEmpty())
        choose(m_model->lessons().constFirst().id);
}

void LessonLibraryBox::choose(const QString &key)
{
    load();
    const int row = m_model->rowOf(key);
    if (row < 0)
        return;
    const auto shown = [this, row] { return m_filtered->mapFromSource(m_model->index(row, 0)); };
    if (!shown().isValid())
        m_filter->clear();
    m_view->chooseRow(shown().row());
}

void LessonLibraryBox::setPlayed(const QString &key)
{
    m_model->setPlayed(key);
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
