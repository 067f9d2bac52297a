# SPDX-License-Identifier: MIT
# lockscope_folder(NAME lockscope_x SOURCES … USES lockscope_y … PRIVATELY …): the library of one folder. A test links
# that of its own folder alone, so what the folder takes from one that it does not name is missing there.
function(lockscope_folder)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "SOURCES;USES;PRIVATELY")
    add_library(${arg_NAME} STATIC ${arg_SOURCES})
    target_link_libraries(${arg_NAME} PUBLIC ${arg_USES} PRIVATE ${arg_PRIVATELY} lockscope_flags)
endfunction()
