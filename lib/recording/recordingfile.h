// SPDX-License-Identifier: MIT
#pragma once

#include "recordingdatabase.h"

#include <memory>

namespace lockscope {

/// The file that is recorded to, held open beside SQLite: locked for one recorder by whatever name, and known again
/// where its path leads to another. Outlives the database, whose locks end when any descriptor of the file is closed.
class RecordingFile
{
public:
    /// Makes it (mode 0600) where it is missing. Follows no symbolic link at the end of the path. Null and a sentence
    /// where it cannot be written, or others may.
    static std::unique_ptr<RecordingFile> open(const QString &path, QString *error);
    ~RecordingFile();
    RecordingFile(const RecordingFile &) = delete;
    RecordingFile &operator=(const RecordingFile &) = delete;

    RecordingHeader header() const;
    /// False: somebody records to it already, perhaps by another name.
    bool lock() const;
    /// A sentence where its path does not lead to it any more: removed, moved or replaced. Empty: it does.
    QString whyLost() const;

private:
    RecordingFile(QString path, int descriptor);

    const QString m_path;
    const int m_descriptor;
};

} // namespace lockscope
