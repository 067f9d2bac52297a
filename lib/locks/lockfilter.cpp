// SPDX-License-Identifier: MIT
#include "lockfilter.h"

#include "console/durationtext.h"

#include <algorithm>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

struct Choice
{
    QLatin1StringView name;
    int value;
};

const QList<Choice> &kinds()
{
    static const QList<Choice> all{{"lease"_L1, int(LockKind::Lease)},
                                   {"row"_L1, int(LockKind::Row)},
                                   {"row"_L1, int(LockKind::Transaction)}, // as in lockctl list
                                   {"version"_L1, int(LockKind::Version)},
                                   {"transaction"_L1, int(LockKind::Transaction)},
                                   {"metadata"_L1, int(LockKind::Metadata)},
                                   {"user"_L1, int(LockKind::User)},
                                   {"table"_L1, int(LockKind::Table)},
                                   {"rediskey"_L1, int(LockKind::RedisKey)},
                                   {"zookeepernode"_L1, int(LockKind::ZooKeeperNode)},
                                   {"etcdkey"_L1, int(LockKind::EtcdKey)}};
    return all;
}

const QList<Choice> &states()
{
    static const QList<Choice> all{{"held"_L1, int(LockState::Held)},       {"orphan"_L1, int(LockState::Orphan)},
                                   {"expired"_L1, int(LockState::Expired)}, {"kept"_L1, int(LockState::Kept)},
                                   {"open"_L1, int(LockState::Open)},       {"unknown"_L1, int(LockState::Unknown)}};
    return all;
}

QStringList namesOf(const QList<Choice> &choices)
{
    QStringList names;
    for (const Choice &choice : choices)
        names += choice.name;
    names.removeDuplicates();
    return names;
}

struct Word
{
    QString text;
    qsizetype quoted = -1; ///< where in it the quoted part begins
};

/// Words between spaces; what is in quotation marks is not cut. False: one is open.
bool split(const QString &text, QList<Word> *words)
{
    Word word;
    bool isInside = false;
    bool isBegun = false;
    const auto end = [&] {
        if (isBegun)
            words->append(word);
        word = {};
        isBegun = false;
    };
    for (const QChar c : text) {
        if (c == u'"') {
            if (!isInside && word.quoted < 0)
                word.quoted = word.text.size();
            isInside = !isInside;
            isBegun = true;
        } else if (c.isSpace() && !isInside) {
            end();
        } else {
            word.text += c;
            isBegun = true;
        }
    }
    end();
    return !isInside;
}

bool has(const QString &text, const QString &wanted)
{
    return text.contains(wanted, Qt::CaseInsensitive);
}

QString owner(const LockRow &row)
{
    return row.owner.toString();
}

} // namespace

QStringList LockFilter::fields()
{
    return {u"resource"_s, u"holder"_s,  u"host"_s,  u"note"_s,    u"server"_s, u"profile"_s, u"kind"_s,
            u"state"_s,    u"waiters"_s, u"token"_s, u"session"_s, u"pid"_s,    u"held"_s,    u"left"_s};
}

LockFilter LockFilter::parse(const QString &text, std::optional<FilterError> *error)
{
    LockFilter filter;
    QList<Word> words;
    std::optional<FilterError> wrong;
    if (!split(text, &words))
        wrong = FilterError{FilterError::Kind::OpenQuote, {}, text, {}};
    for (const Word &word : std::as_const(words)) {
        if (!wrong)
            wrong = read(word.text, word.quoted, &filter.m_terms);
    }
    if (wrong) {
        filter.m_terms.clear();
        Term asItStands;
        asItStands.text = text.trimmed();
        filter.m_terms.append(asItStands);
    }
    if (error)
        *error = wrong;
    return filter;
}

/// `quoted`: where the quoted part begins, -1: nowhere. A colon in it is one of the text.
std::optional<FilterError> LockFilter::read(const QString &word, qsizetype quoted, QList<Term> *terms)
{
    Term term;
    QString rest = word;
    if (rest.startsWith(u'-') && quoted != 0 && rest.size() > 1) {
        term.isNegated = true;
        rest.remove(0, 1);
        --quoted;
    }
    const qsizetype colon = rest.indexOf(u':');
    if (colon <= 0 || (quoted >= 0 && quoted <= colon)) {
        term.text = rest;
        if (!rest.isEmpty())
            terms->append(term);
        return std::nullopt;
    }
    const QString name = rest.left(colon).toLower();
    const qsizetype field = fields().indexOf(name);
    if (field < 0)
        return FilterError{FilterError::Kind::UnknownField, {}, rest.left(colon), fields()};
    term.field = Field(int(Field::Resource) + int(field));
    if (auto wrong = readValue(name, rest.mid(colon + 1), &term))
        return wrong;
    terms->append(term);
    return std::nullopt;
}

