# SPDX-License-Identifier: MIT
# Linked behind lockscope_flags.
add_library(lockscope_test_flags INTERFACE)
# What a test itself does takes no time; to optimize it takes a third of the time to build it, and half with sanitizers.
# Optimized so little, GCC takes an empty std::optional for one that was not initialized.
target_compile_options(lockscope_test_flags INTERFACE
    "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Og;-Wno-maybe-uninitialized>"
    $<$<CXX_COMPILER_ID:Clang>:-O0>)
# From Qt 6.7 on QTRY_VERIFY and its like make an int of a length of time, of which GCC warns where they are used.
if(Qt6_VERSION VERSION_GREATER_EQUAL 6.7)
    target_compile_options(lockscope_test_flags INTERFACE -Wno-conversion)
endif()

# The moc file that a test includes. AUTOMOC would scan each test anew and compile an empty file beside it, which takes a
# tenth of the time of a whole build.
function(lockscope_test_moc test source)
    get_filename_component(name ${source} NAME_WE)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/${test}_moc)
    qt_generate_moc(${source} ${folder}/${name}.moc TARGET ${test})
    target_sources(${test} PRIVATE ${folder}/${name}.moc)
    target_include_directories(${test} PRIVATE ${folder})
    set_target_properties(${test} PROPERTIES AUTOMOC OFF AUTORCC OFF)
endfunction()

# lockscope_add_test(NAME tst_x SOURCES tst_x.cpp LIBRARIES lockscope_session LABELS unit [TIMEOUT 300])
#
# A Qt Test program of that name, run by ctest. LABELS: one of
#   unit         touches no server
#   integration  starts a private server of its own
#   conformance  the same, and mostly waits: scenarios of tests/conformance, histories of tests/histories, faults of
#                tests/faults
#   ui           makes widgets, offscreen
# Some folders give theirs one more: threads, window, lockctl. .ci/run chooses by it what runs with sanitizers.
function(lockscope_add_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TIMEOUT" "SOURCES;LIBRARIES;LABELS")
    if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_SOURCES OR NOT arg_LABELS)
        message(FATAL_ERROR "lockscope_add_test needs NAME, SOURCES and LABELS; not known: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 300) # for a hang: with sanitizers, beside much else, a minute was too little for what takes four seconds
    endif()

    add_executable(${arg_NAME} ${arg_SOURCES})
    lockscope_test_moc(${arg_NAME} ${arg_SOURCES})
    target_include_directories(${arg_NAME} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
    target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBRARIES} Qt6::Test lockscope_flags lockscope_test_flags)
    # Of the presets' jobs: what mostly waits takes one, so that twice as many of those run beside each other.
    set(processors 2)
    if("conformance" IN_LIST arg_LABELS)
        set(processors 1)
    endif()
    add_test(NAME ${arg_NAME} COMMAND ${arg_NAME})
    set_tests_properties(${arg_NAME} PROPERTIES
        LABELS "${arg_LABELS}"
        TIMEOUT ${arg_TIMEOUT}
        PROCESSORS ${processors}
        # English messages and no display, whatever the machine has.
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8;TZ=UTC")
    if("unit" IN_LIST arg_LABELS)
        set_tests_properties(${arg_NAME} PROPERTIES FAIL_REGULAR_EXPRESSION "QWARN|QCRITICAL")
    endif()
endfunction()

# lockscope_add_tests(LABELS unit LIBRARIES lockscope_locks SOURCES core/tst_a.cpp …): one program for each source.
function(lockscope_add_tests)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "LABELS" "LIBRARIES;SOURCES")
    foreach(source IN LISTS arg_SOURCES)
        get_filename_component(name ${source} NAME_WE)
        lockscope_add_test(NAME ${name} SOURCES ${source} LIBRARIES ${arg_LIBRARIES} LABELS ${arg_LABELS})
    endforeach()
endfunction()

# These run programs of the build: lockscope_test_runs(tst_x LOCKSCOPE_LOCKCTL lockctl) tells the test where it is.
function(lockscope_test_runs test definition program)
    target_compile_definitions(${test} PRIVATE ${definition}="$<TARGET_FILE:${program}>")
    add_dependencies(${test} ${program})
endfunction()
