// SPDX-License-Identifier: MIT
#pragma once

namespace lockscope {

/// Characters that cannot be seen or that change how their neighbours are seen: with them one name could be dressed up
/// as another. Names come from other programs; window and terminal show these escaped.
bool isUnseen(char32_t character);

} // namespace lockscope
