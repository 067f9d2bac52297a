# SPDX-License-Identifier: MIT
# Run with cmake -P by ctest: installs the built tree, moves it, and builds and runs a program against it, once through
# find_package and once through pkg-config.
#   BUILD_DIR     a built tree of the project; or
#   STATIC_SOURCE the project's sources: builds the static engine first, as a part of the program through FetchContent
#   WORK_DIR      scratch folder
#   CXX, BUILD_TYPE, GENERATOR  as the project was built; LAUNCHER may be empty
#   SONAME        expected in the shared library
cmake_minimum_required(VERSION 3.25)

function(run what)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "${what} failed (${code}):\n${output}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect text)
    if(NOT output MATCHES "${text}")
        message(FATAL_ERROR "expected \"${text}\" in:\n${output}")
    endif()
endfunction()

set(common -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=${BUILD_TYPE}
    -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})

if(STATIC_SOURCE)
    set(BUILD_DIR ${WORK_DIR}/engine) # kept, so that the next run builds only what changed
    run("configuring the consumer with the engine in it" ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${BUILD_DIR}
        ${common} -DLOCKSCOPE_SOURCE=${STATIC_SOURCE} -DLOCKSCOPE_STATIC=ON)
    run("building the consumer with the engine in it" ${CMAKE_COMMAND} --build ${BUILD_DIR})
    run("the consumer with the engine in it" ${BUILD_DIR}/consumer)
    expect("consumer: as expected")
endif()

# Installed, then moved: nothing in the tree may remember where it was.
file(REMOVE_RECURSE ${WORK_DIR}/first ${WORK_DIR}/moved ${WORK_DIR}/build)
run("cmake --install" ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/first)
file(RENAME ${WORK_DIR}/first ${WORK_DIR}/moved)

run("configuring the consumer" ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK_DIR}/build ${common}
    -DCMAKE_PREFIX_PATH=${WORK_DIR}/moved)
run("building the consumer" ${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run("the consumer" ${WORK_DIR}/build/consumer)
expect("consumer: as expected")
foreach(store redis zookeeper etcd)
    if(EXISTS ${WORK_DIR}/build/${store}consumer)
        run("the consumer of a store" ${WORK_DIR}/build/${store}consumer)
        expect("${store} consumer: as expected")
    endif()
endforeach()

file(GLOB_RECURSE packageFile ${WORK_DIR}/moved/lockscope-engine.pc)
cmake_path(GET packageFile PARENT_PATH packageDir)
set(ENV{PKG_CONFIG_PATH} ${packageDir})
set(static)
if(STATIC_SOURCE)
    set(static --static)
endif()
run("pkg-config" pkg-config ${static} --cflags --libs lockscope-engine Qt6Sql)
separate_arguments(flags UNIX_COMMAND "${output}")
# -fPIC because Qt asks for it; its own .pc files do not say so.
run("building with pkg-config's flags" ${CXX} -std=c++20 -fPIC ${CMAKE_CURRENT_LIST_DIR}/main.cpp
    -o ${WORK_DIR}/build/consumer-pkgconfig ${flags})
cmake_path(GET packageDir PARENT_PATH libraryDir)
run("the consumer built with pkg-config's flags" ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${libraryDir}
    ${WORK_DIR}/build/consumer-pkgconfig)
expect("consumer: as expected")

foreach(grants engine installer monitor operator)
    if(NOT EXISTS ${WORK_DIR}/moved/share/lockscope/grants/${grants}.sql)
        message(FATAL_ERROR "the grants of ${grants} are not installed")
    endif()
endforeach()
if(NOT STATIC_SOURCE)
    file(REMOVE_RECURSE ${WORK_DIR}/engine-only)
    run("cmake --install --component" ${CMAKE_COMMAND} --install ${BUILD_DIR} --component Engine
        --prefix ${WORK_DIR}/engine-only)
    file(GLOB_RECURSE installed RELATIVE ${WORK_DIR}/engine-only ${WORK_DIR}/engine-only/*)
    list(FILTER installed EXCLUDE REGEX "^lib.*/liblockscope-engine\\.so\\.|^share/lockscope/grants/")
    if(installed)
        message(FATAL_ERROR "the engine's component has more than library and grants: ${installed}")
    endif()
    run("readelf" readelf -d ${libraryDir}/liblockscope-engine.so)
    expect("SONAME.*\\[${SONAME}\\]")
    # An application gets Qt Core and Sql from the engine and nothing else.
    string(REGEX MATCHALL "NEEDED[^\n]*" needed "${output}")
    foreach(library IN LISTS needed)
        if(NOT library MATCHES "\\[(libQt6(Core|Sql)|lib(stdc\\+\\+|gcc_s|c|m|pthread)|ld-linux[^.]*)\\.so")
            message(FATAL_ERROR "the engine links more than Qt Core and Sql: ${library}")
        endif()
    endforeach()
    if(NOT needed)
        message(FATAL_ERROR "the engine links nothing:\n${output}")
    endif()
    run("nm" nm --dynamic --defined-only --demangle ${libraryDir}/liblockscope-engine.so)
    file(GLOB publicHeaders ${WORK_DIR}/moved/include/lockscope/*.h)
    set(public "")
    foreach(header IN LISTS publicHeaders)
        file(READ ${header} text)
        string(APPEND public ${text})
    endforeach()
    string(REGEX MATCHALL "[^\n]* [TDBR] lockscope::[A-Za-z]+" exported "${output}")
    if(NOT exported)
        message(FATAL_ERROR "the engine exports nothing:\n${output}")
    endif()
    foreach(symbol IN LISTS exported)
        string(REGEX REPLACE ".*::" "" name ${symbol})
        if(NOT public MATCHES "[ *&]${name}[^A-Za-z]")
            message(FATAL_ERROR "the engine exports ${name}, which no public header declares")
        endif()
    endforeach()
endif()
message("consumer: built and ran through find_package and pkg-config")
