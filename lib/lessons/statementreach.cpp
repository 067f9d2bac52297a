// SPDX-License-Identifier: MIT
#include "statementreach.h"

#include <QtCore/QList>
#include <QtCore/QRegularExpression>

#include <algorithm>
#include <initializer_list>

namespace lockscope {

namespace {

using namespace Qt::StringLiterals;
using Words = std::initializer_list<QLatin1String>;

struct Token
{
    enum class Kind { Word, Quoted, Number, Sign };
    Kind kind = Kind::Sign;
    QString text; ///< of a word in capitals

    bool isName() const { return kind == Kind::Word || kind == Kind::Quoted; }
    bool is(QLatin1String word) const { return kind != Kind::Quoted && text == word; }
    bool isOneOf(const Words &words) const
    {
        return kind == Kind::Word && std::ranges::any_of(words, [this](QLatin1String word) { return text == word; });
    }
};

/// What clients and servers read differently: comments that some run and others skip, control characters.
bool isReadDifferently(const QString &sql)
{
    static const QRegularExpression pattern(u"/\\*M?!|/\\*\\+|[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\x{2028}\\x{2029}]"_s);
    return pattern.match(sql).hasMatch();
}

/// Without comments. None: not all of it can be read.
QList<Token> tokensOf(const QString &sql)
{
    static const QRegularExpression pattern(
        u"(?<skipped>\\s+|--(?=\\s|$)[^\\n]*|#[^\\n]*|/\\*.*?\\*/)"
        "|(?<quoted>'(?:[^'\\\\]|\\\\.|'')*+'|\"(?:[^\"\\\\]|\\\\.|\"\")*+\"|`(?:[^`]|``)*+`)"
        "|(?<place>\\{[A-Z]{1,2}\\d{0,2}\\})"
        "|(?<number>\\d+(?:\\.\\d*)?(?:[eE][+-]?\\d+)?(?![\\w$])|\\.\\d+)"
        "|(?<word>@{0,2}[\\w$]+)|(?<sign>.)"_s,
        QRegularExpression::DotMatchesEverythingOption);
    QList<Token> tokens;
    qsizetype read = 0;
    for (auto each = pattern.globalMatch(sql); each.hasNext();) {
        const auto match = each.next();
        read = match.capturedEnd();
        using Kind = Token::Kind;
        if (match.hasCaptured(u"word"_s))
            tokens.append({Kind::Word, match.captured().toUpper()});
        else if (match.hasCaptured(u"quoted"_s))
            tokens.append({Kind::Quoted, match.captured()});
        else if (match.hasCaptured(u"number"_s) || match.hasCaptured(u"place"_s))
            tokens.append({Kind::Number, match.captured()});
        else if (match.hasCaptured(u"sign"_s))
            tokens.append({Kind::Sign, match.captured()});
    }
    if (read < sql.size())
        tokens.clear(); // an engine of patterns has limits
    return tokens;
}

/// What lessons are made of. All else may do anything.
constexpr Words kVerbs{"SELECT"_L1,  "INSERT"_L1,   "UPDATE"_L1,    "DELETE"_L1,  "REPLACE"_L1, "WITH"_L1,
                       "TABLE"_L1,   "VALUES"_L1,   "CALL"_L1,      "DO"_L1,      "BEGIN"_L1,   "START"_L1,
                       "COMMIT"_L1,  "ROLLBACK"_L1, "SAVEPOINT"_L1, "RELEASE"_L1, "SET"_L1,     "LOCK"_L1,
                       "UNLOCK"_L1,  "XA"_L1,       "SHOW"_L1,      "EXPLAIN"_L1, "DESC"_L1,    "DESCRIBE"_L1,
                       "ANALYZE"_L1, "OPTIMIZE"_L1, "CHECK"_L1,     "CREATE"_L1,  "ALTER"_L1,   "DROP"_L1,
                       "RENAME"_L1,  "TRUNCATE"_L1, "HANDLER"_L1,   "KILL"_L1,    "IF"_L1};
constexpr Words kDefining{"CREATE"_L1, "ALTER"_L1, "DROP"_L1, "RENAME"_L1};
/// Behind one of these a statement begins, in the body of a procedure.
constexpr Words kBeforeVerb{"BEGIN"_L1, "THEN"_L1, "ELSE"_L1, "DO"_L1, "LOOP"_L1, "REPEAT"_L1};
constexpr Words kBodies{"PROCEDURE"_L1, "FUNCTION"_L1, "TRIGGER"_L1, "EVENT"_L1};
constexpr Words kBodiless{"TABLE"_L1, "VIEW"_L1, "INDEX"_L1, "SEQUENCE"_L1};
constexpr Words kOfServer{"GRANT"_L1,  "REVOKE"_L1, "SHUTDOWN"_L1, "RESTART"_L1, "FLUSH"_L1,
                          "RESET"_L1,  "PURGE"_L1,  "CHANGE"_L1,   "INSTALL"_L1, "UNINSTALL"_L1,
                          "BINLOG"_L1, "STOP"_L1,   "IMPORT"_L1,   "BACKUP"_L1,  "CLONE"_L1};
/// Objects that are of no schema.
constexpr Words kGlobalObjects{"DATABASE"_L1,   "SCHEMA"_L1,  "USER"_L1,     "ROLE"_L1,     "SERVER"_L1,
                               "TABLESPACE"_L1, "LOGFILE"_L1, "RESOURCE"_L1, "INSTANCE"_L1, "DEFINER"_L1};
/// Anywhere in a body, or where a variable is set for one statement.
constexpr Words kInBodies{"GLOBAL"_L1,  "PERSIST"_L1, "PERSIST_ONLY"_L1, "KILL"_L1,
                          "EXECUTE"_L1, "PREPARE"_L1, "IMMEDIATE"_L1,    "PASSWORD"_L1};
constexpr Words kOfFiles{"OUTFILE"_L1, "DUMPFILE"_L1,  "INFILE"_L1,   "LOAD_FILE"_L1,
                         "SONAME"_L1,  "DIRECTORY"_L1, "FILE_NAME"_L1};
constexpr Words kGlobalSettings{"GLOBAL"_L1,   "PERSIST"_L1,  "PERSIST_ONLY"_L1, "PASSWORD"_L1,      "ROLE"_L1,
                                "RESOURCE"_L1, "@@GLOBAL"_L1, "@@PERSIST"_L1,    "@@PERSIST_ONLY"_L1};
constexpr Words kToTables{
    "FROM"_L1,   "JOIN"_L1,    "STRAIGHT_JOIN"_L1, "INTO"_L1,      "UPDATE"_L1,   "TABLE"_L1,   "TABLES"_L1,
    "DELETE"_L1, "REPLACE"_L1, "INSERT"_L1,        "TRUNCATE"_L1,  "CALL"_L1,     "USING"_L1,   "REFERENCES"_L1,
    "LIKE"_L1,   "HANDLER"_L1, "DESC"_L1,          "DESCRIBE"_L1,  "EXPLAIN"_L1,  "ANALYZE"_L1, "VIEW"_L1,
    "INDEX"_L1,  "TO"_L1,      "SEQUENCE"_L1,      "PROCEDURE"_L1, "FUNCTION"_L1, "TRIGGER"_L1, "EVENT"_L1};
constexpr Words kToColumns{"SELECT"_L1, "SET"_L1,    "WHERE"_L1, "VALUES"_L1, "VALUE"_L1, "GROUP"_L1,
                           "ORDER"_L1,  "HAVING"_L1, "BY"_L1,    "LIMIT"_L1,  "CHECK"_L1, "RETURNING"_L1};
/// Schemas that the server itself fills; to read them harms nobody.
constexpr Words kReadable{"INFORMATION_SCHEMA"_L1, "PERFORMANCE_SCHEMA"_L1};

class Reach
{
public:
    explicit Reach(const QList<Token> &tokens)
        : m_tokens(tokens)
        , m_isDefining(at(0).isOneOf(kDefining))
        , m_isReading(at(0).isOneOf({"SELECT"_L1, "SHOW"_L1, "WITH"_L1, "EXPLAIN"_L1, "DESC"_L1, "DESCRIBE"_L1}))
        , m_hasBody(m_isDefining && definesBody(tokens))
        , m_mayHideMore(m_hasBody || (at(0).is("SET"_L1) && at(1).is("STATEMENT"_L1)))
    {
    }

