// SPDX-License-Identifier: MIT
// What an owner does beyond taking one lock: several at once, work under a lock, requests to others, and versions.
#include "sessionowner.h"

#include <algorithm>

namespace lockscope::test {

namespace {

using Names = QList<QByteArray>;

/// acquire-all NAME… [options]
Words::const_iterator optionsOf(const Words &words)
{
    return std::find_if(words.begin(), words.end(),
                        [](const QByteArray &word) { return word == "ttl" || word == "wait"; });
}

/// Goes on until it is done: how many collide is the scenario's affair.
RetryPolicy patientPolicy()
{
    RetryPolicy policy;
    policy.maxAttempts = 1'000'000;
    policy.timeLimit = Forever;
    policy.maxDelay = std::chrono::milliseconds(20);
    return policy;
}

std::string numbered(const char *outcome, const Snapshot &snapshot)
{
    return outcome + (' ' + std::to_string(snapshot.version));
}

/// The first row's values with a space between.
std::string valuesText(const Reply &reply)
{
    std::string text;
    for (const QVariant &value : reply.set(-1).rows.value(0))
        text.append(text.empty() ? "" : " ").append(value.toString().toStdString());
    return text;
}

} // namespace

/// The names that a script uses are short and plain, so the one that was not granted can be told as it is.
std::string SessionOwner::acquireAll(const Words &words)
{
    const auto options = optionsOf(words);
    LockRequest request = requestFrom({options, words.end()});
    const News news(request);
    MultiResult result = lockscope::acquireAll(*m_process.engine, Names(words.begin() + 1, options), request);
    forgetCancel();
    if (result.outcome != Outcome::Granted)
        return outcomeText(AcquireResult{result.outcome, {}, result.error}) + ' ' + result.resource.toStdString();
    for (LockHandle &handle : result.handles)
        keep(handle.resource(), std::move(handle), news);
    return "granted";
}

std::string SessionOwner::acquireAny(const Words &words)
{
    const auto options = optionsOf(words);
    LockRequest request = requestFrom({options, words.end()});
    const News news(request);
    AcquireResult result = m_process.engine->acquireAny(Names(words.begin() + 1, options), request);
    const std::string text = outcomeText(result);
    if (result.outcome == Outcome::Granted)
        keep(result.handle.resource(), std::move(result.handle), news);
    return text;
}

/// rounds N NAME… takes and frees each name N times, rounds-all all of them together; writes down in `probe` what must
/// not happen meanwhile.
std::string SessionOwner::rounds(const Words &words)
{
    SessionTarget target;
    target.url = m_process.config.direct;
    ReconnectingSession probe(target);
    QList<Names> sets{Names(words.begin() + 2, words.end())};
    if (words[0] == "rounds") {
        sets.clear();
        for (auto name = words.begin() + 2; name != words.end(); ++name)
            sets.append(Names(1, *name));
    }
    int granted = 0;
    for (int i = 0; i < words[1].toInt(); ++i) {
        for (const Names &names : std::as_const(sets)) {
            const MultiResult result =
                lockscope::acquireAll(*m_process.engine, names, requestFrom({"wait", "forever"}));
            if (result.outcome != Outcome::Granted)
                return outcomeText(AcquireResult{result.outcome, {}, result.error}) + " after "
                    + std::to_string(granted) + " grants";
            for (const LockHandle &handle : result.handles) {
                if (!enter(probe, handle))
                    return "the probe cannot be written";
            }
            ++granted;
            for (const LockHandle &handle : result.handles)
                leave(probe, handle);
        }
    }
    return std::to_string(granted) + " grants";
}

bool SessionOwner::enter(ReconnectingSession &probe, const LockHandle &handle)
{
    const QByteArray token = QByteArray::number(handle.token());
    const Reply reply =
        probe.run("UPDATE conformance.probe SET overlaps = overlaps + inside, disorder = disorder + (last_token >= "
                      + token + "), inside = 1, grants = grants + 1, last_token = " + token + " WHERE resource = x'"
                      + handle.resource().toHex() + '\'',
                  "probe");
    return reply && reply.set(0).affected == 1;
}

void SessionOwner::leave(ReconnectingSession &probe, const LockHandle &handle)
{
    probe.run("UPDATE conformance.probe SET inside = 0 WHERE last_token = " + QByteArray::number(handle.token())
                  + " AND resource = x'" + handle.resource().toHex() + '\'',
              "probe");
}

/// work SQL [NAME]: in the transaction that holds the row.
std::string SessionOwner::work(const Words &words)
{
    Held *held = find(words, 2);
    if (!held)
        return "nothing was granted";
    Reply reply;
    const auto refused = held->handle.inTransaction(
        [&](const QSqlDatabase &database) { reply = runPacket(database, words[1], "work"); });
    if (refused)
        return refused->kind == LockError::Kind::LockLost ? "lock lost" : "failed " + kindText(refused);
    if (!reply)
        return "error " + std::to_string(reply.error->code);
    return reply.set(-1).affected < 0 ? valuesText(reply) : "done";
}

/// ask NAME REASON
std::string SessionOwner::ask(const Words &words)
{
    const Mode mode = requestFrom({}).mode;
    const RequestResult result = m_process.engine->requestRelease(words[1], QString::fromUtf8(words[2]), mode);
    switch (result.outcome) {
    case RequestOutcome::Asked:
        return "asked";
    case RequestOutcome::NotHeld:
        return "not held";
    default:
        return "failed " + kindText(result.error);
    }
}

OptimisticStore &SessionOwner::store()
{
    if (!m_store)
        m_store.emplace(*m_process.engine);
    return *m_store;
}

std::string SessionOwner::read(const Words &words)
{
    const ReadResult result = store().read(words[1]);
    if (result.outcome != ReadOutcome::Read)
        return "failed " + kindText(result.error);
    m_lastRead = words[1];
    m_snapshots[m_lastRead] = result.snapshot;
    return numbered("read", result.snapshot);
}

/// commit [NAME]: on what was read, or left by the commit before.
std::string SessionOwner::commit(const Words &words)
{
    const auto from = m_snapshots.find(words.size() > 1 ? words[1] : m_lastRead);
    if (from == m_snapshots.end())
        return "nothing was read";
    const CommitResult result = store().commit(from->second);
    switch (result.outcome) {
    case CommitOutcome::Committed:
        from->second = result.committed;
        return numbered("committed", result.committed);
    case CommitOutcome::Conflict:
        return "conflict";
    case CommitOutcome::Unknown:
        return "unknown";
    default:
        return "failed " + kindText(result.error);
    }
}

/// add N NAME…: raises each version N times, as often as others come between.
std::string SessionOwner::add(const Words &words)
{
    static const std::map<RunOutcome, const char *> outcomes{
        {RunOutcome::GaveUp, "gave up"}, {RunOutcome::TimedOut, "timed out"}, {RunOutcome::Unknown, "unknown"}};
    int committed = 0;
    for (int i = 0; i < words[1].toInt(); ++i) {
        for (auto name = words.begin() + 2; name != words.end(); ++name) {
            const RunResult result = store().run(
                *name, [](const Snapshot &) { return ColumnValues(); }, patientPolicy());
            if (result.outcome != RunOutcome::Committed) {
                const auto known = outcomes.find(result.outcome);
                return (known != outcomes.end() ? known->second : "failed " + kindText(result.error)) + " after "
                    + std::to_string(committed) + " commits";
            }
            ++committed;
        }
    }
    return std::to_string(committed) + " commits";
}

} // namespace lockscope::test
