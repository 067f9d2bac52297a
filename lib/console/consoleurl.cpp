// SPDX-License-Identifier: MIT
#include "consoleurl.h"

#include <QtCore/QUrl>

namespace lockscope {

using namespace Qt::StringLiterals;

QString defaultSchema()
{
    return u"lockscope"_s;
}

bool parseConsoleUrl(const QString &text, ServerUrl *url, QString *error)
{
    QUrl whole(text, QUrl::StrictMode);
    const bool namesSchema = !whole.isValid() || whole.host().isEmpty() || whole.path().size() > 1;
    if (!namesSchema)
        whole.setPath(u'/' + defaultSchema());
    return ServerUrl::parse(namesSchema ? text : whole.toString(QUrl::FullyEncoded), url, error);
}

} // namespace lockscope
