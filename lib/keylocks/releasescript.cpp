// SPDX-License-Identifier: MIT
#include "releasescript.h"

namespace lockscope {

namespace {

/// What must still be true, and the plain act.
struct Recipe
{
    const char *shown;
    const char *removal;
};

Recipe recipeOf(KeyType type)
{
    if (type == KeyType::Hash)
        return {"redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2]", "redis.call('HDEL', KEYS[1], ARGV[1])"};
    if (type == KeyType::SortedSet)
        return {"redis.call('ZSCORE', KEYS[1], ARGV[1]) ~= ARGV[2]", "redis.call('ZREM', KEYS[1], ARGV[1])"};
    return {"redis.call('GET', KEYS[1]) ~= ARGV[1]", "redis.call('DEL', KEYS[1])"};
}

} // namespace

QByteArray releaseScript(const KeyConvention &convention)
{
    const Recipe recipe = recipeOf(convention.type);
    const QByteArray &own = convention.release.script;
    return "if redis.call('TYPE', KEYS[1]).ok ~= '" + typeName(convention.type).toLatin1() + "' or " + recipe.shown
        + " then\n  return 0\nend\n" + (own.isEmpty() ? QByteArray(recipe.removal) : own) + "\nreturn 1";
}

QByteArrayList releaseArguments(const KeyHolder &holder)
{
    const KeyPart &part = holder.part;
    return part.member.isEmpty() ? QByteArrayList{part.value} : QByteArrayList{part.member, part.value};
}

} // namespace lockscope
