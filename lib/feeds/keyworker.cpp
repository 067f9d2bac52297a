// SPDX-License-Identifier: MIT
#include "keyworker.h"

#include "sources/sourceconventions.h"

#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

/// From the end of a walk to the next one; each has its rests within it.
constexpr auto kBetween = 2s;
/// More locks than a person goes through, and few enough for every list.
constexpr qsizetype kMostLocks = 10'000;
/// Of a long walk.
constexpr auto kBetweenNews = 1s;
/// Locks that are asked again then: some milliseconds of the server's.
constexpr qsizetype kMostAgain = 500;

QStringList faultsOf(const QList<ConventionFile> &files)
{
    QStringList faults;
    for (const ConventionFile &file : files)
        faults.append(QStringLiteral("%1:%2: %3").arg(file.path).arg(file.fault()->line).arg(file.fault()->reason));
    return faults;
}

} // namespace

KeyWorker::KeyWorker(SourceMaker maker)
    : m_maker(std::move(maker))
    , m_pace(kBetween, kBetween)
{
}

void KeyWorker::setGuesses(bool withGuesses)
{
    if (std::exchange(m_withGuesses, withGuesses) == withGuesses)
        return;
    m_areConventionsOld = true;
    soon();
}

void KeyWorker::refresh()
{
    m_areConventionsOld = true;
    poll();
}

void KeyWorker::poll()
{
    if (!m_source)
        m_source = m_maker(SourceUse::Look);
    if (!m_source->keyKind() || m_stop.stop_requested())
        return;
    if (std::exchange(m_areConventionsOld, false))
        m_passes.faultyConventions = faultsOf(useAllConventions(*m_source, m_withGuesses));
    if (!m_passes.endedAt)
        tell();
    KeyLocks found;
    const KeyWalk walk{kMostLocks, true, [this](const QList<LockRow> &rows) { onStep(rows); }};
    m_toldAt = PollPace::Clock::now();
    const auto error = m_source->keyLocks(walk, m_stop.get_token(), &found);
    if (m_stop.stop_requested())
        return; // nobody waits for it any more
    if (error) {
        m_pace.failed(*error);
        m_passes.failure = error->toString();
    } else {
        m_pace.succeeded(PollPace::Clock::now());
        onWalked(found);
    }
    plan();
    tell();
}

/// In the middle of a walk, which may go on for minutes: what is known goes on being so.
void KeyWorker::onStep(const QList<LockRow> &rows)
{
    for (const LockRow &row : rows)
        m_known.insert_or_assign(row.key.resource, row);
    const auto now = PollPace::Clock::now();
    if (now - m_toldAt < kBetweenNews || m_stop.stop_requested())
        return;
    m_toldAt = now;
    readAgain();
    tell();
}

/// Some of them each time, in turn.
void KeyWorker::readAgain()
{
    QByteArrayList names;
    for (auto next = m_known.upper_bound(m_lastAgain); next != m_known.end() && names.size() < kMostAgain; ++next)
        names.append(next->first);
    m_lastAgain = names.size() < kMostAgain ? QByteArray() : names.last();
    const auto rows = names.isEmpty() ? std::nullopt : m_source->keysNow(names);
    if (!rows)
        return;
    for (const QByteArray &name : std::as_const(names))
        m_known.erase(name);
    for (const LockRow &row : *rows)
        m_known.insert_or_assign(row.key.resource, row);
}

/// What it did not come by has gone, and so has what has gone since it came by.
void KeyWorker::onWalked(const KeyLocks &found)
{
    std::map<QByteArray, LockRow> known;
    for (const LockRow &row : found.rows) {
        if (auto now = m_known.find(row.key.resource); now != m_known.end())
            known.insert(m_known.extract(now));
    }
    m_known = std::move(known);
    m_passes.endedAt = found.clock.local;
    m_passes.unreadable = found.unreadable;
    m_passes.isCut = found.isCut;
    m_passes.failure.clear();
}

void KeyWorker::tell()
{
    auto found = std::make_shared<KeyLocks>();
    for (const auto &[name, row] : m_known)
        found->rows.append(row);
    Q_EMIT walked(found, m_passes);
}

} // namespace lockscope
