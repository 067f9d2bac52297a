// SPDX-License-Identifier: MIT
#pragma once

#include "locks/locklist.h"

#include <QtWidgets/QWidget>

#include <array>

class QToolButton;

namespace lockscope::ui {

/// Buttons that narrow the list to a state, each with its mark and count: Held 12, Waiting 5, Orphan 1, …
class FacetBar : public QWidget
{
    Q_OBJECT
public:
    explicit FacetBar(QWidget *parent = nullptr);

    LockFacets facets() const;
    void setFacets(LockFacets facets);
    void setCounts(const LockCounts &counts);
    void clear();

Q_SIGNALS:
    void facetsChanged();

protected:
    void changeEvent(QEvent *event) override;

private:
    struct Facet
    {
        LockFacet facet;
        std::optional<LockState> state; ///< none: whatever somebody waits for
        qint64 LockCounts::*count;
        QToolButton *button = nullptr;
        int width = 0; ///< the widest so far
    };

    static QString moreHeld();
    void fit();

    std::array<Facet, 7> m_facets;
};

} // namespace lockscope::ui
