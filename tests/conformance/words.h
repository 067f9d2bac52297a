// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QRegularExpression>
#include <QtCore/QString>
#include <QtCore/QStringList>

namespace lockscope::test {

/// The words of the scripts' language, as pieces of regular expressions without groups of their own.
namespace word {
inline const QString Name = QStringLiteral(R"((?:"(?:[^"\\]|\\.)*"(?:\*\d+)?|[\w.-]+))");
inline const QString Duration = QStringLiteral(R"((?:-?\d+(?:us|ms|s|m|h|d)|0|forever))");
inline const QString Ref = QStringLiteral(R"((?:[A-Z]\d*))");
inline const QString Refs = QStringLiteral(R"((?:[A-Z]\d*(?:\.\.[A-Z]\d*)?(?: [A-Z]\d*(?:\.\.[A-Z]\d*)?)*))");
} // namespace word

/// The whole of a text must match.
QRegularExpression wholly(const QString &pattern);

/// The bytes that a word stands for: itself, or of a quoted one what is between the quotes (\\ \" \xHH \uHHHH), as
/// often as "…"*N says.
QByteArray bytesOf(const QString &text);

/// The words of a text, quoted ones whole.
QStringList wordsOf(const QString &text);

/// "B D1..D3" → B, D1, D2, D3.
QStringList refsOf(const QString &text);

/// The process of an owner: "A2" → "A".
inline QString processOf(const QString &ref)
{
    return ref.left(1);
}

/// The command with the owner's own number for {n}.
QString withNumber(QString command, const QString &ref);

/// True for a command that a session understands.
bool isSessionCommand(const QString &command);

} // namespace lockscope::test
