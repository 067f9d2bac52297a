# SPDX-License-Identifier: MIT
# Run with cmake -P: writes OUTPUT, a C++ file with every statement below SQL_DIR, sorted by name.
# a/b.sql is "a/b" for both families; a/b.mariadb.sql and a/b.mysql.sql are "a/b" for one of them.
# {parts/c} in a statement is what parts/c.sql has, which is no statement by itself: one place for what several say.
# With LUA_DIR in place of SQL_DIR every script below it, which have no families; their comment lines look the same.
cmake_minimum_required(VERSION 3.25)

if(LUA_DIR)
    set(dir ${LUA_DIR})
    set(extension lua)
    set(table EmbeddedLua)
    set(header stores/redis/embeddedlua.h)
else()
    set(dir ${SQL_DIR})
    set(extension sql)
    set(table EmbeddedSql)
    set(header session/embeddedsql.h)
endif()

file(GLOB_RECURSE files RELATIVE ${dir} ${dir}/*.${extension})
list(SORT files)
if(NOT LUA_DIR)
    list(FILTER files EXCLUDE REGEX "^parts/")
endif()
list(LENGTH files count)

# Comment lines go: they are for the reader, and a statement travels on every call.
function(read_text file result)
    file(READ "${dir}/${file}" text)
    string(REGEX REPLACE "\n[ \t]*--[^\n]*" "" text "\n${text}")
    string(STRIP "${text}" text)
    if(text STREQUAL "")
        message(FATAL_ERROR "${extension}/${file} holds no statement")
    endif()
    set(${result} "${text}" PARENT_SCOPE)
endfunction()

set(rows "")
set(end "{nullptr, 0, nullptr}")
foreach(file IN LISTS files)
    string(REGEX REPLACE "\\.${extension}$" "" name "${file}")
    set(family 0)
    if(name MATCHES "\\.mariadb$")
        set(family 1)
    elseif(name MATCHES "\\.mysql$")
        set(family 2)
    endif()
    string(REGEX REPLACE "\\.(mariadb|mysql)$" "" name "${name}")

    read_text("${file}" text)
    while(NOT LUA_DIR AND text MATCHES "{(parts/[a-z_]+)}")
        set(part "${CMAKE_MATCH_1}")
        if(NOT EXISTS "${dir}/${part}.${extension}")
            message(FATAL_ERROR "${extension}/${file} wants ${extension}/${part}.${extension}, which is not there")
        endif()
        read_text("${part}.${extension}" words)
        string(REPLACE "{${part}}" "${words}" text "${text}")
    endwhile()
    string(FIND "${text}" ")${extension}\"" delimiter)
    if(NOT delimiter EQUAL -1)
        message(FATAL_ERROR
            "${extension}/${file} holds the text )${extension}\" which ends its C++ literal")
    endif()
    if(LUA_DIR)
        set(key "\"${name}\"")
        set(end "{nullptr, nullptr}")
    else()
        set(key "\"${name}\", ${family}")
    endif()
    string(APPEND rows "    {${key}, R\"${extension}(${text})${extension}\"},\n")
endforeach()

file(WRITE "${OUTPUT}.new" "// Generated from ${extension}/ by EmbedSqlScript.cmake. Edit the statements there.
#include \"${header}\"

namespace lockscope::detail {

const ${table} k${table}[] = {
${rows}    ${end},
};
const int k${table}Count = ${count};

} // namespace lockscope::detail
")
# Moved into place whole, so that a build that was broken off leaves no half file.
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
