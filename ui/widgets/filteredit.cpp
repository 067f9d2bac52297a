// SPDX-License-Identifier: MIT
#include "filteredit.h"

#include "ui/style/paletteicon.h"
#include "ui/style/theme.h"

namespace lockscope::ui {

using namespace Qt::StringLiterals;

FilterEdit::FilterEdit(const QString &hint, QWidget *parent)
    : QLineEdit(parent)
{
    setPlaceholderText(hint);
    setToolTip(tr("%1 ( / )").arg(hint));
    setAccessibleName(tr("Filter"));
    setClearButtonEnabled(true);
    addAction(svgIcon(u"search"_s), LeadingPosition);
    setMaximumWidth(forType(kInspectorMaxWidth));
}

void FilterEdit::take()
{
    setFocus(Qt::ShortcutFocusReason);
    selectAll();
}

} // namespace lockscope::ui
