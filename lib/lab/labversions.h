// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QtGlobal>

#include <map>

namespace lockscope {

/// Which versions of one resource were lost: written over by somebody who had not seen them. Private to lib/lab.
/// Thread: its maker's.
class LabVersions
{
public:
    /// Those after `seen` up to `over` are lost. How many of them had not been before.
    quint64 lose(quint64 seen, quint64 over);

private:
    std::map<quint64, quint64> m_lost; ///< ranges without neighbours, first to last
    quint64 m_settled = 0;             ///< up to here nothing is lost any more: these ranges are forgotten
};

} // namespace lockscope
