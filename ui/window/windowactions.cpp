// SPDX-License-Identifier: MIT
#include "windowactions.h"

#include "commandpalette.h"
#include "ui/pages/deadlocks/deadlockspage.h"
#include "ui/pages/locks/lockspage.h"
#include "ui/pages/waits/waitspage.h"
#include "ui/style/paletteicon.h"
#include "ui/widgets/overtyping.h"

#include <QtCore/QRegularExpression>
#include <QtGui/QAction>
#include <QtGui/QActionGroup>
#include <QtWidgets/QMainWindow>
#include <QtWidgets/QMenu>
#include <QtWidgets/QMenuBar>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

WindowActions::WindowActions(QObject *parent)
    : QObject(parent)
    , connectTo(make(u"server"_s, tr("&Connect…"), QKeySequence(Qt::CTRL | Qt::Key_N),
                     tr("Look at another server, or change and remove known ones")))
    , startDemo(
          make({}, tr("Start &demo"), {}, tr("Simulated services on the private server take locks and wait for them")))
    , newWindow(make({}, tr("New &window"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N),
                     tr("Watch another server beside this one")))
    , record(make({}, tr("Recor&d…"), {}, tr("Keep what the locks of this server do in a file, until you end it")))
    , openRecording(make({}, tr("Open recordin&g…"), {}, tr("Move through the time of a recording")))
    , exportList(make(u"export"_s, tr("&Export…"), QKeySequence(Qt::CTRL | Qt::Key_E),
                      tr("Save what the page shows as a file")))
    , quit(make({}, tr("&Quit"), QKeySequence::Quit, tr("Close Lockscope")))
    , pause(make(u"pause"_s, tr("&Pause"), Qt::Key_Space, tr("Stop asking the server; what is shown stays")))
    , refresh(make(u"refresh"_s, tr("&Refresh now"), Qt::Key_F5, tr("Ask the server now")))
    , filter(make(u"search"_s, tr("&Filter"), Qt::Key_Slash, tr("Go to the page's filter")))
    , palette(make(u"search"_s, tr("Find…"), QKeySequence(Qt::CTRL | Qt::Key_K),
                   tr("Find locks, sessions, servers and actions by a few letters")))
    , close(make({}, tr("&Close what was opened last"), Qt::Key_Escape, tr("Clear the filter or the selection")))
    , operatorMode(make({}, tr("&Operator mode"), {},
                        tr("Allow releasing locks and ending connections on this server for a while")))
    , pageHelp(make(u"help"_s, tr("&Help of this page"), Qt::Key_F1, tr("What this page shows")))
    , presenter(make({}, tr("Pre&senter mode"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
                     tr("Type of twice the size, in black and white, for a projector")))
    , utc(make({}, tr("Times in &UTC"), QKeySequence(Qt::CTRL | Qt::Key_U),
               tr("Show all times in UTC instead of this machine's time zone")))
    , about(make({}, tr("&About Lockscope"), {}, {}))
    , aboutQt(make({}, tr("About &Qt"), {}, {}))
{
    new OverTyping(exportList);
    filter->setShortcuts({filter->shortcut(), QKeySequence::Find});
    pause->setCheckable(true);
    record->setCheckable(true);
    operatorMode->setCheckable(true);
    presenter->setCheckable(true);
    utc->setCheckable(true);
    auto *themeGroup = new QActionGroup(this);
    for (const auto &[theme, text] : {std::pair{Theme::System, tr("As the desktop")},
                                      std::pair{Theme::Light, tr("Light")}, std::pair{Theme::Dark, tr("Dark")}})
        themes.append(makeChoice(themeGroup, text, int(theme)));
    auto *languageGroup = new QActionGroup(this);
    this->languages.append(makeChoice(languageGroup, tr("As the desktop"), QString()));
    for (const QString &language : ui::languages())
        this->languages.append(makeChoice(languageGroup, languageName(language), language));
    for (const QAction *choice : themes + this->languages + QList{presenter, utc})
        connect(choice, &QAction::triggered, this, &WindowActions::appearanceChosen);
    // Space belongs to the list: on a button it has to press the button.
    pause->setShortcutContext(Qt::WidgetShortcut);
}

Appearance WindowActions::appearance() const
{
    Appearance chosen;
    chosen.isPresenter = presenter->isChecked();
    chosen.isUtc = utc->isChecked();
    for (const QAction *choice : themes) {
        if (choice->isChecked())
            chosen.theme = Theme(choice->data().toInt());
    }
    for (const QAction *choice : languages) {
        if (choice->isChecked())
            chosen.language = choice->data().toString();
    }
    return chosen;
}

void WindowActions::setAppearance(const Appearance &appearance)
{
    presenter->setChecked(appearance.isPresenter);
    utc->setChecked(appearance.isUtc);
    for (QAction *choice : std::as_const(themes))
        choice->setChecked(choice->data().toInt() == int(appearance.theme));
    for (QAction *choice : std::as_const(languages))
        choice->setChecked(choice->data().toString() == appearance.language);
}

QAction *WindowActions::makeChoice(QActionGroup *group, const QString &text, const QVariant &data)
{
    auto *action = new QAction(text, group);
    action->setCheckable(true);
    action->setData(data);
    return action;
}

QAction *WindowActions::make(const QString &icon, const QString &text, const QKeySequence &keys, const QString &tip)
{
    auto *action = new QAction(text, this);
    action->setIconText(withoutMnemonic(text)); // on buttons
    if (!icon.isEmpty())
        action->setIcon(svgIcon(icon));
    action->setShortcut(keys);
    if (!tip.isEmpty())
        action->setToolTip(keys.isEmpty() ? tip : tr("%1 (%2)").arg(tip, keys.toString(QKeySequence::NativeText)));
    return action;
}

QString WindowActions::withoutMnemonic(QString text)
{
    static const QRegularExpression mnemonic(u"\\(&.\\)|&"_s);
    return text.remove(mnemonic);
}

void WindowActions::addPage(const Page &page)
{
    const int number = int(pages.size()) + 1;
    pages.append(make(page.iconName(), page.title(), QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_0 + number)),
                      tr("Show page %1").arg(page.title())));
}

