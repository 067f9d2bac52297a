// SPDX-License-Identifier: MIT
#include "wholefile.h"

#include <QtCore/QSaveFile>

namespace lockscope {

QString writeWhole(const QString &path, const QByteArray &content)
{
    QSaveFile file(path);
    // QSaveFile::commit() overlooks a disk that is too full for what is still in its buffer.
    if (file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.flush() && file.commit())
        return {};
    return file.errorString();
}

} // namespace lockscope
