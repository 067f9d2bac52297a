// SPDX-License-Identifier: MIT
#include "facetbar.h"

#include "ui/style/statemark.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"

#include <QtCore/QEvent>
#include <QtCore/QSignalBlocker>
#include <QtCore/QTimer>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QToolButton>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

FacetBar::FacetBar(QWidget *parent)
    : QWidget(parent)
    , m_facets{{{LockFacet::Held, LockState::Held, &LockCounts::held},
                {LockFacet::Waited, std::nullopt, &LockCounts::waiting},
                {LockFacet::Orphan, LockState::Orphan, &LockCounts::orphan},
                {LockFacet::Expired, LockState::Expired, &LockCounts::expired},
                {LockFacet::Kept, LockState::Kept, &LockCounts::kept},
                {LockFacet::Open, LockState::Open, &LockCounts::open},
                {LockFacet::Unknown, LockState::Unknown, &LockCounts::unknown}}}
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kSpaceInGroup);
    for (Facet &entry : m_facets) {
        entry.button = new QToolButton(this);
        entry.button->setCheckable(true);
        entry.button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        entry.button->setIcon(markIcon(entry.state ? markOf(*entry.state) : Mark::Waiting));
        entry.button->setToolTip(tr("Only locks that somebody waits for"));
        connect(entry.button, &QToolButton::toggled, this, &FacetBar::facetsChanged);
        layout->addWidget(entry.button);
    }
    setCounts({});
}

QString FacetBar::moreHeld()
{
    return tr("Only locks in this state. There may be more: of some that other programs keep in tables it is not known "
              "now whether they are held, for example because their table could not be read.");
}

LockFacets FacetBar::facets() const
{
    LockFacets facets;
    for (const Facet &entry : m_facets)
        facets.setFlag(entry.facet, entry.button->isChecked());
    return facets;
}

void FacetBar::setFacets(LockFacets facets)
{
    {
        const QSignalBlocker quiet(this);
        for (const Facet &entry : m_facets)
            entry.button->setChecked(facets.testFlag(entry.facet));
    }
    Q_EMIT facetsChanged();
}

void FacetBar::setCounts(const LockCounts &counts)
{
    const bool mayHoldMore = counts.unknownTables > 0 || counts.isAtLeast;
    for (const Facet &entry : m_facets) {
        const qint64 count = counts.*entry.count;
        QString text = CommonText::count(count);
        const bool mayBeMore = entry.state ? entry.state == LockState::Held && mayHoldMore : !counts.isWaitingKnown;
        if (mayBeMore)
            text = count == 0 ? u"?"_s : text + u'+';
        entry.button->setText((entry.state ? CommonText::state(*entry.state) : tr("Waiting")) + u' ' + text);
        if (entry.state)
            entry.button->setToolTip(mayBeMore ? moreHeld() : tr("Only locks in this state"));
        // Rare states take room only while there are any, or while they are what is shown.
        const bool isRare =
            entry.facet == LockFacet::Kept || entry.facet == LockFacet::Open || entry.facet == LockFacet::Unknown;
        entry.button->setVisible(!isRare || count > 0 || entry.button->isChecked());
    }
    fit();
}

/// What counts down moves none of its neighbours away from the mouse. And what is of a fixed size does not have the
/// whole window laid out anew for each number.
void FacetBar::fit()
{
    for (Facet &entry : m_facets) {
        const QSize hint = entry.button->sizeHint();
        entry.width = std::max(entry.width, hint.width());
        entry.button->setFixedSize(entry.width, hint.height());
    }
}

void FacetBar::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange)
        return;
    for (Facet &entry : m_facets)
        entry.width = 0;
    QTimer::singleShot(0, this, &FacetBar::fit); // once the buttons have it, too
}

void FacetBar::clear()
{
    setFacets({});
}

} // namespace lockscope::ui
