// SPDX-License-Identifier: MIT
#pragma once

#include "enginecore_p.h"
#include "session/atwork.h"

namespace lockscope::detail {

/// A call to an engine, from its beginning to its end: the engine's end waits for it. False: the engine ends, or has
/// ended, and the call is refused.
class EngineCall
{
public:
    explicit EngineCall(std::shared_ptr<EngineCore> core)
        : m_core(std::move(core))
        , m_isAccepted(m_core->beginCall())
    {
    }
    ~EngineCall()
    {
        if (m_isAccepted)
            m_core->endCall();
    }
    EngineCall(const EngineCall &) = delete;
    EngineCall &operator=(const EngineCall &) = delete;

    explicit operator bool() const { return m_isAccepted; }

private:
    const std::shared_ptr<EngineCore> m_core;
    const bool m_isAccepted;
    const AtWork m_atWork;
};

} // namespace lockscope::detail
