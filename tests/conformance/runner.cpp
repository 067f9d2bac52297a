// SPDX-License-Identifier: MIT
#include "runner.h"

#include "enginefixture.h"
#include "words.h"

using namespace Qt::StringLiterals;

namespace lockscope::test {

namespace {

QString tokenKey(const QString &ref)
{
    return u"token of "_s + ref;
}

} // namespace

const QList<Runner::Verb> &Runner::verbs()
{
    using namespace word;
    static const QString ownNumber = u"(?:token|version) of %1"_s.arg(Ref);
    static const QString number = u"(%1|[a-z]\\w*)"_s.arg(ownNumber);
    static const QList<Verb> all{
        {wholly(u"(%1):(?: (?!-> )(.+?)){0,1}?( &)?(?: -> (.+))?"_s.arg(Refs)), &Runner::command},
        {wholly(u"(%1) queues? for (%2)((?: .+)?)"_s.arg(Refs, Name)), &Runner::queueFor},
        {wholly(u"(%1) waits? for (%2)"_s.arg(Refs, Name)), &Runner::waitsFor},
        {wholly(u"(%1) still waits?"_s.arg(Refs)), &Runner::stillWaits},
        {wholly(u"order: (%1)"_s.arg(Refs)), &Runner::inOrder},
        {wholly(u"any order: (%1)"_s.arg(Refs)), &Runner::inAnyOrder},
        {wholly(u"one of (%1): (.+), the others: (.+)"_s.arg(Refs)), &Runner::oneOf},
        {wholly(u"%1 (<|=|>) %1(?: \\+ (\\d+))?"_s.arg(number)), &Runner::compareNumbers},
        {wholly(u"remember (%1) as (\\w+)"_s.arg(ownNumber)), &Runner::rememberNumber},
        {wholly(u"(kill|freeze|thaw|end) (%1)"_s.arg(Refs)), &Runner::endProcess},
        {wholly(u"kill (connections|waiting connection) of (%1)"_s.arg(Ref)), &Runner::killConnections},
        {wholly(u"(%1) (?:is|are) gone"_s.arg(Refs)), &Runner::isGone},
        {wholly(u"(restart|stop|start|crash|freeze|thaw) server"_s), &Runner::changeServer},
        {wholly(u"(cut|stall|reset|heal) network of (%1)"_s.arg(Ref)), &Runner::changeNetwork},
        {wholly(u"guarded write by (%1) -> (accepted|refused)"_s.arg(Ref)), &Runner::guardedWrite},
        {wholly(u"force release (%1) %2 -> (released|changed)"_s.arg(Name, number)), &Runner::forceRelease},
        {wholly(u"outsider: (.+?)(?: -> (.*))?"_s), &Runner::outsider},
        {wholly(u"until: (.+) -> (.+)"_s), &Runner::until},
        {wholly(u"lease of (%1) has ended"_s.arg(Name)), &Runner::leaseHasEnded},
        {wholly(u"lease of (%1) is renewed"_s.arg(Name)), &Runner::leaseIsRenewed},
        {wholly(u"nothing is left"_s), &Runner::nothingIsLeft},
    };
    return all;
}

const Runner::Verb *Runner::verbOf(const QString &step, Match *match)
{
    for (const Verb &verb : verbs()) {
        *match = verb.form.match(step);
        if (match->hasMatch())
            return &verb;
    }
    return nullptr;
}

QString Runner::mistakeIn(const Scenario &scenario)
{
    QSet<QString> started;
    for (const Step &step : scenario.steps) {
        Match match;
        const Verb *verb = verbOf(step.text, &match);
        if (!verb)
            return u"%1: no such step: %2"_s.arg(scenario.place(step.line), step.text);
        const bool isCommand = verb->handler == &Runner::command;
        const QString command = isCommand ? match.captured(2) : QString();
        if (!command.isEmpty() && !isSessionCommand(withNumber(command, u"A1"_s)))
            return u"%1: no such command: %2"_s.arg(scenario.place(step.line), command);
        if (isCommand && command.isEmpty() && match.captured(4).isEmpty())
            return u"%1: neither a command nor an answer"_s.arg(scenario.place(step.line));
        const bool starts = !command.isEmpty() || verb->handler == &Runner::queueFor;
        static const QRegularExpression ref(u"\\b%1\\b(?:\\.\\.%1)?"_s.arg(word::Ref));
        const bool isSql = verb->handler == &Runner::outsider || verb->handler == &Runner::until;
        const QString text = isCommand || starts ? match.captured(1) : isSql ? QString() : step.text;
        for (auto i = ref.globalMatch(text); i.hasNext();) {
            for (const QString &name : refsOf(i.next().captured())) {
                if (starts)
                    started += processOf(name);
                else if (!started.contains(processOf(name)))
                    return u"%1: no session %2 yet"_s.arg(scenario.place(step.line), name);
            }
        }
    }
    return {};
}

QString Runner::run(const Scenario &scenario)
{
    m_failure = mistakeIn(scenario);
    if (!m_failure.isEmpty())
        return m_failure;
    m_pending.clear();
    m_queued.clear();
    m_numbers.clear();
    m_world.reset(scenario);
    for (const Step &step : scenario.steps) {
        Match match;
        const Verb *verb = verbOf(step.text, &match);
        (this->*verb->handler)(match);
        if (!m_failure.isEmpty()) {
            m_world.abandon();
            return u"%1: %2\n    %3"_s.arg(scenario.place(step.line), step.text, m_failure);
        }
    }
    const QString left = m_world.close();
    return left.isEmpty() ? left : u"%1: after the last step: %2"_s.arg(scenario.place(scenario.line), left);
}

void Runner::fail(const QString &what)
{
    if (m_failure.isEmpty())
        m_failure = what;
}

void Runner::compare(const QString &what, const QString &expected, const QString &got)
{
    if (!expected.split(u" | "_s).contains(got))
        fail(u"%1: expected \"%2\", got \"%3\""_s.arg(what, expected, got));
}

SessionClient *Runner::known(const QString &process)
{
    SessionClient *session = m_world.session(process);
    if (!session)
        fail(u"there is no session %1"_s.arg(process));
    return session;
}

void Runner::command(const Match &match)
{
    const QString command = match.captured(2);
    const QString expected = match.captured(4);
    const bool inBackground = !match.captured(3).isEmpty();
    const QStringList refs = refsOf(match.captured(1));
    for (const QString &ref : refs) {
        if (!command.isEmpty())
            send(ref, command);
        if (inBackground)
            m_pending += ref;
        else if (command != u"cancel")
            expectAnswer(ref, expected);
    }
}

void Runner::send(const QString &ref, const QString &command)
{
    if (m_pending.contains(ref) && command != u"cancel")
        return fail(u"%1 still has a command in the background"_s.arg(ref));
    QList<QByteArray> words;
    for (const QString &text : wordsOf(withNumber(command, ref)))
        words += bytesOf(text);
    m_world.session(processOf(ref), true)->send(ref, words);
}

QString Runner::takeAnswer(const QString &ref)
{
    SessionClient *session = known(processOf(ref));
    const auto answer = session ? session->answer(ref) : std::nullopt;
    m_pending.remove(ref);
    m_queued.removeIf([&](const auto &entry) { return entry.first == ref; });
    if (!answer) {
        fail(u"%1 does not answer"_s.arg(ref));
        if (m_isServerThere)
            qInfo().noquote() << m_world.evidence();
        return {};
    }
    static const QRegularExpression numbered(u"^(granted|read|committed) (\\d+)$"_s);
    const Match match = numbered.match(*answer);
    if (!match.hasMatch())
        return *answer;
    const QString outcome = match.captured(1);
    m_numbers[outcome == u"granted" ? tokenKey(ref) : u"version of "_s + ref] = match.captured(2).toULongLong();
    return outcome;
}

void Runner::expectAnswer(const QString &ref, const QString &expected)
{
    const QString answer = takeAnswer(ref);
    if (!expected.isEmpty() && m_failure.isEmpty())
        compare(ref, expected, answer);
}

void Runner::queueFor(const Match &match)
{
    const QString name = match.captured(2);
    const QString options =
        match.captured(3).contains(u" wait "_s) ? match.captured(3) : match.captured(3) + u" wait forever"_s;
    for (const QString &ref : refsOf(match.captured(1))) {
        send(ref, u"acquire %1%2"_s.arg(name, options));
        m_pending += ref;
        awaitQueued(ref, bytesOf(name));
    }
}

void Runner::waitsFor(const Match &match)
{
    for (const QString &ref : refsOf(match.captured(1)))
        awaitQueued(ref, bytesOf(match.captured(2)));
}

/// The server tells processes apart, not owners; so each owner adds one to what its process had in the queue.
void Runner::awaitQueued(const QString &ref, const QByteArray &resource)
{
    if (!m_failure.isEmpty())
        return;
    m_queued += qMakePair(ref, resource);
    const QString process = processOf(ref);
    const auto expected = std::count_if(m_queued.begin(), m_queued.end(), [&](const auto &entry) {
        return processOf(entry.first) == process && (entry.second == resource || m_world.mode() == u"pessimistic");
    });
    if (eventually([&] { return m_world.waiting(process, resource) >= expected; }))
        return;
    SessionClient *session = known(process);
    const bool isThrough = session && session->hasAnswer(ref);
    fail(u"%1 is not in the queue: \"%2\""_s.arg(ref, isThrough ? takeAnswer(ref) : u"no answer"_s));
}

void Runner::stillWaits(const Match &match)
{
    for (const QString &ref : refsOf(match.captured(1))) {
        SessionClient *session = known(processOf(ref));
        if (session && (!m_pending.contains(ref) || session->hasAnswer(ref)))
            fail(u"%1 does not wait: \"%2\""_s.arg(ref, takeAnswer(ref)));
    }
}

/// Each is granted when the one before has released, and not earlier; the last releases as well.
void Runner::inOrder(const Match &match)
{
    QStringList refs = refsOf(match.captured(1));
    quint64 last = 0;
    while (!refs.isEmpty() && m_failure.isEmpty()) {
        const QString ref = refs.takeFirst();
        takeTurn(ref, refs, &last);
    }
}

/// The same where the order is the server's choice.
void Runner::inAnyOrder(const Match &match)
{
    QStringList refs = refsOf(match.captured(1));
    quint64 last = 0;
    while (!refs.isEmpty() && m_failure.isEmpty()) {
        const auto isAnswered = [this](const QString &ref) {
            SessionClient *session = known(processOf(ref));
            return session && session->hasAnswer(ref);
        };
        auto next = refs.end();
        if (!eventually([&] { return (next = std::find_if(refs.begin(), refs.end(), isAnswered)) != refs.end(); }))
            return fail(u"none of %1 is answered"_s.arg(refs.join(u' ')));
        const QString ref = *next;
        refs.erase(next);
        takeTurn(ref, refs, &last);
    }
}

/// `ref` is granted and releases; nobody of `later` is answered before it does.
void Runner::takeTurn(const QString &ref, const QStringList &later, quint64 *lastToken)
{
    expectAnswer(ref, u"granted"_s);
    const quint64 token = m_numbers[tokenKey(ref)];
    if (token <= *lastToken)
        fail(u"%1 got token %2 after %3"_s.arg(ref).arg(token).arg(*lastToken));
    *lastToken = token;
    for (const QString &other : later) {
        if (m_world.session(processOf(other))->hasAnswer(other))
            fail(u"%1 was answered before %2 released"_s.arg(other, ref));
    }
    send(ref, u"release"_s);
    expectAnswer(ref, u"released"_s);
}

/// Which one it is, nobody can know before.
void Runner::oneOf(const Match &match)
{
    QStringList answers;
    for (const QString &ref : refsOf(match.captured(1)))
        answers += takeAnswer(ref);
    if (m_failure.isEmpty() && answers.count(match.captured(2)) != 1)
        fail(u"not one \"%1\": %2"_s.arg(match.captured(2), answers.join(u", "_s)));
    answers.removeOne(match.captured(2));
    for (const QString &answer : std::as_const(answers))
        compare(u"one of the others"_s, match.captured(3), answer);
}

quint64 Runner::numberNamed(const QString &name)
{
    if (!m_numbers.contains(name))
        fail(u"there is no %1"_s.arg(name));
    return m_numbers.value(name);
}

void Runner::compareNumbers(const Match &match)
{
    const quint64 left = numberNamed(match.captured(1));
    const quint64 right = numberNamed(match.captured(3)) + match.captured(4).toULongLong();
    const QString is = left < right ? u"<"_s : left == right ? u"="_s : u">"_s;
    compare(u"%1 and %2"_s.arg(left).arg(right), match.captured(2), is);
}

void Runner::rememberNumber(const Match &match)
{
    m_numbers[match.captured(2)] = numberNamed(match.captured(1));
}

} // namespace lockscope::test
