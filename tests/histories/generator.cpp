// SPDX-License-Identifier: MIT
#include "generator.h"

#include "kinds.h"

#include <random>

using namespace Qt::StringLiterals;

namespace lockscope::test {

namespace {

constexpr int kShortest = 8;
constexpr int kLongest = 28;
/// A move that cannot be made is drawn again, so often.
constexpr int kDraws = 300;
constexpr int kClosingRounds = 6;

class Generator
{
public:
    Generator(const QString &mode, quint64 seed, const QStringList &without, const Rules &rules)
        : m_random(seed)
        , m_model(HistoryModel::of(mode, rules))
        , m_history{mode, u"History %1 of %2 mode"_s.arg(seed).arg(mode), rules, {}}
    {
        for (const KindOfMove &kind : kindsOfMoves()) {
            const int weight = without.contains(QLatin1String(kind.name)) ? 0 : kind.weight(mode);
            m_kinds.insert(m_kinds.end(), size_t(weight), &kind);
        }
        m_processes = QStringList{u"A"_s, u"B"_s, u"C"_s, u"D"_s}.mid(0, 2 + below(3));
        for (const QString &process : std::as_const(m_processes)) {
            m_owners += process;
            if (below(2) == 0)
                m_owners += process + u'2';
        }
        m_resources = QStringList{u"a"_s, u"b"_s, u"c"_s}.mid(0, 1 + below(3));
    }

    History history()
    {
        const int length = kShortest + below(kLongest - kShortest + 1);
        for (int draws = 0; m_history.moves.size() < length && draws < kDraws; ++draws) {
            if (take(draw()))
                draws = 0;
        }
        close();
        return m_history;
    }

private:
    /// std::uniform_int_distribution differs between libraries; that these numbers are not quite even matters nothing.
    int below(int end) { return int(m_random() % quint64(end)); }
    QString oneOf(const QStringList &names) { return names[below(int(names.size()))]; }

    Move draw()
    {
        const KindOfMove &kind = *m_kinds[size_t(below(int(m_kinds.size())))];
        Move move{kind.kind, {}, oneOf(m_resources), below(Move::Options)};
        move.who = oneOf(kind.who == KindOfMove::Who::Owner ? m_owners : m_processes);
        if (below(4) != 0) // most requests are plain
            move.option &= ~(Move::Keyed | Move::Kept);
        return move;
    }

    bool take(const Move &move)
    {
        if (!m_model->apply(move))
            return false;
        m_history.moves += move;
        return true;
    }

    /// Everybody comes back and lets go, so that everybody who waits has his turn; then a newcomer sees what is free.
    void close()
    {
        for (const QString &process : std::as_const(m_processes)) {
            take({Move::Kind::Thaw, process, {}, 0});
            take({Move::Kind::Heal, process, {}, 0});
        }
        for (int i = 0; i < kClosingRounds; ++i) {
            for (const QString &owner : std::as_const(m_owners)) {
                for (const QString &resource : std::as_const(m_resources))
                    take({Move::Kind::Release, owner, resource, 0});
            }
        }
        for (const QString &resource : std::as_const(m_resources)) {
            if (m_history.mode == u"optimistic")
                take({Move::Kind::Read, u"Z"_s, resource, 0});
            else if (!take({Move::Kind::Try, u"Z"_s, resource, 0}))
                take({Move::Kind::Acquire, u"Z"_s, resource, 0});
        }
    }

    std::mt19937_64 m_random;
    std::unique_ptr<HistoryModel> m_model;
    History m_history;
    std::vector<const KindOfMove *> m_kinds; ///< each as often as it weighs
    QStringList m_processes;
    QStringList m_owners;
    QStringList m_resources;
};

} // namespace

History generate(const QString &mode, quint64 seed, const QStringList &without, const Rules &rules)
{
    return Generator(mode, seed, without, rules).history();
}

} // namespace lockscope::test
