// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QList>
#include <QtCore/QMap>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <optional>

namespace lockscope::test {

/// One line of a script.
struct Step
{
    int line = 0;
    QString text;
};

/// A script of sessions with the log that it must produce. Its language: scenarios/README.md.
struct Scenario
{
    QString file; ///< without its folder
    int line = 0; ///< of the title
    QString title;
    QMap<QString, QString>
        exceptions; ///< mode or store → why the scenario does not hold there; those of its file as well
    QList<Step> steps;

    /// Why the scenario does not hold in that mode, or on that store; none: it does.
    std::optional<QString> exceptionIn(const QString &modeOrStore) const;
    QString place(int atLine) const { return QStringLiteral("%1:%2").arg(file).arg(atLine); }
};

/// The modes that a scenario may make an exception for.
QStringList knownModes();
/// The same of stores beside MySQL. A lease there is one of unique mode, so what does not hold in that holds in none.
QStringList knownStores();

/// Adds the scenarios of one file's text. On a mistake: false, and `*error` begins with file:line.
bool parseScenarios(const QString &file, const QString &text, QList<Scenario> *scenarios, QString *error);

/// Those of every *.txt in `folder`, in the order of the files' names.
bool readScenarios(const QString &folder, QList<Scenario> *scenarios, QString *error);

} // namespace lockscope::test
