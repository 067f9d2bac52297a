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

QString addressOf(const ServerUrl &url)
{
    if (!url.socket.isEmpty() || url.host.isEmpty())
        return url.socket;
    const QString host = url.host.contains(u':') ? u'[' + url.host + u']' : url.host;
    return u"%1:%2"_s.arg(host).arg(url.port);
}

QString shortAddressOf(const ServerUrl &url)
{
    constexpr int usual = 3306;
    return url.socket.isEmpty() && url.port == usual ? url.host : addressOf(url);
}

} // namespace lockscope