    StatementReach judge()
    {
        if (!at(0).isOneOf(kVerbs) && !at(0).is("("_L1))
            return ofVerb(0) == StatementReach::OwnSchema ? StatementReach::Unclear : ofVerb(0);
        for (qsizetype i = 0; i < m_tokens.size(); ++i) {
            if (const StatementReach found = ofToken(i); found != StatementReach::OwnSchema)
                return found;
        }
        return StatementReach::OwnSchema;
    }

private:
    /// By the first kind of object that is named.
    static bool definesBody(const QList<Token> &tokens)
    {
        const auto found = std::ranges::find_if(
            tokens, [](const Token &each) { return each.isOneOf(kBodies) || each.isOneOf(kBodiless); });
        return found != tokens.end() && found->isOneOf(kBodies);
    }

    Token at(qsizetype i) const { return i >= 0 && i < m_tokens.size() ? m_tokens.at(i) : Token(); }

    StatementReach ofToken(qsizetype i)
    {
        const Token &token = m_tokens.at(i);
        // A quote without its end; a client takes what is behind a backslash for a command of its own.
        static constexpr Words unclear{"'"_L1, "\""_L1, "`"_L1, "\\"_L1, "{"_L1, "}"_L1};
        if (token.kind == Token::Kind::Sign
            && (token.text.front().unicode() > 127
                || std::ranges::any_of(unclear, [&token](QLatin1String sign) { return token.text == sign; })))
            return StatementReach::Unclear;
        // Whether that ends the text is a setting.
        if (token.kind == Token::Kind::Quoted && (token.text.contains("\\'"_L1) || token.text.contains("\\\""_L1)))
            return StatementReach::Unclear;
        if (token.is(";"_L1) && i + 1 < m_tokens.size() && !m_hasBody)
            return StatementReach::Several;
        // A client takes that for a command of its own at the beginning of any line.
        if (token.is("DELIMITER"_L1))
            return StatementReach::Unclear;
        if (token.isOneOf(kOfFiles))
            return StatementReach::Files;
        if (m_mayHideMore && (token.isOneOf(kOfServer) || token.isOneOf(kInBodies)))
            return StatementReach::Server;
        if (i == 0 || at(i - 1).is(";"_L1) || at(i - 1).isOneOf(kBeforeVerb)) {
            if (const StatementReach found = ofVerb(i); found != StatementReach::OwnSchema)
                return found;
        }
        if (token.isOneOf(kDefining) && isBeforeGlobalObject(i))
            return StatementReach::Server;
        noteClause(i);
        return ofName(i);
    }

