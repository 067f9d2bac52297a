// SPDX-License-Identifier: MIT
#include "profiletext.h"

#include <QtCore/QList>
#include <QtCore/QStringDecoder>

#include <string>

namespace lockscope {

namespace {

constexpr char32_t kPlane = 0x100000;
constexpr char32_t kLastOfBasicPlane = 0xFFFD;

} // namespace

int lineThatIsNotUtf8(const QByteArray &file)
{
    int number = 0;
    for (const QByteArray &line : file.split('\n')) {
        ++number;
        QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
        const QString text = decoder(line);
        if (decoder.hasError())
            return number;
    }
    return 0;
}

QByteArray tomlSource(const QByteArray &file)
{
    std::u32string letters = QString::fromUtf8(file).toStdU32String();
    for (char32_t &letter : letters) {
        if (letter > 0x7F && letter <= kLastOfBasicPlane)
            letter += kPlane;
    }
    return QString::fromStdU32String(letters).toUtf8();
}

QString textOf(std::string_view text)
{
    std::u32string letters = QString::fromUtf8(text.data(), qsizetype(text.size())).toStdU32String();
    for (char32_t &letter : letters) {
        if (letter >= kPlane)
            letter -= kPlane;
    }
    return QString::fromStdU32String(letters);
}

} // namespace lockscope
