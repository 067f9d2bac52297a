# SPDX-License-Identifier: MIT
# lockscope_embed_sql(TARGET): compiles every sql/<folder>/<name>.sql into TARGET as the table that
# lib/session/embeddedsql.h declares. A changed, new or removed file is noticed by the next build.
set(LOCKSCOPE_EMBED_SQL_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/EmbedSqlScript.cmake)

function(lockscope_embed_sql target)
    # A glob, because these files are data: a list kept by hand could only disagree with the folder.
    file(GLOB_RECURSE statements CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/sql/*.sql)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/embeddedsql.cpp)
    # The names are an argument as well: a removed file changes the command, which makes it run again.
    list(SORT statements)
    string(SHA256 namesHash "${statements}")
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -D SQL_DIR=${PROJECT_SOURCE_DIR}/sql -D OUTPUT=${output}
                -D NAMES_HASH=${namesHash} -P ${LOCKSCOPE_EMBED_SQL_SCRIPT}
        DEPENDS ${statements} ${LOCKSCOPE_EMBED_SQL_SCRIPT}
        COMMENT "Embedding sql/"
        VERBATIM)
    target_sources(${target} PRIVATE ${output})
    set_source_files_properties(${output} PROPERTIES SKIP_AUTOGEN ON)
endfunction()
