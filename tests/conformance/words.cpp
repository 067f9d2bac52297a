// SPDX-License-Identifier: MIT
#include "words.h"

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace lockscope::test {

namespace {

QByteArray unescaped(QStringView text)
{
    QByteArray bytes;
    QString plain; // gathered, for a character outside the BMP is two of these
    const auto flush = [&] {
        bytes += plain.toUtf8();
        plain.clear();
    };
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] != u'\\' || i + 1 == text.size()) {
            plain += text[i];
            continue;
        }
        const QChar kind = text[++i];
        if (kind == u'x') {
            flush();
            bytes += char(text.mid(i + 1, 2).toUShort(nullptr, 16));
            i += 2;
        } else if (kind == u'u') {
            plain += QChar(text.mid(i + 1, 4).toUShort(nullptr, 16));
            i += 4;
        } else {
            plain += kind;
        }
    }
    flush();
    return bytes;
}

QStringList range(const QString &first, const QString &last)
{
    QStringList refs;
    if (first.size() == 1 && last.size() == 1) {
        for (ushort letter = first[0].unicode(); letter <= last[0].unicode(); ++letter)
            refs += QString(QChar(letter));
    } else {
        for (int number = first.mid(1).toInt(); number <= last.mid(1).toInt(); ++number)
            refs += processOf(first) + QString::number(number);
    }
    return refs;
}

} // namespace

QRegularExpression wholly(const QString &pattern)
{
    return QRegularExpression(u"^(?:"_s + pattern + u")$"_s, QRegularExpression::DotMatchesEverythingOption);
}

QByteArray bytesOf(const QString &text)
{
    if (!text.startsWith(u'"'))
        return text.toUtf8();
    const auto end = text.lastIndexOf(u'"');
    const QByteArray once = unescaped(QStringView(text).mid(1, end - 1));
    return end + 1 == text.size() ? once : once.repeated(text.mid(end + 2).toInt());
}

QStringList wordsOf(const QString &text)
{
    static const QRegularExpression one(word::Name);
    QStringList words;
    for (auto i = one.globalMatch(text); i.hasNext();)
        words += i.next().captured();
    return words;
}

QStringList refsOf(const QString &text)
{
    QStringList refs;
    for (const QString &piece : text.split(u' ', Qt::SkipEmptyParts)) {
        const auto dots = piece.indexOf(u".."_s);
        if (dots < 0)
            refs += piece;
        else
            refs += range(piece.left(dots), piece.mid(dots + 2));
    }
    return refs;
}

QString withNumber(QString command, const QString &ref)
{
    return command.replace(u"{n}"_s, ref.mid(1));
}

bool isSessionCommand(const QString &command)
{
    using namespace word;
    static const std::array commands{
        wholly(u"acquire %1(?: (?:ttl|wait|keep|maxhold) %2| (?:note|key) %1| stripes \\d+| manual| row)*"_s.arg(
            Name, Duration)),
        wholly(u"acquire-(?:all|any)(?: (?!(?:ttl|wait) )%1)+(?: (?:ttl|wait) %2)*"_s.arg(Name, Duration)),
        wholly(u"release(?: (?!of )%1)?(?: of %2)?"_s.arg(Name, Ref)),
        wholly(u"(?:drop|held|lost|losses|remaining|asked|requests)(?: %1)?"_s.arg(Name)),
        wholly(u"renew %1(?: %2)?"_s.arg(Duration, Name)),
        wholly(u"rounds(?:-all)? \\d+(?: %1)+"_s.arg(Name)),
        wholly(u"work %1(?: %1)?"_s.arg(Name)),
        wholly(u"ask %1 %1"_s.arg(Name)),
        wholly(u"read %1|commit(?: %1)?|add \\d+(?: %1)+"_s.arg(Name)),
        wholly(u"cancel|connect|clean|close engine"_s),
    };
    return std::any_of(commands.begin(), commands.end(),
                       [&](const QRegularExpression &known) { return known.match(command).hasMatch(); });
}

} // namespace lockscope::test
