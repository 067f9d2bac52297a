# SPDX-License-Identifier: MIT
# Run with cmake -P: writes OUTPUT, a C++ file with every statement below SQL_DIR, sorted by name.
# a/b.sql is "a/b" for both families; a/b.mariadb.sql and a/b.mysql.sql are "a/b" for one of them.
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE files RELATIVE ${SQL_DIR} ${SQL_DIR}/*.sql)
list(SORT files)
list(LENGTH files count)

set(rows "")
foreach(file IN LISTS files)
    string(REGEX REPLACE "\\.sql$" "" name "${file}")
    set(family 0)
    if(name MATCHES "\\.mariadb$")
        set(family 1)
    elseif(name MATCHES "\\.mysql$")
        set(family 2)
    endif()
    string(REGEX REPLACE "\\.(mariadb|mysql)$" "" name "${name}")

    file(READ "${SQL_DIR}/${file}" text)
    # Comment lines go: they are for the reader, and a statement travels on every call.
    string(REGEX REPLACE "\n[ \t]*--[^\n]*" "" text "\n${text}")
    string(STRIP "${text}" text)
    if(text STREQUAL "")
        message(FATAL_ERROR "sql/${file} holds no statement")
    endif()
    string(FIND "${text}" ")sql\"" delimiter)
    if(NOT delimiter EQUAL -1)
        message(FATAL_ERROR "sql/${file} holds the text )sql\" which ends its C++ literal")
    endif()
    string(APPEND rows "    {\"${name}\", ${family}, R\"sql(${text})sql\"},\n")
endforeach()

file(WRITE "${OUTPUT}.new" "// Generated from sql/ by EmbedSqlScript.cmake. Edit the statements there.
#include \"session/embeddedsql.h\"

namespace lockscope::detail {

const EmbeddedSql kEmbeddedSql[] = {
${rows}    {nullptr, 0, nullptr},
};
const int kEmbeddedSqlCount = ${count};

} // namespace lockscope::detail
")
# Moved into place whole, so that a build that was broken off leaves no half file.
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
