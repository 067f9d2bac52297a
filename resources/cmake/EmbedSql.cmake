# SPDX-License-Identifier: MIT
# lockscope_embed_sql(TARGET): compiles every sql/<folder>/<name>.sql into TARGET as the table that
# lib/session/embeddedsql.h declares. A changed, new or removed file is noticed by the next build.
# lockscope_embed_lua(TARGET DIR): the same for the scripts of a store, as the table of embeddedlua.h.
set(LOCKSCOPE_EMBED_SQL_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/EmbedSqlScript.cmake)

function(lockscope_embed target dir extension)
    # A glob, because these files are data: a list kept by hand could only disagree with the folder.
    file(GLOB_RECURSE statements CONFIGURE_DEPENDS ${dir}/*.${extension})
    set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded${extension}.cpp)
    # The names are an argument as well: a removed file changes the command, which makes it run again.
    list(SORT statements)
    string(SHA256 namesHash "${statements}")
    string(TOUPPER ${extension} kind)
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -D ${kind}_DIR=${dir} -D OUTPUT=${output}
                -D NAMES_HASH=${namesHash} -P ${LOCKSCOPE_EMBED_SQL_SCRIPT}
        DEPENDS ${statements} ${LOCKSCOPE_EMBED_SQL_SCRIPT}
        COMMENT "Embedding ${extension}/"
        VERBATIM)
    target_sources(${target} PRIVATE ${output})
    set_source_files_properties(${output} PROPERTIES SKIP_AUTOGEN ON)
endfunction()

function(lockscope_embed_sql target)
    lockscope_embed(${target} ${PROJECT_SOURCE_DIR}/sql sql)
endfunction()

function(lockscope_embed_lua target dir)
    lockscope_embed(${target} ${dir} lua)
endfunction()
