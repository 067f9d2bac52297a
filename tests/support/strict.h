// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

namespace lockscope::test {

/// Warnings that are none of ours: the offscreen platform's, wherever a window opens …
inline constexpr char OffscreenWarning[] = "This plugin does not support propagateSizeHints";
/// … and that of Qt's driver when a connection is killed while it opens.
inline constexpr char KilledOpeningWarning[] = "MySQL: Unable to set the client character set";

/// Fails a test function that warns, but for warnings that begin with `except`. To be called in init(), for it holds
/// for one function. (Unit tests need no call: any warning in their output fails them, see AddTest.cmake.)
inline void failOnWarnings(const char *except = nullptr)
{
    const QString any = QStringLiteral(".*");
    QTest::failOnWarning(QRegularExpression(except ? QStringLiteral("^(?!%1)").arg(QLatin1String(except)) : any));
}

} // namespace lockscope::test
