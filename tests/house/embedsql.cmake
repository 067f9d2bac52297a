# SPDX-License-Identifier: MIT
# Run with cmake -P by ctest: what EmbedSqlScript.cmake makes of a small sql/ folder, to the byte.
#   SCRIPT    the script under test
#   WORK_DIR  scratch folder
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${WORK_DIR})
# Everything that CMake's own lists and references could trip over: ; [ ] \ $ { } " and a -- that is no comment line.
file(WRITE ${WORK_DIR}/sql/engine/plain.sql [=[
-- Purpose: comment lines go; with one "quote", one ; and one [bracket.
SELECT ';', '[', "]", '\\n', ${X}, a -- b
  -- an indented comment
  FROM t;
UPDATE t SET x = 1

]=])
file(WRITE ${WORK_DIR}/sql/engine/both.mysql.sql "SELECT 'mysql'\n")
file(WRITE ${WORK_DIR}/sql/engine/both.mariadb.sql "SELECT 'mariadb'")
file(WRITE ${WORK_DIR}/sql/engine/whole.sql "SELECT {parts/columns} FROM t WHERE {parts/kept}")
file(WRITE ${WORK_DIR}/sql/parts/columns.sql "-- Purpose: a list.\na,\n    b\n")
file(WRITE ${WORK_DIR}/sql/parts/kept.sql "-- Purpose: one in another.\n(a = ';' AND {parts/new})\n")
file(WRITE ${WORK_DIR}/sql/parts/new.sql "b = '[0-9]{32}'")
file(WRITE ${WORK_DIR}/sql/lessons/story.md "not a statement")

function(embed)
    execute_process(
        COMMAND ${CMAKE_COMMAND} -D SQL_DIR=${WORK_DIR}/sql -D OUTPUT=${WORK_DIR}/out.cpp -P ${SCRIPT}
        RESULT_VARIABLE code ERROR_VARIABLE error)
    set(code ${code} PARENT_SCOPE)
    set(error "${error}" PARENT_SCOPE)
endfunction()

embed()
if(NOT code EQUAL 0)
    message(FATAL_ERROR "the script failed: ${error}")
endif()
file(READ ${WORK_DIR}/out.cpp output)
string(FIND "${output}" [==[
const EmbeddedSql kEmbeddedSql[] = {
    {"engine/both", 1, R"sql(SELECT 'mariadb')sql"},
    {"engine/both", 2, R"sql(SELECT 'mysql')sql"},
    {"engine/plain", 0, R"sql(SELECT ';', '[', "]", '\\n', ${X}, a -- b
  FROM t;
UPDATE t SET x = 1)sql"},
    {"engine/whole", 0, R"sql(SELECT a,
    b FROM t WHERE (a = ';' AND b = '[0-9]{32}'))sql"},
    {nullptr, 0, nullptr},
};
const int kEmbeddedSqlCount = 4;
]==] found)
if(found EQUAL -1)
    message(FATAL_ERROR "not as expected:\n${output}")
endif()

# What cannot be right is refused by name.
foreach(wrong "-- only a comment\n" "SELECT ')sql\"'\n" "SELECT {parts/nobody}\n")
    file(WRITE ${WORK_DIR}/sql/engine/wrong.sql "${wrong}")
    embed()
    if(code EQUAL 0 OR NOT error MATCHES "sql/engine/wrong.sql")
        message(FATAL_ERROR "accepted: ${wrong}")
    endif()
endforeach()
