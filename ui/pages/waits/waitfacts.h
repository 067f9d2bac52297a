// SPDX-License-Identifier: MIT
#pragma once

#include "waitoutline.h"

#include <QtCore/QCoreApplication>

namespace lockscope::ui {

/// One session in full, in words: for the inspector, and for the clipboard.
struct WaitFacts
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::WaitFacts)
public:
    struct Fact
    {
        QString name;
        QString value; ///< empty: there can be none
    };
    QString title;
    QString summary;
    QList<Fact> facts; ///< always the same ones, in the same order
    QString statementTitle;
    QString statement;
    QStringList history; ///< statements of its transaction
    QStringList waitsFor;
    QStringList blocks; ///< who waits for a lock that it holds
    QStringList queue;  ///< who merely stands behind it
    QStringList holds;
    bool isListingRows = false; ///< also those that nobody waits for

    static WaitFacts of(const WaitPicture &picture, quint64 session, ServerTime now);
    /// Only what runs with the clock: summary and facts.
    static WaitFacts running(const WaitPicture &picture, quint64 session, ServerTime now);
    static QString historyTitle();
    static QString waitsForTitle();
    static QString blocksTitle(qsizetype count);
    static QString queueTitle(qsizetype count);
    QString holdsTitle() const;
    QString toText() const;
};

} // namespace lockscope::ui
