// SPDX-License-Identifier: MIT
#include "facetbar.h"

#include "ui/style/statemark.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"

#include <QtCore/QSignalBlocker>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QToolButton>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

Mark markOfFacet(LockFacet facet)
{
    switch (facet) {
    case LockFacet::Held:
        return Mark::Held;
    case LockFacet::Waited:
        return Mark::Waiting;
    case LockFacet::Orphan:
        return Mark::Orphan;
    case LockFacet::Expired:
        return Mark::Expired;
    case LockFacet::Kept:
        return Mark::Released;
    case LockFacet::Open:
        return Mark::Open;
    case LockFacet::Unknown:
        break;
    }
    return Mark::Unknown;
}

QString wordOfFacet(LockFacet facet)
{
    switch (facet) {
    case LockFacet::Held:
        return CommonText::state(LockState::Held);
    case LockFacet::Waited:
        return FacetBar::tr("Waiting");
    case LockFacet::Orphan:
        return CommonText::state(LockState::Orphan);
    case LockFacet::Expired:
        return CommonText::state(LockState::Expired);
    case LockFacet::Kept:
        return CommonText::state(LockState::Kept);
    case LockFacet::Open:
        return CommonText::state(LockState::Open);
    case LockFacet::Unknown:
        break;
    }
    return CommonText::state(LockState::Unknown);
}

qint64 countOfFacet(LockFacet facet, const LockCounts &counts)
{
    switch (facet) {
    case LockFacet::Held:
        return counts.held;
    case LockFacet::Waited:
        return counts.waiting;
    case LockFacet::Orphan:
        return counts.orphan;
    case LockFacet::Expired:
        return counts.expired;
    case LockFacet::Kept:
        return counts.kept;
    case LockFacet::Open:
        return counts.open;
    case LockFacet::Unknown:
        break;
    }
    return counts.unknown;
}

} // namespace

FacetBar::FacetBar(QWidget *parent)
    : QWidget(parent)
    , m_facets{{{LockFacet::Held},
                {LockFacet::Waited},
                {LockFacet::Orphan},
                {LockFacet::Expired},
                {LockFacet::Kept},
                {LockFacet::Open},
                {LockFacet::Unknown}}}
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kSpaceInGroup);
    for (Facet &entry : m_facets) {
        entry.button = new QToolButton(this);
        entry.button->setCheckable(true);
        entry.button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        entry.button->setIcon(markIcon(markOfFacet(entry.facet)));
        entry.button->setToolTip(entry.facet == LockFacet::Waited ? tr("Only locks that somebody waits for")
                                                                  : tr("Only locks in this state"));
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

void FacetBar::setCounts(const LockCounts &counts)
{
    for (const Facet &entry : m_facets) {
        const qint64 count = countOfFacet(entry.facet, counts);
        QString text = CommonText::count(count);
        if (entry.facet == LockFacet::Waited && !counts.isWaitingKnown)
            text = count == 0 ? u"?"_s : text + u'+';
        entry.button->setText(wordOfFacet(entry.facet) + u' ' + text);
        // Rare states take room only while there are any, or while they are what is shown.
        const bool isRare =
            entry.facet == LockFacet::Kept || entry.facet == LockFacet::Open || entry.facet == LockFacet::Unknown;
        entry.button->setVisible(!isRare || count > 0 || entry.button->isChecked());
    }
}

void FacetBar::clear()
{
    {
        const QSignalBlocker quiet(this);
        for (const Facet &entry : m_facets)
            entry.button->setChecked(false);
    }
    Q_EMIT facetsChanged();
}

} // namespace lockscope::ui
