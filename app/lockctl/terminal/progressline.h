// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QString>

namespace lockscope::ctl {

/// One line at a terminal's standard error that says how far something is, and goes with the object. Elsewhere:
/// nothing.
class ProgressLine
{
public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine &) = delete;
    ProgressLine &operator=(const ProgressLine &) = delete;

    void show(const QString &text);

private:
    const bool m_isShown;
};

} // namespace lockscope::ctl
