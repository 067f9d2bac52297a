// SPDX-License-Identifier: MIT
#include "tableprofile.h"

#include <QtCore/QRegularExpression>

#include <algorithm>

namespace lockscope {

using namespace Qt::StringLiterals;

QString familyName(ColumnFamily family)
{
    switch (family) {
    case ColumnFamily::Text:
        return u"text"_s;
    case ColumnFamily::Number:
        return u"number"_s;
    case ColumnFamily::Time:
        break;
    }
    return u"time"_s;
}

const ProfileColumn *TableProfile::column(const QString &name) const
{
    const auto found = std::find_if(columns.cbegin(), columns.cend(), [&name](const ProfileColumn &column) {
        return column.name.compare(name, Qt::CaseInsensitive) == 0;
    });
    return found == columns.cend() ? nullptr : &*found;
}

bool TableProfile::isNamed(const QString &table) const
{
    return std::any_of(names.cbegin(), names.cend(), [&table](const QString &pattern) {
        const QString expression = QRegularExpression::escape(pattern).replace(u"\\*"_s, u".*"_s);
        return QRegularExpression(QRegularExpression::anchoredPattern(expression),
                                  QRegularExpression::CaseInsensitiveOption
                                      | QRegularExpression::DotMatchesEverythingOption)
            .match(table)
            .hasMatch();
    });
}

} // namespace lockscope
