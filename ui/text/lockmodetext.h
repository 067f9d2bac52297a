// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QCoreApplication>
#include <QtCore/QString>

namespace lockscope::ui {

/// Of a row lock's mode, as data_locks says it: "X,REC_NOT_GAP".
class LockModeText
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::LockModeText)
public:
    /// "exclusive", "shared".
    static QString strength(const QString &mode);
    /// What it is on: "record", "gap before", "record and gap before", "insert into the gap before".
    static QString reach(const QString &mode, bool isEndOfIndex);
};

} // namespace lockscope::ui
