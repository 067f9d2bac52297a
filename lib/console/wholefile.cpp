// SPDX-License-Identifier: MIT
#include "wholefile.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QSaveFile>

#include <cerrno>

namespace lockscope {

namespace {

/// A device or a pipe, which a file in its place would end.
bool isSpecial(const QFileInfo &place)
{
    return place.exists() && !place.isFile() && !place.isDir();
}

QString writtenTo(const QString &special, const QByteArray &content)
{
    QFile file(special);
    if (file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.flush())
        return {};
    return file.errorString();
}

} // namespace

QString writeWhole(const QString &path, const QByteArray &content)
{
    if (isSpecial(QFileInfo(path)))
        return writtenTo(path, content);
    QSaveFile file(path);
    // QSaveFile::commit() overlooks a disk that is too full for what is still in its buffer.
    if (file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.flush() && file.commit())
        return {};
    return file.errorString();
}

QString whyNotWritable(const QString &path)
{
    const QFileInfo place(path);
    const QFileInfo folder(place.absolutePath());
    if (place.isDir())
        return qt_error_string(EISDIR);
    if (!folder.isDir())
        return qt_error_string(ENOENT);
    const bool isOpen = isSpecial(place) ? place.isWritable() : folder.isWritable();
    return isOpen ? QString() : qt_error_string(EACCES);
}

} // namespace lockscope
