// SPDX-License-Identifier: MIT
#include "facetbar.h"

#include "ui/style/statemark.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"

#include <QtCore/QSignalBlocker>
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
        entry.button->setToolTip(entry.state ? tr("Only locks in this state")
                                             : tr("Only locks that somebody waits for"));
        connect(entry.button, &QToolButton::toggled, this, &FacetBar::facetsChanged);
        layout->addWidget(entry.button);
    }
    setCounts({});
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
    for (const Facet &entry : m_facets) {
        const qint64 count = counts.*entry.count;
        QString text = CommonText::count(count);
        if (!entry.state && !counts.isWaitingKnown)
            text = count == 0 ? u"?"_s : text + u'+';
        entry.button->setText((entry.state ? CommonText::state(*entry.state) : tr("Waiting")) + u' ' + text);
        // What counts down moves none of its neighbours away from the mouse.
        entry.button->setMinimumWidth(std::max(entry.button->minimumWidth(), entry.button->sizeHint().width()));
        // Rare states take room only while there are any, or while they are what is shown.
        const bool isRare =
            entry.facet == LockFacet::Kept || entry.facet == LockFacet::Open || entry.facet == LockFacet::Unknown;
        entry.button->setVisible(!isRare || count > 0 || entry.button->isChecked());
    }
}

void FacetBar::clear()
{
    setFacets({});
}

} // namespace lockscope::ui
