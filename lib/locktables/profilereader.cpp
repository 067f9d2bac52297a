// SPDX-License-Identifier: MIT
#include "profilereader.h"

#include "profiletext.h"
#include "tomlsection.h"

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

ColumnFamily familyOf(const toml::node &node)
{
    const QString word = node.is_string() ? textOf(node.as_string()->get()) : QString();
    for (const ColumnFamily family : {ColumnFamily::Text, ColumnFamily::Number, ColumnFamily::Time}) {
        if (word == familyName(family))
            return family;
    }
    refuse(lineOf(node), u"a column is \"text\", \"number\" or \"time\""_s);
}

void readColumns(const Section &section, bool isOptional, TableProfile *profile)
{
    for (const auto &[key, value] : section.table()) {
        const QString name = textOf(key.str());
        if (name.isEmpty() || name.size() > 64) // as long as servers allow
            refuse(int(key.source().begin.line), u"a column's name has 1 to 64 characters"_s);
        if (profile->column(name))
            refuse(int(key.source().begin.line), u"the column %1 is named twice"_s.arg(name));
        profile->columns.append({name, familyOf(value), isOptional});
    }
    if (!isOptional && profile->columns.isEmpty())
        refuse(section.line(), u"[columns] names no column"_s);
}

/// A column that the profile has, by the name that it has there.
QString known(const TableProfile &profile, const QString &name, int line)
{
    const ProfileColumn *column = profile.column(name);
    if (!column)
        refuse(line, u"there is no column %1 in [columns] or [optional]"_s.arg(name));
    return column->name;
}

/// The same of one that every such table has.
QString needed(const TableProfile &profile, const QString &name, int line)
{
    const QString column = known(profile, name, line);
    if (profile.column(column)->isOptional)
        refuse(line, u"%1 is optional, and this needs a column that is always there"_s.arg(column));
    return column;
}

QStringList columnsOf(const TableProfile &profile, const Section &section, const char *key, bool isNeeded)
{
    QStringList names;
    for (const QString &name : section.texts(key, isNeeded))
        names.append(known(profile, name, section.lineOfKey(key)));
    return names;
}

QString columnOf(const TableProfile &profile, const Section &section, const char *key)
{
    return section.has(key) ? known(profile, section.text(key), section.lineOfKey(key)) : QString();
}

/// Of a time.
QString timeColumnOf(const TableProfile &profile, const Section &section, const char *key)
{
    const QString name = columnOf(profile, section, key);
    const ProfileColumn *column = profile.column(name);
    if (column && column->family == ColumnFamily::Text)
        refuse(section.lineOfKey(key), u"%1 is a text, and no time"_s.arg(name));
    if (column && column->family == ColumnFamily::Number && !section.has("unit"))
        refuse(section.lineOfKey(key), u"%1 is a number, so [lock] needs a \"unit\""_s.arg(name));
    return name;
}

bool isNumber(const TableProfile &profile, const QString &name)
{
    const ProfileColumn *column = profile.column(name);
    return column && column->family == ColumnFamily::Number;
}

HeldCondition conditionOf(const TableProfile &profile, const toml::node &node)
{
    if (!node.is_table())
        refuse(lineOf(node), u"lock.held is a list of {column = …, is = …}"_s);
    const Section section(*node.as_table(), u"a condition of lock.held"_s, lineOf(node));
    section.allow({"column", "is", "not", "set"});
    HeldCondition condition;
    condition.column = needed(profile, section.text("column", true), section.lineOfKey("column"));
    if (int(section.has("is")) + int(section.has("not")) + int(section.has("set")) != 1)
        refuse(section.line(), u"a condition of lock.held needs one of \"is\", \"not\" and \"set\""_s);
    if (section.has("set")) {
        condition.test = section.flag("set", true) ? HeldCondition::Test::IsSet : HeldCondition::Test::IsNull;
        return condition;
    }
    const char *key = section.has("is") ? "is" : "not";
    condition.test = section.has("is") ? HeldCondition::Test::Equals : HeldCondition::Test::Differs;
    if (isNumber(profile, condition.column)) {
        condition.value = QByteArray::number(section.number(key).value_or(0));
        return condition;
    }
    const toml::node *value = section.table().get(key);
    if (!value->is_string())
        refuse(lineOf(*value), u"%1 is no number, so this has to be a text in quotes"_s.arg(condition.column));
    condition.value = textOf(value->as_string()->get()).toUtf8(); // may be empty
    return condition;
}

std::optional<std::chrono::seconds> lastsOf(const Section &section)
{
    const auto seconds = section.number("lasts");
    if (!seconds)
        return std::nullopt;
    if (*seconds < 1 || *seconds > qint64(100) * 365 * 24 * 3600)
        refuse(section.lineOfKey("lasts"), u"lock.lasts is a number of seconds, and at most a hundred years"_s);
    return std::chrono::seconds(*seconds);
}

void readKey(const Section &section, TableProfile *profile)
{
    profile->key = columnsOf(*profile, section, "key", true);
    profile->hash = KeyHash(section.word("hash", {"none"_L1, "sha256"_L1, "uuid3"_L1}));
    profile->hashed = columnOf(*profile, section, "hashed");
    if (profile->hashed.isEmpty())
        profile->hashed = profile->key.constFirst();
    else if (profile->hash == KeyHash::None)
        refuse(section.lineOfKey("hashed"), u"lock.hashed needs lock.hash"_s);
}

