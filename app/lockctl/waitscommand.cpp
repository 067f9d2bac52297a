#include "waitscommand.h"

#include "monitor/leasereader.h"
#include "output.h"
#include "server.h"

namespace lockscope::ctl {

std::optional<LockError> WaitsLook::connect(const SessionTarget &target)
{
    LockError refused;
    m_reader.reset();
    m_target = forWatching(target);
    m_session = Session::open(forReading(m_target), &refused);
    if (!m_session)
        return refused;
    m_reader.emplace(*m_session);
    return m_reader->read(&m_waits);
}

std::optional<LockError> WaitsLook::open(SessionTarget *target)
{
    return withPassword(target, [this](const SessionTarget &to) { return connect(to); });
}

std::optional<LockError> WaitsLook::again()
{
    if (!m_session || m_session->isGone())
        return connect(m_target);
    return m_reader->read(&m_waits);
}

bool lookAtServer(const Globals &globals, WaitsLook *look, int *exitCode)
{
    auto target = findServer(globals, exitCode);
    if (!target)
        return false;
    const auto error = look->open(&*target);
    if (error)
        *exitCode = complain(*error);
    return !error;
}

QString serverText(const SessionTarget &target)
{
    return printable(target.url.toString().toUtf8());
}

} // namespace lockscope::ctl
