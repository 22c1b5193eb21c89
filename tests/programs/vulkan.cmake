# Programs that use Vulkan, on the driver that the loader finds: the CPU driver where there is no GPU.
find_library(VULKAN_LIBRARY NAMES vulkan)
if(NOT VULKAN_LIBRARY)
  message(STATUS "No Vulkan loader found: its programs are left out")
  return()
endif()
find_program(GLSLANG glslangValidator REQUIRED)
# common/shaders/<name>.<stage> becomes shaders/<name>.<stage>.h, with the array <name>_<stage>.
set(shaders)
file(GLOB shader_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/common/shaders/*)
foreach(source ${shader_sources})
  get_filename_component(name ${source} NAME)
  string(REPLACE . _ symbol ${name})
  set(header ${CMAKE_CURRENT_BINARY_DIR}/include/shaders/${name}.h)
  add_custom_command(OUTPUT ${header}
    COMMAND ${GLSLANG} -V --quiet --vn ${symbol} -o ${header} ${source} DEPENDS ${source} VERBATIM)
  list(APPEND shaders ${header})
endforeach()
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/include/shaders)
add_custom_target(program-shaders DEPENDS ${shaders})

file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
  */bad/vulkan_*.cc */good/vulkan_*.cc correct/vulkan_*.cc)
foreach(source ${sources})
  get_filename_component(folder ${source} DIRECTORY)
  get_filename_component(case ${source} NAME_WE)
  string(REPLACE / - target "program-${folder}-${case}")
  add_executable(${target} ${source})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/include)
  target_compile_definitions(${target} PRIVATE VULKAN_TEST_DEVICE="${CMAKE_BINARY_DIR}/tests/vulkan/device_layer")
  add_dependencies(${target} program-shaders)
  if(TARGET vulkan-test-device)
    add_dependencies(${target} vulkan-test-device)
  endif()
  target_link_libraries(${target} PRIVATE ${VULKAN_LIBRARY} Threads::Threads ${CMAKE_DL_LIBS})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${case}
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${folder} POSITION_INDEPENDENT_CODE ON)
  if(TARGET gpusan_main AND TARGET gpusan_hooks_vulkan)
    add_test(NAME programs/${folder}/${case}/vulkan
      COMMAND ${run} program --gpusan $<TARGET_FILE:gpusan_main> --door vulkan
        --source ${CMAKE_CURRENT_SOURCE_DIR}/${source} $<TARGET_FILE:${target}>)
    set_tests_properties(programs/${folder}/${case}/vulkan PROPERTIES TIMEOUT 120 LABELS programs SKIP_RETURN_CODE 77)
  endif()
endforeach()
