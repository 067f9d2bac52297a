#pragma once

#include <QtCore/QString>

class QLabel;
class QWidget;

namespace lockscope::ui {

/// What inspectors are made of: plain, wrapped text that can be selected.
QLabel *makeLabel(QWidget *parent);
/// The same, as the title of what is below.
QLabel *makeTitle(QWidget *parent);
/// Lets a word that is wider than an inspector break: a label itself breaks at spaces only.
QString breakable(const QString &text);

} // namespace lockscope::ui
