// SPDX-License-Identifier: MIT
#include "visibletext.h"

#include <QtCore/QChar>
#include <QtCore/QLoggingCategory>

#include <cstdio>

namespace lockscope {

namespace {

/// Of UTF-16, as JSON escapes it.
QString escaped(char32_t character)
{
    QString text;
    for (const QChar unit : QString::fromUcs4(&character, 1))
        text += QStringLiteral("\\u%1").arg(uint(unit.unicode()), 4, 16, QLatin1Char('0'));
    return text;
}

void showVisibly(QtMsgType type, const QMessageLogContext &context, const QString &message)
{
    const QByteArray line = visibleLines(qFormatLogMessage(type, context, message)).toUtf8() + '\n';
    std::fwrite(line.constData(), 1, std::size_t(line.size()), stderr);
}

} // namespace

bool isUnseen(char32_t character)
{
    switch (QChar::category(character)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Other_PrivateUse:
    case QChar::Other_NotAssigned:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    case QChar::Separator_Space:
        return character != U' ';
    default:
        return false;
    }
}

QString visibleLines(const QString &text)
{
    QString shown;
    for (const char32_t character : text.toUcs4())
        shown += isUnseen(character) && character != U'\n' ? escaped(character) : QString::fromUcs4(&character, 1);
    return shown;
}

QByteArray visibleJson(const QByteArray &json)
{
    return visibleLines(QString::fromUtf8(json)).toUtf8();
}

QString plainCell(const QString &text)
{
    bool isNumber = false;
    text.toDouble(&isNumber);
    const bool isFormula = !text.isEmpty() && QStringView(u"=+-@\t\r＝＋－＠").contains(text.front());
    return isFormula && !isNumber && text.size() > 1 ? u'\'' + text : text;
}

void showQtMessagesVisibly()
{
    qInstallMessageHandler(showVisibly);
}

} // namespace lockscope