void readLock(const Section &section, TableProfile *profile)
{
    section.allow({"key", "hash", "hashed", "holder", "since", "until", "forever", "beat", "lasts", "unit", "after",
                   "transaction", "clock", "times", "held", "note"});
    readKey(section, profile);
    profile->holder = columnsOf(*profile, section, "holder", false);
    profile->since = timeColumnOf(*profile, section, "since");
    profile->until = timeColumnOf(*profile, section, "until");
    profile->forever = section.number("forever");
    if (profile->forever && !isNumber(*profile, profile->until))
        refuse(section.lineOfKey("forever"), u"lock.forever needs a lock.until that is a number"_s);
    profile->beat = timeColumnOf(*profile, section, "beat");
    profile->lasts = lastsOf(section);
    if (profile->lasts && profile->since.isEmpty() && profile->beat.isEmpty())
        refuse(section.lineOfKey("lasts"), u"lock.lasts needs lock.since or lock.beat"_s);
    if (!profile->beat.isEmpty() && !profile->lasts)
        refuse(section.lineOfKey("beat"), u"lock.beat needs lock.lasts"_s);
    profile->isUnitMilliseconds = section.word("unit", {"seconds"_L1, "milliseconds"_L1}) == 1;
    profile->isFreeAfter = section.word("after", {"expired"_L1, "free"_L1}) == 1;
    profile->isOfTransaction = section.flag("transaction", false);
    profile->clock =
        section.word("clock", {"database"_L1, "application"_L1}) == 0 ? TableClock::Database : TableClock::Application;
    profile->times = section.word("times", {"utc"_L1, "local"_L1}) == 0 ? WrittenTime::Utc : WrittenTime::Local;
    profile->note = section.text("note");
    if (!section.has("held"))
        return;
    const toml::array *list = section.table().get("held")->as_array();
    if (!list || list->empty())
        refuse(section.lineOfKey("held"), u"lock.held is a list of {column = …, is = …}"_s);
    for (const toml::node &each : *list)
        profile->held.append(conditionOf(*profile, each));
}

Assignment assignmentOf(const TableProfile &profile, const QString &column, const toml::node &node)
{
    Assignment assignment;
    assignment.column = column;
    if (node.is_integer()) {
        assignment.to = Assignment::To::Number;
        assignment.number = node.as_integer()->get();
        return assignment;
    }
    if (node.is_string()) {
        assignment.to = Assignment::To::Text;
        assignment.text = textOf(node.as_string()->get());
        return assignment;
    }
    if (!node.is_table() || node.as_table()->size() != 1)
        refuse(lineOf(node),
               u"%1 is set to a number, a text, or one of {null = true}, {column = \"…\"}, {add = 1}"_s.arg(column));
    const Section section(*node.as_table(), u"what %1 is set to"_s.arg(column), lineOf(node));
    section.allow({"null", "column", "add"});
    if (section.has("column")) {
        assignment.to = Assignment::To::Column;
        assignment.from = needed(profile, section.text("column", true), section.lineOfKey("column"));
    } else if (section.has("add")) {
        assignment.to = Assignment::To::Sum;
        assignment.number = section.number("add").value_or(0);
    } else if (!section.flag("null", true)) {
        refuse(section.line(), u"\"null\" can only be true"_s);
    }
    return assignment;
}

void readRelease(const Section &section, TableProfile *profile)
{
    section.allow({"by", "set", "reason", "warning"});
    ProfileRelease &release = profile->release;
    section.text("by", true);
    release.way = ProfileRelease::Way(section.word("by", {"nothing"_L1, "update"_L1, "delete"_L1}));
    release.reason = section.text("reason");
    release.warning = section.text("warning");
    const bool isUpdate = release.way == ProfileRelease::Way::Update;
    if (release.way == ProfileRelease::Way::None && release.reason.isEmpty())
        refuse(section.line(), u"a lock that is not released by Lockscope needs a \"reason\" that is shown instead"_s);
    if (profile->isOfTransaction && release.way != ProfileRelease::Way::None)
        refuse(section.lineOfKey("by"), u"who holds it is a transaction, so to change the row releases nothing"_s);
    if (isUpdate != section.has("set"))
        refuse(section.line(), u"\"set\" says what an update sets, and is for no other"_s);
    if (!isUpdate)
        return;
    const Section set = section.section("set");
    for (const auto &[key, value] : set.table()) {
        const QString column = needed(*profile, textOf(key.str()), int(key.source().begin.line));
        release.set.append(assignmentOf(*profile, column, value));
    }
    if (release.set.isEmpty())
        refuse(section.line(), u"an update has to set something"_s);
}

TableProfile profileOf(const Section &top, const QString &id)
{
    top.allow({"format", "title", "source", "table", "columns", "optional", "lock", "release"});
    TableProfile profile;
    profile.id = id;
    profile.title = top.text("title", true);
    profile.source = top.text("source");
    const Section table = top.section("table", false);
    table.allow({"names", "needs_name", "others"});
    profile.names = table.texts("names");
    profile.isNameNeeded = table.flag("needs_name", false);
    if (profile.isNameNeeded && profile.names.isEmpty())
        refuse(table.lineOfKey("needs_name"), u"table.needs_name needs table.names"_s);
    profile.allowsOthers = table.flag("others", true);
    readColumns(top.section("columns"), false, &profile);
    readColumns(top.section("optional", false), true, &profile);
    readLock(top.section("lock"), &profile);
    readRelease(top.section("release"), &profile);
    return profile;
}

} // namespace

std::variant<TableProfile, ProfileFault> readProfile(const QByteArray &file, const QString &id)
{
    TableProfile profile;
    const auto fault = readToml(file, id, [&](const Section &top) { profile = profileOf(top, id); });
    return fault ? std::variant<TableProfile, ProfileFault>(*fault) : profile;
}

} // namespace lockscope
