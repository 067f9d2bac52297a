// SPDX-License-Identifier: MIT
#pragma once

#include "enginetest.h"
#include "lab/labrun.h"

namespace lockscope::test {

/// The engine on a store that may be an ensemble, when workers freeze and crash, and when its servers do: what only a
/// fence stops, and that nothing is forgotten.
class LabEnsembleTest : public EngineTest
{
    Q_OBJECT

public:
    /// `textbooks`: ways of that store that have no fence. `program`: lockctl.
    LabEnsembleTest(LabWay way, const QList<LabWay> &textbooks, const QString &program)
        : m_way(way)
        , m_textbooks(textbooks)
        , m_program(program)
    {
    }

protected:
    /// To its end, or until that has been seen.
    LabReport run(const LabPlan &plan, const std::function<bool(const LabProgress &)> &isSeen = {}) const;

private Q_SLOTS:
    void aFrozenHolderSellsAgain_data();
    void aFrozenHolderSellsAgain();
    void onlyTheFenceRefusesAFrozenHolder_data();
    void onlyTheFenceRefusesAFrozenHolder();
    void theEngineKeepsItsPromises();
    void killedServersForgetNothing_data();
    void killedServersForgetNothing();
    void anEnsembleOutlivesItsLeader();
    void whatKilledServersDidIsCounted();

private:
    QString store() const;

    const LabWay m_way;
    const QList<LabWay> m_textbooks;
    const QString m_program;
};

} // namespace lockscope::test
