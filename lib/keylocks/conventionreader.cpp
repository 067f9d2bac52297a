// SPDX-License-Identifier: MIT
#include "conventionreader.h"

#include "locktables/tomlsection.h"

#include <algorithm>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

/// Of the whole text.
QRegularExpression shapeOf(const Section &section, const char *key)
{
    if (!section.has(key))
        return {};
    QRegularExpression shape(u"\\A(?:"_s + section.text(key) + u")\\z"_s);
    if (!shape.isValid())
        refuse(section.lineOfKey(key), u"this is no regular expression: "_s + shape.errorString());
    shape.optimize();
    return shape;
}

KeyType typeOf(const Section &section)
{
    if (!section.has("type"))
        refuse(section.line(), u"[key] needs \"type\""_s);
    return KeyType(section.word("type", {"string"_L1, "hash"_L1, "zset"_L1, "folder"_L1, "node"_L1, "key"_L1}));
}

/// What a type has no use for would have no effect.
void checkShapes(const Section &section, const KeyConvention &convention)
{
    const bool hasMembers =
        convention.type == KeyType::Hash || convention.type == KeyType::SortedSet || convention.type == KeyType::Folder;
    const char *needed = hasMembers ? "member" : "value";
    if (convention.type != KeyType::Node && !section.has(needed)) // a node's data may be no text
        refuse(section.line(), u"[key] of this type needs \"%1\""_s.arg(QLatin1StringView(needed)));
    if (!hasMembers && (section.has("member") || section.has("others")))
        refuse(section.line(), u"\"member\" and \"others\" are for a hash, a zset and a folder"_s);
    if (section.has("score") && convention.type != KeyType::SortedSet)
        refuse(section.lineOfKey("score"), u"only a zset has a \"score\""_s);
    if ((section.has("readers") || section.has("holds")) && convention.type != KeyType::Folder)
        refuse(section.line(), u"\"readers\" and \"holds\" are for a folder"_s);
    for (const char *key : {"ttl", "queue", "token"}) {
        if (section.has(key) && convention.store() != KeyStore::Redis)
            refuse(section.lineOfKey(key), u"\"%1\" is for Redis"_s.arg(QLatin1StringView(key)));
    }
}

/// Of an etcd the keys that begin so are gone through.
void checkNames(const Section &section, const KeyConvention &convention)
{
    const auto isAny = [](const QString &name) { return name.isEmpty() || name.startsWith(u'*'); };
    if (convention.store() == KeyStore::Etcd && std::any_of(convention.names.cbegin(), convention.names.cend(), isAny))
        refuse(section.lineOfKey("names"), u"the name of a key of etcd begins with something that is no *"_s);
}

void readKey(const Section &section, KeyConvention *convention)
{
    section.allow({"names", "type", "member", "value", "others", "readers", "holds", "score", "ttl", "guess", "queue",
                   "token", "note"});
    convention->names = section.texts("names", true);
    convention->namePattern = globPattern(convention->names);
    convention->type = typeOf(section);
    checkNames(section, *convention);
    checkShapes(section, *convention);
    convention->member = shapeOf(section, "member");
    convention->value = shapeOf(section, "value");
    convention->others = shapeOf(section, "others");
    convention->readers = shapeOf(section, "readers");
    convention->isHeldByAll = section.word("holds", {"first"_L1, "all"_L1}) == 1;
    convention->score = KeyScore(section.word("score", {"nothing"_L1, "until"_L1, "since"_L1}));
    if (section.has("ttl"))
        convention->hasEnd = section.flag("ttl", true);
    convention->isGuess = section.flag("guess", false);
    convention->queues = section.texts("queue");
    convention->tokens = section.texts("token");
    convention->note = section.text("note");
}

void readRelease(const Section &section, KeyConvention *convention)
{
    section.allow({"by", "lua", "reason", "warning", "leader"});
    KeyRelease &release = convention->release;
    release.isOffered = section.word("by", {"nothing"_L1, "removal"_L1}) == 1;
    release.isOfLeader = section.flag("leader", false);
    release.script = section.text("lua").toUtf8().trimmed();
    release.reason = section.text("reason");
    release.warning = section.text("warning");
    if (!release.isOffered && release.reason.isEmpty())
        refuse(section.line(), u"a lock that is not released by Lockscope needs a \"reason\" that is shown instead"_s);
    if (!release.script.isEmpty() && (!release.isOffered || convention->store() != KeyStore::Redis))
        refuse(section.lineOfKey("lua"), u"\"lua\" is for a release on Redis"_s);
}

KeyConvention conventionOf(const Section &top, const QString &id)
{
    top.allow({"format", "title", "source", "servers", "key", "release"});
    KeyConvention convention;
    convention.id = id;
    convention.title = top.text("title", true);
    convention.source = top.text("source");
    convention.servers = top.texts("servers");
    readKey(top.section("key"), &convention);
    readRelease(top.section("release"), &convention);
    return convention;
}

} // namespace

std::variant<KeyConvention, ProfileFault> readConvention(const QByteArray &file, const QString &id)
{
    KeyConvention convention;
    const auto fault = readToml(file, id, [&](const Section &top) { convention = conventionOf(top, id); });
    return fault ? std::variant<KeyConvention, ProfileFault>(*fault) : convention;
}

} // namespace lockscope
