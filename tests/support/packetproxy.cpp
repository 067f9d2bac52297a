// SPDX-License-Identifier: MIT
#include "packetproxy.h"

#include <cerrno>
#include <fcntl.h>

#include <unistd.h>
#include <utility>

namespace lockscope {

PacketFaults::~PacketFaults()
{
    if (m_keptFor != -1)
        ::close(m_keptFor);
}

void PacketFaults::answerFirst(const QByteArray &question, const QByteArray &answer, int times)
{
    const std::lock_guard lock(m_mutex);
    m_question = question;
    m_strayAnswer = answer;
    m_strayAnswers = times;
}

bool PacketFaults::hasAnswered()
{
    const std::lock_guard lock(m_mutex);
    return m_strayAnswers == 0;
}

void PacketFaults::keepBack(const QByteArray &question)
{
    const std::lock_guard lock(m_mutex);
    m_keptQuestion = question;
}

bool PacketFaults::hasKeptBack()
{
    const std::lock_guard lock(m_mutex);
    return m_keptFor != -1;
}

void PacketFaults::deliverLate()
{
    const std::lock_guard lock(m_mutex);
    FaultyProxy::send(m_keptFor, m_kept);
    char ignored = 0;
    while (::read(m_keptFor, &ignored, 1) < 0 && errno == EINTR) { }
    ::close(std::exchange(m_keptFor, -1));
}

qint64 PacketFaults::passed()
{
    const std::lock_guard lock(m_mutex);
    return m_passed;
}

bool PacketFaults::pass(const QByteArray &bytes, int from, int to)
{
    const std::lock_guard lock(m_mutex);
    m_passed += bytes.size();
    if (!m_keptQuestion.isEmpty() && m_keptFor == -1 && bytes.contains(m_keptQuestion)) {
        m_keptQuestion.clear();
        m_kept = bytes;
        m_keptFor = ::fcntl(to, F_DUPFD_CLOEXEC, 0); // the server's connection stays when the pair is closed
        return false;
    }
    if (m_strayAnswers > 0 && bytes.contains(m_question)) {
        --m_strayAnswers;
        FaultyProxy::send(from, m_strayAnswer);
    }
    return true;
}

} // namespace lockscope