std::optional<FilterError> LockFilter::readValue(const QString &name, const QString &value, Term *term)
{
    if (value.isEmpty())
        return FilterError{FilterError::Kind::NothingToFind, name, {}, {}};
    if (term->field == Field::Kind || term->field == Field::State)
        return readChoice(name, value, term);
    static constexpr std::pair<QLatin1StringView, Relation> relations[] = {{"<="_L1, Relation::AtMost},
                                                                           {">="_L1, Relation::AtLeast},
                                                                           {"<"_L1, Relation::Less},
                                                                           {">"_L1, Relation::More},
                                                                           {"="_L1, Relation::Is}};
    const bool isText = term->field <= Field::Profile;
    QString rest = value;
    term->relation = isText ? Relation::Contains : Relation::Is;
    for (const auto &[sign, relation] : relations) {
        if (!rest.startsWith(sign) || (isText && relation != Relation::Is))
            continue;
        term->relation = relation;
        rest.remove(0, sign.size());
        break;
    }
    term->text = rest;
    if (isText)
        return std::nullopt;
    if (term->field == Field::Held || term->field == Field::Left) {
        const auto duration = ctl::parseDuration(rest.toStdString());
        if (!duration)
            return FilterError{FilterError::Kind::NotADuration, name, rest, {}};
        term->number = std::chrono::duration_cast<Microseconds>(*duration).count();
        return std::nullopt;
    }
    bool isNumber = false;
    term->number = rest.toLongLong(&isNumber);
    if (!isNumber)
        return FilterError{FilterError::Kind::NotANumber, name, rest, {}};
    return std::nullopt;
}

std::optional<FilterError> LockFilter::readChoice(const QString &name, const QString &value, Term *term)
{
    const QList<Choice> &choices = term->field == Field::Kind ? kinds() : states();
    for (const QString &one : value.toLower().split(u',', Qt::SkipEmptyParts)) {
        const auto before = term->oneOf.size();
        for (const Choice &choice : choices) {
            if (choice.name == one)
                term->oneOf.append(choice.value);
        }
        if (term->oneOf.size() == before)
            return FilterError{FilterError::Kind::UnknownValue, name, one, namesOf(choices)};
    }
    return std::nullopt;
}

bool LockFilter::matches(const LockRow &row, ServerTime now, const QString &server) const
{
    return std::all_of(m_terms.cbegin(), m_terms.cend(),
                       [&](const Term &term) { return fits(term, row, now, server) != term.isNegated; });
}

bool LockFilter::isOfTime() const
{
    return std::any_of(m_terms.cbegin(), m_terms.cend(),
                       [](const Term &term) { return term.field == Field::Held || term.field == Field::Left; });
}

/// ASCII alone: what the server does not fold, it would not find.
QByteArray LockFilter::needle() const
{
    const auto isPlain = [](const Term &term) {
        const auto isAscii = [](QChar c) { return c.unicode() < 0x80; };
        return term.field == Field::Any && !term.isNegated
            && std::all_of(term.text.cbegin(), term.text.cend(), isAscii);
    };
    const auto found = std::find_if(m_terms.cbegin(), m_terms.cend(), isPlain);
    return found == m_terms.cend() ? QByteArray() : found->text.toUtf8();
}

bool LockFilter::fits(const Term &term, const LockRow &row, ServerTime now, const QString &server)
{
    if (term.field == Field::Kind)
        return term.oneOf.contains(int(row.key.kind));
    if (term.field == Field::State)
        return term.oneOf.contains(int(row.state));
    return term.field <= Field::Profile ? fitsText(term, row, server) : fitsNumber(term, numberOf(term, row, now));
}

bool LockFilter::fitsText(const Term &term, const LockRow &row, const QString &server)
{
    const auto fitsIn = [&term](const QString &text) {
        return term.relation == Relation::Is ? text.compare(term.text, Qt::CaseInsensitive) == 0 : has(text, term.text);
    };
    switch (term.field) {
    case Field::Resource:
        return fitsIn(QString::fromUtf8(row.key.resource));
    case Field::Holder:
        return fitsIn(row.owner.service) || (term.relation == Relation::Contains && has(owner(row), term.text));
    case Field::Host:
        return fitsIn(row.owner.host);
    case Field::Note:
        return fitsIn(QString::fromUtf8(row.note));
    case Field::Server:
        return fitsIn(server);
    case Field::Profile:
        if (row.keyLock)
            return fitsIn(row.keyLock->convention.title) || fitsIn(row.keyLock->convention.id);
        return row.table && (fitsIn(row.table->table.profile.title) || fitsIn(row.table->table.profile.id));
    default:
        break;
    }
    return has(QString::fromUtf8(row.key.resource), term.text) || has(owner(row), term.text)
        || has(QString::fromUtf8(row.note), term.text);
}

std::optional<qint64> LockFilter::numberOf(const Term &term, const LockRow &row, ServerTime now)
{
    const auto microseconds = [](const std::optional<Microseconds> &length) {
        return length ? std::optional<qint64>(length->count()) : std::nullopt;
    };
    switch (term.field) {
    case Field::Waiters:
        return row.waiters ? std::optional<qint64>(*row.waiters) : std::nullopt;
    case Field::Token:
        return row.hasToken() ? std::optional(qint64(row.token)) : std::nullopt;
    case Field::Session:
        return row.connectionId ? std::optional(qint64(*row.connectionId)) : std::nullopt;
    case Field::Pid:
        return row.owner.pid;
    case Field::Held:
        return microseconds(row.heldFor(now));
    case Field::Left:
        return microseconds(row.remaining(now));
    default:
        break;
    }
    return std::nullopt;
}

bool LockFilter::fitsNumber(const Term &term, const std::optional<qint64> &number)
{
    if (!number)
        return false;
    switch (term.relation) {
    case Relation::Less:
        return *number < term.number;
    case Relation::AtMost:
        return *number <= term.number;
    case Relation::More:
        return *number > term.number;
    case Relation::AtLeast:
        return *number >= term.number;
    case Relation::Contains:
    case Relation::Is:
        break;
    }
    return *number == term.number;
}

} // namespace lockscope
