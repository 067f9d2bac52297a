// SPDX-License-Identifier: MIT
#include "runspanel.h"

#include "labrunmodel.h"
#include "runchart.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"

#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QTableView>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

RunsPanel::RunsPanel(QWidget *parent)
    : QWidget(parent)
    , m_runs(new LabRunModel(this))
    , m_table(new QTableView(this))
    , m_chart(new RunChart(m_runs, this))
    , m_unlike(new QLabel(this))
{
    setupTable();
    auto *open = new QPushButton(tr("Open saved runs…"), this);
    auto *clear = new QPushButton(tr("Clear the list"), this);
    connect(open, &QPushButton::clicked, this, &RunsPanel::choose);
    connect(clear, &QPushButton::clicked, m_runs, &LabRunModel::clear);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(kSpace);
    buttons->addWidget(m_unlike, 1);
    m_unlike->setWordWrap(true);
    const auto mark = [this] {
        m_unlike->setText(haveLikeLengths(m_runs->reports())
                              ? QString()
                              : tr("These runs differ in length: compare their rates, not their counts."));
    };
    connect(m_runs, &QAbstractItemModel::rowsInserted, this, mark);
    connect(m_runs, &QAbstractItemModel::rowsRemoved, this, mark);
    buttons->addWidget(open);
    buttons->addWidget(clear);
    auto *scroll = new QScrollArea(this);
    scroll->setWidget(m_chart);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setBackgroundRole(QPalette::Base);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, kSpace, 0, 0);
    column->setSpacing(kSpace);
    column->addWidget(m_table, 1);
    column->addWidget(scroll, 2);
    column->addLayout(buttons);
}

void RunsPanel::setupTable()
{
    m_table->setModel(m_runs);
    m_table->setAccessibleName(tr("Runs side by side"));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kSpace);
    QHeaderView *header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    fitColumns();
    connect(m_runs, &QAbstractItemModel::rowsInserted, this, [this] {
        fitColumns();
        m_table->scrollToBottom();
    });
    connect(m_runs, &QAbstractItemModel::rowsRemoved, this, &RunsPanel::fitColumns);
}

/// A harm that no run has done says nothing, and the names of the runs need the room.
void RunsPanel::fitColumns()
{
    for (int column = 0; column < m_runs->columnCount(); ++column)
        m_table->setColumnHidden(column, m_runs->rowCount() > 0 && m_runs->isOfNoRun(column));
    m_table->resizeColumnsToContents();
}

void RunsPanel::choose()
{
    const QString name = QFileDialog::getOpenFileName(this, tr("Open saved runs"), {}, u"JSON (*.json)"_s);
    if (!name.isEmpty())
        open(name);
}

void RunsPanel::open(const QString &fileName)
{
    QFile file(fileName);
    QJsonParseError damage;
    const QJsonDocument json =
        file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll(), &damage) : QJsonDocument();
    if (json.isNull()) {
        Q_EMIT failed(tr("%1 cannot be read, or is damaged or cut off.").arg(fileName),
                      file.isOpen() ? damage.errorString() : file.errorString());
        return;
    }
    const QJsonArray runs = json.isArray() ? json.array() : QJsonArray{json.object()};
    for (const auto &run : runs) {
        QString error;
        const auto report = LabReport::fromJson(run.toObject(), &error);
        if (report)
            m_runs->add(*report);
        else
            Q_EMIT failed(tr("%1: %2").arg(fileName, error), {});
    }
}

} // namespace lockscope::ui