    /// "CREATE OR REPLACE USER" too.
    bool isBeforeGlobalObject(qsizetype i) const
    {
        static constexpr Words between{"OR"_L1, "REPLACE"_L1, "UNDO"_L1};
        do
            ++i;
        while (at(i).isOneOf(between));
        return at(i).isOneOf(kGlobalObjects);
    }

    /// Of the statement that begins here, by its first words.
    StatementReach ofVerb(qsizetype i) const
    {
        const Token verb = at(i);
        if (verb.isOneOf(kOfServer) || (verb.is("START"_L1) && !at(i + 1).is("TRANSACTION"_L1))
            || (verb.is("LOCK"_L1) && at(i + 1).is("INSTANCE"_L1)))
            return StatementReach::Server;
        if (verb.is("SET"_L1) && isGlobalSetting(i + 1))
            return StatementReach::Server;
        if (verb.is("KILL"_L1))
            return isOfOwnSession(i + 1) ? StatementReach::OwnSchema : StatementReach::Server;
        if (verb.is("LOAD"_L1))
            return StatementReach::Files;
        if (verb.is("USE"_L1))
            return StatementReach::OtherSchema;
        if (verb.isOneOf({"PREPARE"_L1, "EXECUTE"_L1}))
            return StatementReach::Unclear;
        return StatementReach::OwnSchema;
    }

