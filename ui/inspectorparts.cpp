#include "inspectorparts.h"

#include "theme.h"

#include <QtWidgets/QLabel>

namespace lockscope::ui {

QLabel *makeLabel(QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QLabel *makeTitle(QWidget *parent)
{
    QLabel *label = makeLabel(parent);
    label->setFont(headingFont());
    return label;
}

QString breakable(const QString &text)
{
    constexpr qsizetype longest = 24;
    QString broken;
    qsizetype run = 0;
    for (const QChar c : text) {
        run = c.isSpace() ? 0 : run + 1;
        if (run > longest && !c.isLowSurrogate()) {
            broken += QChar(0x200b);
            run = 1;
        }
        broken += c;
    }
    return broken;
}

} // namespace lockscope::ui
