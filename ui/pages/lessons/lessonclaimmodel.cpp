// SPDX-License-Identifier: MIT
#include "lessonclaimmodel.h"

#include "lessontext.h"
#include "ui/style/statemark.h"
#include "ui/text/commontext.h"

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

Mark markOf(LessonVerdict verdict)
{
    switch (verdict) {
    case LessonVerdict::True:
        return Mark::Released;
    case LessonVerdict::OnlyIf:
        return Mark::Orphan; // half of it
    case LessonVerdict::False:
        break;
    }
    return Mark::Violation;
}

} // namespace

LessonClaimModel::LessonClaimModel(QObject *parent)
    : HeadedModel({{tr("What articles say")}, {tr("Verdict")}}, parent)
{
}

void LessonClaimModel::add(const QList<Lesson> &lessons)
{
    QList<Row> rows;
    for (const Lesson &lesson : lessons) {
        for (const LessonClaim &claim : lesson.claims)
            rows.append({claim, lesson.id, lesson.title});
    }
    if (rows.isEmpty())
        return;
    beginInsertRows({}, int(m_rows.size()), int(m_rows.size() + rows.size()) - 1);
    m_rows += rows;
    endInsertRows();
}

int LessonClaimModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

QVariant LessonClaimModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Row &row = m_rows[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == Claim ? row.claim.text.simplified() : LessonText::verdict(row.claim.verdict);
    case Qt::DecorationRole:
        return index.column() == Verdict ? markIcon(markOf(row.claim.verdict)) : QVariant();
    case Qt::TextAlignmentRole:
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return CommonText::tip(tr("%1\n\nShown by: %2").arg(row.claim.because, row.title).trimmed());
    case SearchRole:
        return QStringList{LessonText::claimWords(row.claim), row.lesson, row.title}.join(u'\n');
    case LessonRole:
        return row.lesson;
    default:
        return {};
    }
}

} // namespace lockscope::ui
