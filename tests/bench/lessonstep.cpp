// SPDX-License-Identifier: MIT
// What a step of a lesson costs beside plain clients that send the same statements, in turns in one run:
//   lockscope_lessonstep_bench [rounds]
// A step alone, and four of which one waits until the last. What a lesson adds is what it looks at: who waits by the
// server's own word, and the locks and entries after each step.
#include "lessonserver.h"
#include "rawclient.h"
#include "statistics.h"
#include "worker.h"

#include <QtCore/QCoreApplication>

#include <algorithm>
#include <cstdio>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::bench;

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRounds = 60;
/// On MySQL a session's first seconds are dearer (see Session).
constexpr auto kWarmUp = std::chrono::seconds(6);

const QByteArray kTable = "CREATE TABLE t(id INT PRIMARY KEY, v INT)";
const QByteArray kRows = "INSERT INTO t VALUES(1,0),(2,0)";
const QByteArray kAlone = "UPDATE t SET v=v+1 WHERE id=2";
const QByteArray kBegin = "BEGIN";
const QByteArray kLock = "UPDATE t SET v=v+1 WHERE id=1";
const QByteArray kCommit = "COMMIT";

QByteArray step(const QByteArray &words, const QByteArray &sql)
{
    return "```sql " + words + "\n" + sql + "\n```\n";
}

double millisecondsOf(const std::function<void()> &work)
{
    const auto begin = Clock::now();
    work();
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// The lesson's side.
class Steps
{
public:
    Steps()
        : m_lesson(lessonOf(step("A ok 1", kAlone) + step("A ok", kBegin) + step("A ok 1", kLock)
                                + step("B blocks on A", kLock) + step("A ok; unblocks B: ok 1", kCommit),
                            kTable + ";\n" + kRows + ";"))
        , m_run(startLesson(m_lesson))
    {
    }
    void playAlone() { play(0, 1); }
    void playWaiting() { play(1, m_lesson.steps.size()); }

private:
    void play(qsizetype from, qsizetype end)
    {
        for (qsizetype i = from; i < end; ++i) {
            const LessonStepResult result = m_run->play(m_lesson.steps.at(i));
            if (result.failure)
                qFatal("%ls", qUtf16Printable(result.failure->toString()));
        }
    }

    const Lesson m_lesson;
    const std::unique_ptr<LessonRun> m_run;
};

/// The plain clients'.
class Plain
{
public:
    explicit Plain(const ServerUrl &url)
        : m_first(url)
        , m_second(url)
    {
        m_first.run(kTable);
        m_first.run(kRows);
    }
    ~Plain() { m_thread.stop(); }
    Plain(const Plain &) = delete;
    Plain &operator=(const Plain &) = delete;

    void sendAlone() { m_first.run(kAlone); }
    void sendWaiting()
    {
        m_first.run(kBegin);
        m_first.run(kLock);
        auto freed = m_thread.post([this] { return m_second.run(kLock); });
        m_first.run(kCommit);
        freed.get();
    }

private:
    RawClient m_first;
    RawClient m_second;
    bench::Worker m_thread;
};

double longest(const Values &values)
{
    return *std::max_element(values.begin(), values.end());
}

void say(const char *what, const Values &lesson, const Values &plain)
{
    const Interval interval = medianInterval(ratios(lesson, plain));
    std::printf(
        "%s: lesson %.2f ms (longest %.2f), plain clients %.2f ms (longest %.2f), ratio of the medians %.1f; of the "
        "pairs %.1f [%.1f, %.1f]\n",
        what, median(lesson), longest(lesson), median(plain), longest(plain), median(lesson) / median(plain),
        interval.median, interval.low, interval.high);
}

/// Both sides once, in changing order.
void measure(int round, const std::function<void()> &lesson, const std::function<void()> &plain, Values *ofLesson,
             Values *ofPlain)
{
    if (round % 2 == 0)
        ofLesson->push_back(millisecondsOf(lesson));
    ofPlain->push_back(millisecondsOf(plain));
    if (round % 2 != 0)
        ofLesson->push_back(millisecondsOf(lesson));
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    const int rounds = QCoreApplication::arguments().value(1, QString::number(kRounds)).toInt();
    showLocksOfLessons();
    Steps steps;
    Plain plain(TestServer::instance().url());
    const auto alone = [&](int round, Values *lesson, Values *raw) {
        measure(
            round, [&] { steps.playAlone(); }, [&] { plain.sendAlone(); }, lesson, raw);
    };
    const auto waiting = [&](int round, Values *lesson, Values *raw) {
        measure(
            round, [&] { steps.playWaiting(); }, [&] { plain.sendWaiting(); }, lesson, raw);
    };
    Values lesson;
    Values raw;
    for (const auto begin = Clock::now(); Clock::now() - begin < kWarmUp;) {
        alone(0, &lesson, &raw);
        waiting(0, &lesson, &raw);
    }
    for (const auto &[what, both] :
         {std::pair<const char *, std::function<void(int, Values *, Values *)>>{"a step alone", alone},
          {"four steps, of which one waits", waiting}}) {
        lesson.clear();
        raw.clear();
        for (int round = 0; round < rounds; ++round)
            both(round, &lesson, &raw);
        say(what, lesson, raw);
    }
    return 0;
}
