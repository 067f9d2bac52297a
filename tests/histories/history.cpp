// SPDX-License-Identifier: MIT
#include "history.h"

#include "lockmodel.h"
#include "scenario.h"
#include "versionmodel.h"

#include <functional>

using namespace Qt::StringLiterals;

namespace lockscope::test {

namespace {

QStringList headOf(const History &history)
{
    QStringList lines{u"scenario: "_s + history.title};
    const QString own = knownStores().contains(history.mode) ? u"unique"_s : history.mode;
    for (const QString &mode : knownModes()) {
        if (mode != own)
            lines += u"except %1: a history of %2 mode"_s.arg(mode, history.mode);
    }
    return lines;
}

/// Each move that can be made, with its lines. Those of the end.
QStringList play(const History &history, const std::function<void(const Move &, const QStringList &)> &made)
{
    const auto model = HistoryModel::of(history.mode, history.rules);
    for (const Move &move : history.moves) {
        if (const auto lines = model->apply(move))
            made(move, *lines);
    }
    return model->end();
}

} // namespace

std::unique_ptr<HistoryModel> HistoryModel::of(const QString &mode, const Rules &rules)
{
    if (mode == u"optimistic")
        return std::make_unique<VersionModel>();
    return std::make_unique<LockModel>(mode, rules);
}

QString History::scenario() const
{
    QStringList lines = headOf(*this);
    const QStringList end = play(*this, [&](const Move &, const QStringList &ofMove) { lines += ofMove; });
    lines += end;
    return lines.join(u'\n') + u'\n';
}

History History::upTo(int line) const
{
    History shorter = *this;
    shorter.moves.clear();
    qsizetype before = headOf(*this).size();
    play(*this, [&](const Move &move, const QStringList &ofMove) {
        if (before < line)
            shorter.moves += move;
        before += ofMove.size();
    });
    return shorter;
}

} // namespace lockscope::test