void WindowActions::fillMenus(QMainWindow *window, const MenuOwners &owners)
{
    QMenuBar *bar = window->menuBar();
    bar->addMenu(owners.servers);
    QMenu *view = bar->addMenu(tr("&View"));
    view->addActions(pages);
    view->addSeparator();
    view->addAction(filter);
    view->addAction(palette);
    view->addAction(owners.locks->inspectorAction());
    view->addAction(close);
    view->addSeparator();
    view->addAction(pause);
    view->addAction(refresh);
    view->addMenu(owners.intervals);
    view->addAction(owners.alarms);
    view->addAction(owners.locks->guessesAction());
    view->addSeparator();
    view->addAction(utc);
    view->addAction(presenter);
    view->addMenu(tr("&Theme"))->addActions(themes);
    view->addMenu(tr("&Language"))->addActions(languages);
    view->addSeparator();
    view->addAction(record);
    view->addAction(openRecording);
    view->addActions(owners.incidents);
    view->addSeparator();
    view->addAction(newWindow);
    view->addAction(exportList);
    view->addAction(quit);
    QMenu *lock = bar->addMenu(tr("&Lock"));
    lock->addAction(owners.locks->releaseAction());
    lock->addActions(owners.locks->copyActions());
    lock->addSeparator();
    lock->addAction(operatorMode);
    QMenu *session = bar->addMenu(tr("Sess&ion"));
    session->addAction(owners.waits->endAction());
    session->addAction(owners.waits->copyAction());
    session->addSeparator();
    session->addAction(owners.waits->graphAction());
    session->addAction(owners.waits->inspectorAction());
    session->addSeparator();
    session->addAction(owners.deadlocks->copyAction());
    session->addAction(owners.deadlocks->inspectorAction());
    session->addSeparator();
    QMenu *sources = session->addMenu(tr("&Sources"));
    sources->setToolTipsVisible(true); // what they cannot show
    sources->addActions(owners.waits->sourceActions());
    QMenu *help = bar->addMenu(tr("&Help"));
    help->addAction(pageHelp);
    help->addSeparator();
    help->addAction(about);
    help->addAction(aboutQt);
    addWords(owners);
}

/// As people call it who know other tools.
void WindowActions::addWords(const MenuOwners &owners)
{
    const std::pair<QAction *, QString> words[] = {
        {owners.locks->releaseAction(), tr("unlock, force release, free, drop")},
        {owners.waits->endAction(), tr("kill, terminate, disconnect, stop, cancel the query")},
        {owners.waits->graphAction(), tr("diagram, picture, blocking chain")},
        {owners.alarms, tr("alerts, thresholds, notifications")},
        {connectTo, tr("open, log in, server, host, database")},
        {exportList, tr("save, download, CSV")},
        {record, tr("flight recorder, log, history")},
        {openRecording, tr("replay, history, time line")},
        {quit, tr("exit")},
        {pause, tr("freeze, hold, stop")},
        {refresh, tr("reload, update, poll")},
        {filter, tr("search, find")},
        {operatorMode, tr("write, change, read-only, allow")},
        {pageHelp, tr("manual, documentation")},
        {presenter, tr("projector, large type, zoom")},
        {utc, tr("time zone, clock")},
    };
    for (const auto &[action, text] : words)
        CommandPalette::addWords(action, text);
    for (QAction *theme : themes)
        CommandPalette::addWords(theme, tr("theme, colours, mode"));
    for (QAction *language : languages)
        CommandPalette::addWords(language, tr("language"));
}

QList<QAction *> WindowActions::all(const QMainWindow *window)
{
    QList<QAction *> found;
    QList<QMenu *> menus;
    for (const QAction *action : window->menuBar()->actions())
        menus.append(action->menu());
    for (qsizetype i = 0; i < menus.size(); ++i) { // menus in menus come last
        for (QAction *action : menus[i]->actions()) {
            if (action->menu())
                menus.append(action->menu());
            else
                found.append(action);
        }
    }
    return found;
}

} // namespace lockscope::ui
