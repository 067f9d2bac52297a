// SPDX-License-Identifier: MIT
#pragma once

#include "recording/recorder.h"
#include "recording/recording.h"
#include "waitparts.h"

#include <QtCore/QRandomGenerator>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

namespace lockscope::test {

/// Looks of a server that is busy with nothing, one a second.
class RecordMaker
{
public:
    explicit RecordMaker(int leases = 40, int sessions = 20)
        : m_leases(leases)
        , m_sessions(sessions)
    {
    }

    static ServerTime timeOf(int look) { return kNow + std::chrono::seconds(look); }

    RecordedLook next(int look)
    {
        RecordedLook made;
        made.hasTables = true;
        made.waits.clock.server = timeOf(look);
        made.waits.identity = QStringLiteral("run 1");
        for (int i = 0; i < m_leases; ++i) {
            LockRow row;
            row.key.resource = "orders/" + QByteArray::number(i);
            row.state = LockState::Held;
            row.token = quint64(m_random.bounded(10) == 0 ? look + 1 : 1);
            row.note = QByteArray::number(m_random.generate64()); // nothing that compresses well
            made.locks.rows.append(row);
            made.locks.counts.add(row.state);
        }
        for (int i = 1; i <= m_sessions; ++i) {
            ServerSession session;
            session.id = quint64(i);
            session.user = QStringLiteral("app");
            session.statement = {Statement::Source::Running,
                                 "UPDATE stock SET n = " + QByteArray::number(m_random.bounded(1000))};
            made.waits.sessions.insert(session.id, session);
            if (m_random.bounded(3) == 0)
                made.waits.edges.append({quint64(i), 99, row("5"), QStringLiteral("X"), timeOf(look)});
        }
        return made;
    }

private:
    const int m_leases;
    const int m_sessions;
    QRandomGenerator m_random{1}; // the same each time
};

/// Of a second in which so many wait for one session.
inline RecordedNews newsAt(int second, int waiting)
{
    RecordedNews news;
    ServerWaits &waits = news.look.waits;
    waits.clock = {RecordMaker::timeOf(second), std::chrono::steady_clock::now()};
    for (int i = 0; i < waiting; ++i)
        waits.edges.append({quint64(100 + i), 12, row("5"), QStringLiteral("X"), kNow});
    return news;
}

inline RecordedItems itemsOf(const RecordedLook &look)
{
    StatementKeeper keeper(StatementKeeping::Keep);
    return lockscope::itemsOf(look, &keeper);
}

/// As `cp` does.
inline QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void writeFile(const QString &path, const QByteArray &content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QCOMPARE(file.write(content), content.size());
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner));
}

/// A recording in a folder of its own, and what was written to it.
struct WrittenRecording
{
    QTemporaryDir dir;
    RecordingOptions options;
    QString error;
    std::unique_ptr<RecordingWriter> writer;
    RecordMaker maker;
    QList<RecordedItems> looks;

    explicit WrittenRecording(int leases = 40)
        : maker(leases)
    {
        options.path = dir.filePath(QStringLiteral("night.lockscope"));
    }

    bool open()
    {
        writer = RecordingWriter::open(options, QStringLiteral("mysql://ops@db1/shop"), &error);
        return writer != nullptr;
    }
    /// Empty, or why the look was not written; then it counts as not seen.
    QString write(const QList<RecordedMark> &marks = {})
    {
        const int number = int(looks.size());
        const RecordedItems items = itemsOf(maker.next(number));
        QString failure = writer->append(RecordMaker::timeOf(number), items, marks);
        if (failure.isEmpty())
            looks.append(items);
        return failure;
    }
    QString write(int count)
    {
        for (int i = 0; i < count; ++i) {
            if (QString failure = write(); !failure.isEmpty())
                return failure;
        }
        return {};
    }
};

} // namespace lockscope::test