    /// "KILL QUERY {A}".
    bool isOfOwnSession(qsizetype i) const
    {
        while (at(i).isOneOf({"HARD"_L1, "SOFT"_L1, "CONNECTION"_L1, "QUERY"_L1}))
            ++i;
        return at(i).text.startsWith(u'{') && at(i).kind == Token::Kind::Number
            && (i + 1 == m_tokens.size() || at(i + 1).is(";"_L1));
    }

    /// In the list of settings from here on, one that is for all: "SET @a = 1, GLOBAL b = 2".
    bool isGlobalSetting(qsizetype i) const
    {
        bool isName = true;
        for (; i < m_tokens.size() && !at(i).is(";"_L1); ++i) {
            if ((isName && at(i).isOneOf(kGlobalSettings))
                || (isName && at(i).is("DEFAULT"_L1) && at(i + 1).is("ROLE"_L1)))
                return true;
            isName = at(i).is(","_L1);
        }
        return false;
    }

    /// Whether names from here on are of tables. Behind a comma those of an ON are so again.
    void noteClause(qsizetype i)
    {
        const Token &token = m_tokens.at(i);
        if (token.is("("_L1)) {
            m_outer.append(m_isOfTables);
        } else if (token.is(")"_L1)) {
            m_isOfTables = m_outer.isEmpty() ? m_isOfTables : m_outer.takeLast();
        } else if (token.is("ON"_L1)) {
            m_isInOn = m_isOfTables && !m_isDefining;
            m_isOfTables = m_isDefining;
        } else if (token.is(","_L1) && m_isInOn && m_outer.isEmpty()) {
            m_isOfTables = true;
        } else if (token.isOneOf(kToTables)) {
            m_isOfTables = !at(i - 1).is("KEY"_L1) && (!token.is("LIKE"_L1) || m_isDefining);
            m_isInOn = m_isInOn && m_isOfTables;
        } else if (token.isOneOf(kToColumns)) {
            m_isOfTables = m_isInOn = false;
        }
    }

    /// "other.t" where tables are named, "other.t.c", "other.f(".
    StatementReach ofName(qsizetype i) const
    {
        const Token &token = m_tokens.at(i);
        if (!token.isName() || at(i - 1).is("."_L1) || !at(i + 1).is("."_L1) || token.text.startsWith(u'@'))
            return StatementReach::OwnSchema;
        const Token next = at(i + 3);
        if (!(m_isOfTables && at(i + 2).isName()) && !next.is("."_L1) && !next.is("("_L1))
            return StatementReach::OwnSchema;
        return m_isReading && token.isOneOf(kReadable) ? StatementReach::OwnSchema : StatementReach::OtherSchema;
    }

    const QList<Token> &m_tokens;
    const bool m_isDefining;
    const bool m_isReading;
    const bool m_hasBody;
    const bool m_mayHideMore; ///< statements may begin at places that are not known here
    bool m_isOfTables = false;
    bool m_isInOn = false;
    QList<bool> m_outer;
};

} // namespace

StatementReach reachOf(const QString &sql)
{
    const QList<Token> tokens = isReadDifferently(sql) ? QList<Token>() : tokensOf(sql);
    return tokens.isEmpty() ? StatementReach::Unclear : Reach(tokens).judge();
}

} // namespace lockscope
