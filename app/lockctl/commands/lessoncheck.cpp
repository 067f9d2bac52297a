// SPDX-License-Identifier: MIT
#include "lessoncheck.h"

#include "lessons/lessonproof.h"
#include "process/interruption.h"
#include "server/trialserver.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "text/lessontext.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

int tryLessons(const Globals &globals, const QList<std::pair<QString, Lesson>> &lessons, bool isAgreed,
               const std::function<void(const QString &name, const LessonFault &fault)> &tell)
{
    int exitCode = Done;
    TrialServer server(globals);
    const auto place = server.find(u"Play lessons on %1, each in a schema of its own? [y/N] "_s, isAgreed, &exitCode);
    if (!place)
        return exitCode;
    const Interruption interruption;
    int played = 0;
    const auto tellRemains = [&exitCode](const LessonRemains &remains) {
        printError(remainsText(remains));
        exitCode = exitCode == Done ? Failed : exitCode;
    };
    for (const auto &[name, lesson] : lessons) {
        if (interruption.token().stop_requested())
            break;
        LessonProof proof(place->target, interruption.token());
        proof.tellRemains(tellRemains);
        const bool isPlayed = proof.tryAll(lesson);
        played += isPlayed ? 1 : 0;
        if (!isPlayed)
            printError(u"%1: not played, it is not about this server"_s.arg(name));
        for (const LessonDifference &difference : proof.differences()) {
            exitCode = Failed;
            tell(name, {difference.line, difference.toString()});
        }
        if (const auto &failure = proof.failure()) {
            exitCode = exitCodeFor(*failure);
            tell(name, {0, failure->toString()});
        } else if (isPlayed && proof.differences().isEmpty() && !globals.json) {
            printLine(u"%1: all that it says came true"_s.arg(printable(name)));
        }
    }
    return exitCode == Done && played == 0 ? NothingDone : exitCode;
}

} // namespace lockscope::ctl
