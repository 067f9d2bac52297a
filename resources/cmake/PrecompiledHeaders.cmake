# SPDX-License-Identifier: MIT
# What most sources include is read once, which halves the time of a build. A source still includes what it uses:
# clang-tidy and a build with LOCKSCOPE_PRECOMPILE=OFF read it without these.
set(coreHeaders
    <algorithm> <array> <atomic> <chrono> <condition_variable> <functional> <map> <memory> <mutex> <numeric> <optional>
    <ranges> <set> <span> <string> <thread> <tuple> <utility> <variant> <vector>
    <QtCore/QByteArray> <QtCore/QCoreApplication> <QtCore/QDateTime> <QtCore/QDir> <QtCore/QFile> <QtCore/QHash>
    <QtCore/QJsonArray> <QtCore/QJsonDocument> <QtCore/QJsonObject> <QtCore/QList> <QtCore/QMap> <QtCore/QObject>
    <QtCore/QProcess> <QtCore/QRegularExpression> <QtCore/QSet> <QtCore/QSettings> <QtCore/QString>
    <QtCore/QStringList> <QtCore/QThread> <QtCore/QTimer> <QtCore/QVariant>
    <QtSql/QSqlDatabase> <QtSql/QSqlError> <QtSql/QSqlQuery>)
set(widgetHeaders
    <QtCore/QAbstractTableModel> <QtGui/QAction> <QtGui/QKeyEvent> <QtGui/QPainter>
    <QtWidgets/QApplication> <QtWidgets/QComboBox> <QtWidgets/QDialog> <QtWidgets/QGridLayout> <QtWidgets/QHeaderView>
    <QtWidgets/QLabel> <QtWidgets/QLineEdit> <QtWidgets/QMenu> <QtWidgets/QPlainTextEdit> <QtWidgets/QPushButton>
    <QtWidgets/QScrollArea> <QtWidgets/QTableView> <QtWidgets/QToolButton> <QtWidgets/QTreeView>
    <QtWidgets/QVBoxLayout>)

# A target that has nothing but the headers of one kind, for others to take them from. GCC wants what is defined here to be
# defined there, so this has the folders of LIBRARIES, and what they define too only of those that all the others link.
function(lockscope_precompiled_headers kind)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;LIBRARIES;FOLDERS_OF")
    set(name lockscope_${kind}_headers)
    file(CONFIGURE OUTPUT ${name}.cpp CONTENT "// Only its precompiled header is used.\n")
    add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
    set_target_properties(${name} PROPERTIES AUTOMOC OFF AUTORCC OFF)
    target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} lockscope_flags)
    target_include_directories(${name} SYSTEM PRIVATE
        $<TARGET_PROPERTY:${arg_FOLDERS_OF},INTERFACE_INCLUDE_DIRECTORIES>)
    target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
endfunction()

# lockscope_precompile(FOLDER KIND [FOLDER…]): for all targets of a folder and of those in it but the ones named last.
function(lockscope_precompile folder kind)
    get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
        get_target_property(libraries ${target} LINK_LIBRARIES)
        if("lockscope_flags" IN_LIST libraries)
            set(headers lockscope_${kind}_headers)
            if("lockscope_test_flags" IN_LIST libraries)
                set(headers lockscope_${kind}_test_headers)
            endif()
            target_precompile_headers(${target} REUSE_FROM ${headers})
            # ccache asks for it.
            target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
        endif()
    endforeach()
    get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
    foreach(subfolder IN LISTS folders)
        if(NOT subfolder IN_LIST ARGN)
            lockscope_precompile(${subfolder} ${kind} ${ARGN})
        endif()
    endforeach()
endfunction()

function(lockscope_precompile_project)
    # GCC wants one kind of code too: that of libraries, which Qt asks of programs up to 6.4.
    target_compile_options(lockscope_flags INTERFACE -fPIC)
    # To Clang another checkout's headers are others by their times alone, and ccache would have none of what includes them.
    target_compile_options(lockscope_flags INTERFACE "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
    lockscope_precompiled_headers(core HEADERS ${coreHeaders} LIBRARIES Qt6::Core FOLDERS_OF Qt6::Sql)
    lockscope_precompiled_headers(ctl
        HEADERS ${coreHeaders} <CLI/CLI.hpp> LIBRARIES Qt6::Core CLI11::CLI11 FOLDERS_OF Qt6::Sql)
    lockscope_precompiled_headers(widget
        HEADERS ${coreHeaders} ${widgetHeaders} LIBRARIES Qt6::Widgets FOLDERS_OF Qt6::Sql)
    lockscope_precompile(lib core ${PROJECT_SOURCE_DIR}/lib/examples)
    lockscope_precompile(app/lockctl ctl)
    lockscope_precompile(ui widget)
    lockscope_precompile(app/lockscope widget)
    if(BUILD_TESTING)
        # They are optimized otherwise than the rest, and from GCC 14 on their headers have to be, too.
        lockscope_precompiled_headers(core_test
            HEADERS ${coreHeaders} LIBRARIES Qt6::Core lockscope_test_flags FOLDERS_OF Qt6::Sql)
        lockscope_precompiled_headers(widget_test
            HEADERS ${coreHeaders} ${widgetHeaders} LIBRARIES Qt6::Widgets lockscope_test_flags FOLDERS_OF Qt6::Sql)
        # tests/house compiles headers as others do, alone.
        lockscope_precompile(tests core ${PROJECT_SOURCE_DIR}/tests/house ${PROJECT_SOURCE_DIR}/tests/ui)
        lockscope_precompile(tests/ui widget)
    endif()
endfunction()
