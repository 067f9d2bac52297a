# SPDX-License-Identifier: MIT
# What `cmake --install` puts down for programs that link the engine: library, headers as <lockscope/…>, a CMake
# package (find_package(Lockscope), target Lockscope::Engine; COMPONENTS Redis ZooKeeper Etcd, targets Lockscope::Redis,
# Lockscope::ZooKeeper and Lockscope::Etcd) and a pkg-config file (lockscope-engine). Components:
#   Engine       the library, and the grants that its accounts need
#   Redis, ZooKeeper, Etcd   the library of that store, where it was built
#   Development  what programs are built with
#   Console      lockctl and the window, which have the engine in them (app)
include(CMakePackageConfigHelpers)
set(LOCKSCOPE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Lockscope)

install(TARGETS lockscope_engine EXPORT LockscopeTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Engine NAMELINK_COMPONENT Development
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT Engine)
install(DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/../../sql/grants DESTINATION ${CMAKE_INSTALL_DATADIR}/lockscope
    COMPONENT Engine)
install(FILES ${LOCKSCOPE_PUBLIC_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lockscope COMPONENT Development)
install(EXPORT LockscopeTargets NAMESPACE Lockscope:: DESTINATION ${LOCKSCOPE_PACKAGE_DIR} COMPONENT Development)
foreach(store IN ITEMS Redis ZooKeeper Etcd)
    string(TOUPPER ${store} upper)
    string(TOLOWER ${store} lower)
    if(LOCKSCOPE_HAS_${upper})
        install(TARGETS lockscope_${lower} EXPORT Lockscope${store}Targets
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${store} NAMELINK_COMPONENT Development
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development
            RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${store})
        install(FILES ${LOCKSCOPE_${upper}_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lockscope
            COMPONENT Development)
        install(EXPORT Lockscope${store}Targets NAMESPACE Lockscope:: DESTINATION ${LOCKSCOPE_PACKAGE_DIR}
            COMPONENT Development)
    endif()
endforeach()

configure_package_config_file(
    ${CMAKE_CURRENT_LIST_DIR}/LockscopeConfig.cmake.in ${PROJECT_BINARY_DIR}/LockscopeConfig.cmake
    INSTALL_DESTINATION ${LOCKSCOPE_PACKAGE_DIR}
    NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/LockscopeConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/LockscopeConfig.cmake ${PROJECT_BINARY_DIR}/LockscopeConfigVersion.cmake
    DESTINATION ${LOCKSCOPE_PACKAGE_DIR} COMPONENT Development)

# Relative to the .pc file, so that the installed tree may be moved.
file(RELATIVE_PATH LOCKSCOPE_PC_PREFIX
    ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
set(LOCKSCOPE_PC_CFLAGS "")
if(LOCKSCOPE_STATIC)
    set(LOCKSCOPE_PC_CFLAGS " -DLOCKSCOPE_STATIC")
    set(LOCKSCOPE_PC_REQUIRES "Requires: Qt6Core >= ${LOCKSCOPE_QT_MINIMUM}, Qt6Sql >= ${LOCKSCOPE_QT_MINIMUM}")
else()
    set(LOCKSCOPE_PC_REQUIRES
        "Requires: Qt6Core >= ${LOCKSCOPE_QT_MINIMUM}\nRequires.private: Qt6Sql >= ${LOCKSCOPE_QT_MINIMUM}")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/lockscope-engine.pc.in ${PROJECT_BINARY_DIR}/lockscope-engine.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/lockscope-engine.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT Development)
