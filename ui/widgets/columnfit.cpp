// SPDX-License-Identifier: MIT
#include "columnfit.h"

#include "flatheader.h"
#include "rowdelegate.h"

#include <QtCore/QAbstractItemModel>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockscope::ui {

namespace {

constexpr int kSlack = 4;

/// How the width of a view is handed out, step by step.
struct Fit
{
    const QList<ColumnSpec> &columns;
    QList<int> widths;
    QList<int> least; ///< of each column
    QList<int> shown;
    int rest; ///< that is not handed out; negative: too much is

    void give(int column, int pixels)
    {
        widths[column] += pixels;
        rest -= pixels;
    }

    /// While there is too little room, the columns that are missed least go.
    void drop()
    {
        const auto dropOf = [this](int column) {
            return columns[column].isShown || columns[column].wished ? 0 : columns[column].drop;
        };
        while (rest < 0) {
            const auto last =
                std::max_element(shown.begin(), shown.end(), [&](int a, int b) { return dropOf(a) < dropOf(b); });
            if (last == shown.end() || dropOf(*last) == 0)
                break;
            give(*last, -widths[*last]);
            shown.erase(last);
        }
    }

    void shrink(const QList<int> &some)
    {
        int spare = 0;
        for (const int column : some)
            spare += widths[column] - least[column];
        if (rest >= 0 || spare <= 0)
            return;
        const double part = std::min(1.0, double(-rest) / spare);
        for (const int column : some)
            give(column, -int(std::ceil(part * (widths[column] - least[column]))));
    }

    /// What a person makes wider, and large type, takes its room from the others; from the name, which stands first,
    /// last.
    void shrink()
    {
        shrink(shown.mid(1));
        shrink(shown);
    }

    /// The room that columns keep for texts still to come, as far as others need it for texts that are there.
    void takeFromRich(int wanted)
    {
        const auto spare = [this](int column) {
            const ColumnSpec &spec = columns[column];
            if (spec.wished || spec.needed == 0)
                return 0;
            const int text = spec.needed == ColumnSpec::Nothing ? 0 : spec.needed + kSlack;
            return std::max(0, widths[column] - std::max(least[column], text));
        };
        int spares = 0;
        for (const int column : std::as_const(shown))
            spares += spare(column);
        const double part = spares > 0 ? std::min(1.0, double(wanted) / spares) : 0;
        for (const int column : std::as_const(shown))
            give(column, -int(part * spare(column)));
    }

    void giveToNeedy()
    {
        const auto need = [this](int column) {
            const ColumnSpec &spec = columns[column];
            return spec.wished ? 0 : std::max(0, spec.needed + kSlack - widths[column]);
        };
        int needed = 0;
        for (const int column : std::as_const(shown))
            needed += need(column);
        if (needed > rest)
            takeFromRich(needed - rest);
        if (rest <= 0 || needed == 0)
            return;
        for (const int column : std::as_const(shown)) {
            if (columns[column].isWhole)
                give(column, std::min(rest, need(column)));
        }
        const int name = shown.first();
        int others = 0;
        for (const int column : shown.mid(1))
            others += need(column);
        const int all = std::accumulate(shown.cbegin(), shown.cend(), rest,
                                        [this](int sum, int column) { return sum + widths[column]; });
        const int most = std::max(0, 2 * all / 5 - widths[name]); // a long name must not take what others need
        give(name, std::min({rest, need(name), most}));
        const double part = others > 0 ? std::min(1.0, double(rest) / others) : 0;
        for (const int column : shown.mid(1))
            give(column, int(part * need(column)));
        give(name, std::min(rest, need(name)));
    }

    void share()
    {
        const auto shareOf = [this](int column) { return columns[column].wished ? 0 : columns[column].share; };
        int shares = 0;
        for (const int column : std::as_const(shown))
            shares += shareOf(column);
        const int left = std::max(0, rest);
        for (const int column : std::as_const(shown))
            give(column, shares > 0 ? left * shareOf(column) / shares : 0);
    }
};

} // namespace

QList<int> fitColumns(const QList<ColumnSpec> &columns, const QAbstractItemModel &model, const FlatHeader &header,
                      const QFontMetrics &metrics, int width)
{
    Fit fit{columns, {}, {}, {}, width};
    for (int column = 0; column < columns.size(); ++column) {
        const ColumnSpec &spec = columns[column];
        const int title = header.titleWidth(model.headerData(column, Qt::Horizontal).toString()) + kSlack;
        const int text = metrics.horizontalAdvance(spec.sample) + spec.extra + 2 * RowDelegate::Padding + kSlack;
        const bool isHidden = !spec.isOffered || !spec.isShown.value_or(true);
        fit.least.append(spec.wished.value_or(title));
        fit.widths.append(isHidden ? 0 : spec.wished.value_or(std::max(text, title)));
        if (isHidden)
            continue;
        fit.shown.append(column);
        fit.rest -= fit.widths.last();
    }
    fit.drop();
    fit.shrink();
    fit.giveToNeedy();
    fit.share();
    return fit.widths;
}

} // namespace lockscope::ui
