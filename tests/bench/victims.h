// SPDX-License-Identifier: MIT
#pragma once

namespace lockscope::bench {

/// Kills what was chosen in looks at applications most of which went on to other work, and prints how often the wrong
/// session, or none, was met. 0, or 1 when that ever was so.
int countVictims(int incidents);

} // namespace lockscope::bench
