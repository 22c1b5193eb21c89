# Puts the debug information of an ELF file where debuggers look for that of its build-id:
#   cmake -DFILE=build/report/gpusan -DFOLDER=prefix/lib/debug -DOBJCOPY=objcopy -DREADELF=readelf -P split_debug.cmake
# Sets `debug_file` to the path of the result.
execute_process(COMMAND ${READELF} -n ${FILE} OUTPUT_VARIABLE notes COMMAND_ERROR_IS_FATAL ANY)
if(NOT notes MATCHES "Build ID: ([0-9a-f][0-9a-f])([0-9a-f]+)")
  message(FATAL_ERROR "${FILE} has no build-id")
endif()
set(debug_file ${FOLDER}/.build-id/${CMAKE_MATCH_1}/${CMAKE_MATCH_2}.debug)
get_filename_component(folder ${debug_file} DIRECTORY)
file(MAKE_DIRECTORY ${folder})
execute_process(COMMAND ${OBJCOPY} --only-keep-debug --compress-debug-sections ${FILE} ${debug_file} COMMAND_ERROR_IS_FATAL ANY)
file(CHMOD ${debug_file} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
