# SPDX-License-Identifier: MIT
# lockscope_flags: how every target of this project is compiled. Link it PRIVATE; it is never exported, so that a
# program which uses the engine keeps its own warnings.
add_library(lockscope_flags INTERFACE)

target_compile_options(lockscope_flags INTERFACE
    -Wall -Wextra -Wpedantic
    -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion -Wold-style-cast -Wcast-qual -Wcast-align
    -Wnon-virtual-dtor -Woverloaded-virtual -Wsuggest-override -Wextra-semi -Wimplicit-fallthrough -Wformat=2 -Wvla
    $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond;-Wlogical-op>
    $<$<BOOL:${LOCKSCOPE_WERROR}>:-Werror>)

target_compile_definitions(lockscope_flags INTERFACE
    QT_NO_KEYWORDS                        # Q_EMIT, Q_SIGNALS: `emit` and `slots` stay free for other libraries
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_URL_CAST_FROM_STRING
    QT_NO_FOREACH
    QT_STRICT_ITERATORS
    QT_DISABLE_DEPRECATED_BEFORE=0x060800 # nothing that Qt deprecates up to 6.8
    $<$<BOOL:${LOCKSCOPE_ASSERTS}>:QT_FORCE_ASSERTS;_GLIBCXX_ASSERTIONS>)

# Where it is there: it links in a quarter of the time, and there are more than 250 programs.
find_program(LOCKSCOPE_LLD ld.lld)
if(LOCKSCOPE_LLD AND PROJECT_IS_TOP_LEVEL)
    target_link_options(lockscope_flags INTERFACE -fuse-ld=lld)
endif()

if(LOCKSCOPE_SANITIZE)
    list(JOIN LOCKSCOPE_SANITIZE "," sanitizers)
    set(sanitizerFlags -fsanitize=${sanitizers} -fno-omit-frame-pointer)
    if("undefined" IN_LIST LOCKSCOPE_SANITIZE)
        list(APPEND sanitizerFlags -fno-sanitize-recover=undefined) # a finding fails the test, not only prints
    endif()
    target_compile_options(lockscope_flags INTERFACE ${sanitizerFlags})
    target_link_options(lockscope_flags INTERFACE ${sanitizerFlags})
    if("thread" IN_LIST LOCKSCOPE_SANITIZE)
        # What Qt, which is not instrumented, does not tell the sanitizer.
        target_sources(lockscope_flags INTERFACE
            $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:${PROJECT_SOURCE_DIR}/tests/support/tsanqt.cpp>)
    endif()
endif()
