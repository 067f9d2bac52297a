// SPDX-License-Identifier: MIT
#include "progressline.h"

#include <unistd.h>

#include <cstdio>

namespace lockscope::ctl {

ProgressLine::ProgressLine()
    : m_isShown(::isatty(STDERR_FILENO) != 0)
{
}

ProgressLine::~ProgressLine()
{
    if (m_isShown)
        std::fputs("\r\x1b[K", stderr);
}

void ProgressLine::show(const QString &text)
{
    if (m_isShown)
        std::fprintf(stderr, "\r%s \x1b[K", text.toUtf8().constData());
}

} // namespace lockscope::ctl
