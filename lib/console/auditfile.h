// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockerror.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>

#include <optional>

namespace lockscope {

/// One action of an operator. Never holds a password: the server is named as ServerUrl::toString() does.
struct AuditEntry
{
    QString server;       ///< which one, and which run of it
    QString account = {}; ///< as which the server treated the program: ServerInfo::account
    QString target;       ///< "session 12 of app@10.0.0.5, transaction 421"
    QString statement;    ///< as it was sent
    QString reason;
    QString outcome = {}; ///< "ended", "nothing done: …", in the words of the one that acted; see recordIntent()

    bool operator==(const AuditEntry &) const = default;
};

/// The record of what operators of this machine's user did to servers: two lines of JSON for each action, one before
/// and one after it, only ever appended to. Do not act when the first cannot be written: an action that leaves no
/// record is not done. Several processes may write at once. Thread: one at a time.
class AuditFile
{
public:
    /// lockscope/audit.jsonl below the user's data location; the same for every program of the project.
    static QString defaultPath();
    /// "ada@laptop": who the system says runs this program; the environment may claim anything.
    static QString operatorName();
    /// Of a line that was written before the act.
    static QString intentOutcome() { return QStringLiteral("to be done"); }

    explicit AuditFile(const QString &path = defaultPath());
    ~AuditFile();
    AuditFile(const AuditFile &) = delete;
    AuditFile &operator=(const AuditFile &) = delete;

    QString path() const { return m_path; }
    /// Makes the file (mode 0600) and its folder where they are missing, and room for a further line. Empty, or why an
    /// entry could not be written: a sentence for the person.
    QString open();
    /// Adds a line for each, with the time and operatorName(), and returns when the disk has them. Empty, or why none
    /// of them is there.
    QString append(const QList<AuditEntry> &entries);
    QString append(const AuditEntry &entry) { return append(QList<AuditEntry>{entry}); }

private:
    QString cannot(const char *what) const;
    bool endsWithinALine(qint64 size) const;

    QString m_path;
    int m_fd = -1;
};

/// An error that says why nothing may be done, when the record cannot be kept.
std::optional<LockError> openRecord(AuditFile *audit);
/// The same for actions whose lines are on the disk when it returns, with the outcome "to be done": whatever becomes of
/// this program then, the record shows that it had begun.
std::optional<LockError> recordIntents(AuditFile *audit, QList<AuditEntry> entries);
std::optional<LockError> recordIntent(AuditFile *audit, const AuditEntry &entry);

} // namespace lockscope
