// SPDX-License-Identifier: MIT
#include "runchart.h"

#include "lab/labdocument.h"
#include "labrunmodel.h"
#include "labtext.h"
#include "ui/charts/chartstyle.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"

#include <QtGui/QFontInfo>
#include <QtGui/QPainter>
#include <QtGui/QResizeEvent>
#include <QtSvg/QSvgRenderer>

namespace lockscope::ui {

namespace {

LabChartLook lookOf(const QWidget *widget, int width)
{
    const QPalette &palette = widget->palette();
    LabChartLook look;
    look.width = width;
    look.fontSize = QFontInfo(widget->font()).pixelSize();
    look.fontFamily = widget->font().family();
    look.background = palette.color(QPalette::Base).name();
    look.text = palette.color(QPalette::Text).name();
    look.muted = mutedText(palette).name();
    look.harm = markColor(Mark::Violation, palette).name();
    for (const auto column : LabChart::columns())
        look.heads += LabText::column(column);
    look.moreIsBetter = RunChart::tr("more is better");
    look.lessIsBetter = RunChart::tr("less is better");
    return look;
}

} // namespace

RunChart::RunChart(const LabRunModel *runs, QWidget *parent)
    : QWidget(parent)
    , m_runs(runs)
    , m_picture(new QSvgRenderer(this))
{
    setAccessibleName(tr("Runs side by side, as bars"));
    connect(runs, &QAbstractItemModel::rowsInserted, this, &RunChart::draw);
    connect(runs, &QAbstractItemModel::rowsRemoved, this, &RunChart::draw);
}

void RunChart::draw()
{
    LabChartLook look = lookOf(this, width());
    for (const LabReport &report : m_runs->reports()) {
        look.names += LabText::run(report.plan);
        const LabWayTraits &traits = traitsOf(report.plan.way);
        const QByteArray mode = traits.isEngine && traits.isInTransaction ? "pessimistic" : traits.name;
        look.bars += ChartStyle::modeColor(mode, palette()).name();
    }
    m_picture->load(LabChart::svg(m_runs->reports(), look));
    setFixedHeight(m_picture->defaultSize().height());
    update();
}

void RunChart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    m_picture->render(&painter, QRectF(QPointF(0, 0), QSizeF(m_picture->defaultSize())));
}

void RunChart::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != width())
        draw();
}

void RunChart::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        draw();
}

} // namespace lockscope::ui
