// SPDX-License-Identifier: MIT
#include "latencypagetext.h"

#include "ui/widgets/emptystate.h"

namespace lockscope::ui {

using namespace Qt::StringLiterals;

void LatencyPageText::explainEmpty(bool isRecorded, EmptyState *empty)
{
    if (isRecorded) {
        empty->setMessage(tr("No latencies were recorded in this time"),
                          tr("They come from programs with the engine. Choose a longer period or another moment; a "
                             "recording of a server without such programs has none."));
        return;
    }
    empty->setMessage(tr("Nothing was measured in this time"),
                      tr("Programs with the engine write here how long their locks took, every 5 seconds. Choose a "
                         "longer period, or let one run:"),
                      u"lockctl run demo -- sleep 1"_s);
    empty->offerStarts();
}

} // namespace lockscope::ui
