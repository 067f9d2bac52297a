// SPDX-License-Identifier: MIT
#pragma once

#include "recordedlook.h"
#include "standingmarks.h"

#include <functional>
#include <memory>

namespace lockscope {

class RecordingDatabase;

/// What a recording is of.
struct RecordingInfo
{
    QString path;
    QString server; ///< as ServerUrl::toString() says it
    StatementKeeping statements = StatementKeeping::Keep;
    ServerTime from{}; ///< of the first look
    ServerTime to{};   ///< of the last look, or of an act or event after it: the server may not have answered any more
    qint64 looks = 0;
    qint64 bytes = 0;
    /// Something is wrong with the file, and what there is of it can be read: a sentence. Empty: nothing is.
    QString damage;
};

/// What was seen at a moment: by the last look before it.
struct RecordedMoment
{
    /// An older look is not what a moment was like, whoever stopped recording then.
    static constexpr std::chrono::seconds Lasts{15};

    ServerTime at{}; ///< of the look
    RecordedLook look;
    /// Until the moment nobody could look any more: the server was not reached, or the disk was full.
    bool isGap = false;

    bool isOldAt(ServerTime moment) const { return isGap || moment - at > Lasts; }
};

/// Reads a recording, also one that is still being written, that was cut, or that lies where nothing may be made.
/// Thread: that of its creator.
class Recording
{
public:
    /// Null and a sentence where it cannot be read: another file, or one of a newer program.
    static std::unique_ptr<Recording> open(const QString &path, QString *error);
    ~Recording();
    Recording(const Recording &) = delete;
    Recording &operator=(const Recording &) = delete;

    const RecordingInfo &info() const { return m_info; }
    /// What came since is there from now on.
    void refresh();
    /// Cost: some dozen pages, and the changes since the last whole look, which are fewer than those in it. None before
    /// the first look, or where the file is damaged.
    std::optional<RecordedMoment> at(ServerTime time);
    /// The times of all looks of a stretch go to `take`, until it returns false.
    void eachLook(ServerTime from, ServerTime to, const std::function<bool(ServerTime at)> &take);
    /// When the last look was until then, that moment included. None: it is before the first.
    std::optional<ServerTime> lookUntil(ServerTime time);
    /// When the next look was after that moment.
    std::optional<ServerTime> lookAfter(ServerTime time);
    /// In the order in which they were written; of all kinds where none is named.
    QList<RecordedMark> marks(ServerTime from, ServerTime to, const QSet<RecordedMark::Kind> &kinds = {});
    /// What marks before that moment say that still holds then, also where they are older than the file goes back.
    StandingMarks standingAt(ServerTime time);

private:
    struct Segment
    {
        qint64 number = 0;
        ServerTime from{}; ///< of its looks
        ServerTime to{};
        qint64 looks = 0; ///< whose numbers begin with 1
        /// Of its own marks; after a full disk they may be much older than its looks.
        ServerTime firstMark{};
    };

    Recording(const QString &path, std::unique_ptr<RecordingDatabase> database);
    void addSegment(qint64 number);
    void countReadable(Segment *segment);
    ServerTime lastDone(const QList<qint64> &segments);
    const Segment *segmentAt(ServerTime time) const;
    qint64 lookAt(const Segment &segment, ServerTime time);
    bool rebuild(const Segment &segment, qint64 look, RecordedMoment *moment);
    bool mayHaveMarks(qint64 number, ServerTime from, ServerTime to) const;
    void readMarks(qint64 segment, const QString &condition, const QVariantList &values, QList<RecordedMark> *marks);
    QList<RecordedMark> marksOf(const QList<qint64> &segments, ServerTime from, ServerTime to,
                                const QSet<RecordedMark::Kind> &kinds);
    QList<RecordedMark> repeatedMarks(const QList<qint64> &segments, qsizetype *first);
    bool isGap(ServerTime look, ServerTime time);

    RecordingInfo m_info;
    bool m_isCut = false;
    const std::unique_ptr<RecordingDatabase> m_database;
    QList<Segment> m_segments;
};

} // namespace lockscope
