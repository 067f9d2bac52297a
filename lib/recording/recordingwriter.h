// SPDX-License-Identifier: MIT
#pragma once

#include "recordedlook.h"
#include "standingmarks.h"

#include <memory>

class QLockFile;

namespace lockscope {

class RecordingDatabase;
class RecordingFile;

/// What to record, and how much of it to keep.
struct RecordingOptions
{
    static constexpr qint64 MinBytes = qint64{4} * 1024 * 1024;
    static constexpr qint64 MaxBytes = qint64{16} * 1024 * 1024 * 1024;

    QString path;
    StatementKeeping statements = StatementKeeping::Keep;
    qint64 maxBytes = qint64{1024} * 1024 * 1024; ///< the oldest goes first
    std::optional<Microseconds> keep = {};        ///< and what is older than this; none: by size alone
};

/// Writes one recording. SQLite's write-ahead log keeps a look's cost at one append without a wait for the disk, and
/// lets others read the file meanwhile; when the program is killed, at most the last looks are lost, when the machine
/// loses its power perhaps some more, never the file. At the end the log is folded into the file, which then stands
/// alone. Thread: that of its creator.
class RecordingWriter
{
public:
    /// Makes the file (mode 0600), or goes on with a recording of the same server. Follows no symbolic link at the end
    /// of the path. Null and a sentence where that is not possible.
    static std::unique_ptr<RecordingWriter> open(const RecordingOptions &options, const QString &server,
                                                 QString *error);
    ~RecordingWriter();
    RecordingWriter(const RecordingWriter &) = delete;
    RecordingWriter &operator=(const RecordingWriter &) = delete;

    /// A look and what happened until then: all of it is kept or nothing. Empty, or a sentence that says why not; what
    /// was kept before stays, and the next call may succeed. `at` never runs back in a file: a server's clock that is
    /// set back stands still.
    QString append(ServerTime at, const RecordedItems &items, const QList<RecordedMark> &marks);
    /// The same without a look.
    QString append(const QList<RecordedMark> &marks);
    /// Folds the log into the file.
    QString finish();
    /// The file was removed, moved or replaced: no call succeeds any more. What was kept before is in it.
    bool isLost() const { return !m_lost.isEmpty(); }

    /// Of the file and its log.
    qint64 bytes() const;

private:
    RecordingWriter(const RecordingOptions &options, std::unique_ptr<QLockFile> lock,
                    std::unique_ptr<RecordingFile> file, std::unique_ptr<RecordingDatabase> database);

    bool create(const QString &server);
    bool resume(const QString &server, QString *error);
    QString append(ServerTime at, const RecordedItems *items, const QList<RecordedMark> &marks);
    bool write(ServerTime at, const RecordedItems *items, const QList<RecordedMark> &marks);
    bool writeLook(ServerTime at, const RecordedItems &items);
    bool writeMarks(const QList<RecordedMark> &marks);
    bool repeatMarks();
    bool isSegmentOver(ServerTime at) const;
    bool beginSegment(ServerTime at);
    bool dropOld(ServerTime at);
    QString failure() const;
    bool checkLost();

    /// How far it is; a transaction that fails brings it back.
    struct State
    {
        qint64 segment = 0; ///< none before the first
        ServerTime begun{}; ///< of the segment
        qint64 segmentBytes = 0;
        qint64 look = 0; ///< the number of the last
        qint64 key = 0;  ///< the number of the last whole one; 0: the next one is
        qint64 keyBytes = 0;
        qint64 changedBytes = 0; ///< since then
        RecordedItems items;
        StandingMarks standing; ///< of this program's marks
    };

    const RecordingOptions m_options;
    const std::unique_ptr<QLockFile> m_lock; ///< let go of after the file
    const std::unique_ptr<RecordingFile> m_file;
    const std::unique_ptr<RecordingDatabase> m_database;
    State m_state;
    ServerTime m_last{};
    QString m_lost; ///< why; empty: it is not
};

} // namespace lockscope
