// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/heldleases.h"

#include <QtTest/QTest>

Q_DECLARE_METATYPE(lockscope::LeaseSelection)

namespace lockscope::test {

/// Rows "selection" and "says": what every call refuses that takes a selection, where names have `prefixBytes` in
/// front.
inline void addBadSelections(qsizetype prefixBytes = 0)
{
    QTest::addColumn<LeaseSelection>("selection");
    QTest::addColumn<QString>("says");
    const QByteArray session(32, '0');
    const auto row = [](const char *name, const LeaseSelection &selection, const char *says) {
        QTest::newRow(name) << selection << QString::fromLatin1(says);
    };
    row("nothing", {}, "prefix is empty");
    row("both", {"x", session}, "not by both");
    row("256 bytes", {QByteArray(256 - prefixBytes, 'x')}, "256 bytes");
    row("NUL", {QByteArray("a\0", 2)}, "NUL");
    row("a short session", {{}, session.chopped(1)}, "32 hex digits");
    row("a session in capitals", {{}, QByteArray(32, 'A')}, "32 hex digits");
    row("a name for a session", {{}, "billing"}, "32 hex digits");
}

} // namespace lockscope::test
