// SPDX-License-Identifier: MIT
#include "scenario.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QRegularExpression>

using namespace Qt::StringLiterals;

namespace lockscope::test {

namespace {

/// "zookeeper etcd", or "stores" for all of them.
QStringList placesOf(const QString &names)
{
    return names == u"stores" ? knownStores() : names.split(u' ');
}

/// What is wrong with a line that says where scenarios do not hold; empty when it was taken in.
QString takeException(const QString &line, QMap<QString, QString> *exceptions)
{
    static const QRegularExpression form(u"^except (\\w+(?: \\w+)*):\\s*(.*)$"_s);
    const auto match = form.match(line);
    if (!match.hasMatch())
        return u"an exception is written \"except MODE: reason\""_s;
    if (match.captured(2).isEmpty())
        return u"an exception needs its reason"_s;
    for (const QString &name : placesOf(match.captured(1))) {
        if (!knownModes().contains(name) && !knownStores().contains(name))
            return u"\"%1\" is no mode"_s.arg(name);
        if (exceptions->contains(name))
            return u"\"%1\" is excepted already"_s.arg(name);
        exceptions->insert(name, match.captured(2));
    }
    return {};
}

} // namespace

QStringList knownModes()
{
    return {u"unique"_s, u"pessimistic"_s, u"optimistic"_s};
}

QStringList knownStores()
{
    return {u"redis"_s, u"zookeeper"_s, u"etcd"_s};
}

std::optional<QString> Scenario::exceptionIn(const QString &modeOrStore) const
{
    const QString other = knownStores().contains(modeOrStore) ? u"unique"_s : modeOrStore;
    for (const QString &name : {modeOrStore, other}) {
        if (const auto found = exceptions.constFind(name); found != exceptions.constEnd())
            return *found;
    }
    return std::nullopt;
}

bool parseScenarios(const QString &file, const QString &text, QList<Scenario> *scenarios, QString *error)
{
    const auto fail = [&](int line, const QString &what) {
        *error = u"%1:%2: %3"_s.arg(file).arg(line).arg(what);
        return false;
    };
    const QString titleWord = u"scenario:"_s;
    QMap<QString, QString> ofEveryScenario;
    bool begun = false;
    int number = 0;
    for (const QString &raw : text.split(u'\n')) {
        ++number;
        const QString line = raw.trimmed();
        if (line.isEmpty() || line.startsWith(u'#'))
            continue;
        if (line.startsWith(titleWord)) {
            begun = true;
            scenarios->append({file, number, line.mid(titleWord.size()).trimmed(), ofEveryScenario, {}});
        } else if (line.startsWith(u"except"_s)) {
            if (begun && !scenarios->last().steps.isEmpty())
                return fail(number, u"exceptions stand before the first step"_s);
            const QString wrong = takeException(line, begun ? &scenarios->last().exceptions : &ofEveryScenario);
            if (!wrong.isEmpty())
                return fail(number, wrong);
        } else if (!begun) {
            return fail(number, u"a step before the first \"scenario:\""_s);
        } else {
            scenarios->last().steps.append({number, line});
        }
    }
    for (const Scenario &scenario : std::as_const(*scenarios)) {
        if (scenario.title.isEmpty() || scenario.steps.isEmpty())
            return fail(scenario.line, u"a scenario needs a title and steps"_s);
    }
    return true;
}

bool readScenarios(const QString &folder, QList<Scenario> *scenarios, QString *error)
{
    const QDir dir(folder);
    for (const QString &name : dir.entryList({u"*.txt"_s}, QDir::Files, QDir::Name)) {
        QFile file(dir.filePath(name));
        if (!file.open(QIODevice::ReadOnly)) {
            *error = u"%1: %2"_s.arg(name, file.errorString());
            return false;
        }
        if (!parseScenarios(name, QString::fromUtf8(file.readAll()), scenarios, error))
            return false;
    }
    return true;
}

} // namespace lockscope::test
