// SPDX-License-Identifier: MIT
#pragma once

#include "lab/faultyproxy.h"

namespace lockscope {

/// What happens to single packets; apart from PacketProxy only so that it outlives the thread that uses it.
class PacketFaults
{
public:
    ~PacketFaults();

    /// The next so many times that `question` goes to the server, who asks is sent `answer` at once, and the server's
    /// own comes after it.
    void answerFirst(const QByteArray &question, const QByteArray &answer, int times = 1);
    /// Whether all of these have been sent.
    bool hasAnswered();
    /// The next piece that has `question` in it is kept back, and who sent it is cut off …
    void keepBack(const QByteArray &question);
    bool hasKeptBack();
    /// … and now the server gets it. Returns when it has answered, or has closed that connection before.
    void deliverLate();

    /// What has come by so far, in both directions: all but the last piece of it has been forwarded.
    qint64 passed();

protected:
    bool pass(const QByteArray &bytes, int from, int to);

private:
    std::mutex m_mutex;
    qint64 m_passed = 0; // bytes
    QByteArray m_question;
    QByteArray m_strayAnswer;
    int m_strayAnswers = 0; // to be sent yet
    QByteArray m_keptQuestion;
    QByteArray m_kept;
    int m_keptFor = -1; // the server's side of that connection
};

/// A network that can fail in the middle of a conversation. Thread: any.
class PacketProxy : public PacketFaults, public FaultyProxy
{
public:
    PacketProxy(const QString &listenPath, const QString &targetPath)
        : FaultyProxy(listenPath, targetPath,
                      [this](const QByteArray &bytes, int from, int to) { return pass(bytes, from, to); })
    {
    }
};

} // namespace lockscope
