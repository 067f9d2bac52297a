// SPDX-License-Identifier: MIT
#include "lockgrouplist.h"

#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/widgets/livetableview.h"

#include <QtCore/QSignalBlocker>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kWidth = 260;
/// Behind those of roles.h.
constexpr int kNameRole = Qt::UserRole + 100;

/// Of no group: no name of a lock or a program has it.
const QString &allName()
{
    static const QString name(QChar(u'\0'));
    return name;
}

} // namespace

LockGroupModel::LockGroupModel(QObject *parent)
    : MergedModel({{tr("Group")}, {tr("Locks"), Qt::AlignRight}, {tr("Wait"), Qt::AlignRight}}, parent)
{
}

void LockGroupModel::show(const QList<LockGroup> &groups, LockGrouping grouping)
{
    LockGroup all{allName(), 0, 0};
    for (const LockGroup &group : groups) {
        all.locks += group.locks;
        all.waiting += group.waiting;
    }
    m_grouping = grouping;
    setRows(grouping == LockGrouping::None ? QList<LockGroup>() : QList<LockGroup>{all} + groups);
}

QString LockGroupModel::nameOf(const QModelIndex &index) const
{
    const QString &name = m_rows[index.row()].name;
    if (name == allName())
        return tr("All");
    if (!name.isEmpty())
        return CommonText::resource(name.toUtf8());
    return m_grouping == LockGrouping::Holder ? tr("No holder known")
        : m_grouping == LockGrouping::Profile ? tr("In no lock table")
                                              : tr("Without a name");
}

QVariant LockGroupModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const LockGroup &group = m_rows[index.row()];
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(index.column());
    if (role == kNameRole)
        return group.name == allName() ? QVariant() : QVariant(group.name);
    if (role == Qt::ToolTipRole)
        return CommonText::tip(nameOf(index));
    if (role != Qt::DisplayRole)
        return {};
    switch (Column(index.column())) {
    case NameColumn:
        return nameOf(index);
    case LocksColumn:
        return CommonText::count(group.locks);
    case WaitingColumn:
        return CommonText::count(group.waiting);
    case ColumnCount:
        break;
    }
    return {};
}

LockGroupList::LockGroupList(QWidget *parent)
    : QWidget(parent)
    , m_chooser(new QComboBox(this))
    , m_model(new LockGroupModel(this))
    , m_view(new LiveTableView(this))
{
    for (const auto &[grouping, text] :
         {std::pair{LockGrouping::None, tr("No groups")}, std::pair{LockGrouping::Holder, tr("By holder")},
          std::pair{LockGrouping::Resource, tr("By resource")}, std::pair{LockGrouping::Kind, tr("By kind")},
          std::pair{LockGrouping::Profile, tr("By profile")}, std::pair{LockGrouping::Server, tr("By server")}})
        m_chooser->addItem(text, int(grouping));
    m_chooser->setAccessibleName(tr("Groups"));
    m_chooser->setToolTip(tr("Count the locks by what they have in common, and look into one of the groups"));
    m_view->setModel(m_model);
    m_view->setAccessibleName(tr("Groups"));
    m_view->setColumns({{u"a service"_s, 4}, {u"100,000"_s}, {u"5,000"_s}});
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_view);
    setFixedWidth(forType(kWidth));
    hide();
    connect(m_chooser, &QComboBox::currentIndexChanged, this, &LockGroupList::onChosen);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &LockGroupList::onSelected);
}

LockGrouping LockGroupList::grouping() const
{
    return LockGrouping(m_chooser->currentData().toInt());
}

void LockGroupList::show(const QList<LockGroup> &groups)
{
    QList<LockGroup> shown = groups;
    const auto isWithin = [this](const LockGroup &group) { return group.name == m_within; };
    if (m_within && std::none_of(shown.cbegin(), shown.cend(), isWithin))
        shown.append({*m_within, 0, 0}); // what is looked into stays in sight
    m_view->keepPlace();
    m_model->show(shown, grouping());
    m_view->restorePlace();
    if (!m_within || m_view->selectionModel()->hasSelection())
        return;
    const auto &rows = m_model->rows(); // one that changed its place lost its selection
    const auto row = std::find_if(rows.cbegin(), rows.cend(), isWithin);
    if (row != rows.cend())
        m_view->chooseRow(int(row - rows.cbegin()));
}

void LockGroupList::clear()
{
    m_chooser->setCurrentIndex(0);
}

void LockGroupList::onChosen()
{
    m_within.reset();
    {
        const QSignalBlocker quiet(m_view->selectionModel());
        m_view->selectionModel()->clear();
    }
    m_model->show({}, LockGrouping::None); // until the next list has those of this kind
    setVisible(grouping() != LockGrouping::None);
    Q_EMIT changed();
}

void LockGroupList::onSelected()
{
    const QModelIndexList rows = m_view->selectionModel()->selectedRows();
    if (rows.isEmpty()) // it only changes its place
        return;
    const QVariant name = rows.first().data(kNameRole);
    const auto within = name.isValid() ? std::optional(name.toString()) : std::nullopt;
    if (within == m_within)
        return;
    m_within = within;
    Q_EMIT changed();
}

} // namespace lockscope::ui
