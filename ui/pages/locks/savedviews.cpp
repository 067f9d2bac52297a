// SPDX-License-Identifier: MIT
#include "savedviews.h"

#include "ui/text/commontext.h"

#include <QtCore/QSettings>
#include <QtWidgets/QInputDialog>
#include <QtWidgets/QMenu>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr QLatin1StringView kGroup("lockViews");
constexpr int kMaxNameLength = 60;

QString keyOf(const QString &name)
{
    return QString::fromLatin1(name.toUtf8().toHex()); // whatever is in it, "/" too
}

} // namespace

QList<SavedView> loadViews(QSettings &settings)
{
    QList<SavedView> views;
    settings.beginGroup(kGroup);
    for (const QString &key : settings.childGroups()) {
        settings.beginGroup(key);
        SavedView saved;
        saved.name = QString::fromUtf8(QByteArray::fromHex(key.toLatin1()));
        saved.view.filter = settings.value(u"filter"_s).toString();
        saved.view.facets = LockFacets::fromInt(settings.value(u"facets"_s).toInt());
        const int sort = settings.value(u"sort"_s).toInt();
        if (sort >= 0 && sort <= int(LockSort::Server)) // one of a later version is none of ours
            saved.view.sort = LockSort(sort);
        saved.view.descending = settings.value(u"descending"_s).toBool();
        if (!saved.name.isEmpty())
            views.append(saved);
        settings.endGroup();
    }
    settings.endGroup();
    std::sort(views.begin(), views.end(),
              [](const SavedView &a, const SavedView &b) { return QString::localeAwareCompare(a.name, b.name) < 0; });
    return views;
}

void saveView(QSettings &settings, const SavedView &saved)
{
    settings.beginGroup(kGroup);
    settings.beginGroup(keyOf(saved.name));
    settings.setValue(u"filter"_s, saved.view.filter);
    settings.setValue(u"facets"_s, saved.view.facets.toInt());
    settings.setValue(u"sort"_s, int(saved.view.sort));
    settings.setValue(u"descending"_s, saved.view.descending);
    settings.endGroup();
    settings.endGroup();
}

void removeView(QSettings &settings, const QString &name)
{
    settings.beginGroup(kGroup);
    settings.remove(keyOf(name));
    settings.endGroup();
}

SavedViews::SavedViews(QWidget *parent)
    : QToolButton(parent)
{
    setText(tr("Views"));
    setToolTip(tr("Saved views: filter, buttons and order under a name"));
    setPopupMode(InstantPopup);
    auto *menu = new QMenu(this);
    setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, &SavedViews::fill);
}

void SavedViews::fill()
{
    QSettings settings;
    const QList<SavedView> views = loadViews(settings);
    menu()->clear();
    for (const SavedView &saved : views)
        menu()->addAction(CommonText::onButton(saved.name), this, [this, view = saved.view] { Q_EMIT chosen(view); });
    menu()->addSeparator();
    menu()->addAction(tr("Save this view…"), this, &SavedViews::save);
    QMenu *removal = menu()->addMenu(tr("Remove a view"));
    removal->setEnabled(!views.isEmpty());
    for (const SavedView &saved : views)
        removal->addAction(CommonText::onButton(saved.name), this, [name = saved.name] {
            QSettings kept;
            removeView(kept, name);
        });
}

void SavedViews::save()
{
    bool isGiven = false;
    const QString name =
        QInputDialog::getText(this, tr("Save this view"), tr("Name of the view. One of the same name is replaced."),
                              QLineEdit::Normal, m_shown.filter.left(kMaxNameLength), &isGiven)
            .trimmed()
            .left(kMaxNameLength);
    if (!isGiven || name.isEmpty())
        return;
    QSettings settings;
    saveView(settings, {name, m_shown});
}

} // namespace lockscope::ui
