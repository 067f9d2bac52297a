// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QString>

namespace lockscope {

/// What a statement of a lesson may reach where it is sent without the lesson's account, which holds it back.
enum class StatementReach {
    OwnSchema,   ///< the schema that is in use, and who reads them the server's own tables
    OtherSchema, ///< it names another schema, or changes which one is in use
    Server,      ///< settings, accounts, other schemas as such, sessions
    Files,       ///< files of the server
    Several,     ///< another statement stands behind it
    Unclear      ///< what runs is written elsewhere, or depends on how a client reads it
};

/// Judged by its words, and rather too far than too short: it protects who pastes a stranger's statement into a client,
/// no server relies on it. {A}, the number of a session's connection, is the lesson's own. Cost: reads it once.
StatementReach reachOf(const QString &sql);

} // namespace lockscope
