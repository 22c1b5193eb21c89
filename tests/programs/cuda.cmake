# The CUDA programs: cuda_* call the driver, cudart_* the runtime. They are linked with the toolkit's stub of the driver and
# load whatever driver the loader finds: the real one, or the fake one of the tests.
find_package(CUDAToolkit QUIET)
if(NOT TARGET CUDA::cuda_driver)
  message(STATUS "No CUDA toolkit: the CUDA programs are not built")
  return()
endif()

file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
  */bad/cuda*.cc */good/cuda*.cc correct/cuda*.cc)
# A test that runs the program under gpusan over the fake driver.
function(add_cuda_test source)
  string(REGEX REPLACE "\\.[a-z]*$" "" case ${source})
  if(NOT TARGET gpusan_fake_cuda OR (case MATCHES "/cudart_" AND NOT TARGET gpusan_fake_cudart))
    return()
  endif()
  set(name programs/${case}/cuda)
  add_test(NAME ${name} COMMAND ${run} program --gpusan $<TARGET_FILE:gpusan_main> --door cuda
    --fake $<TARGET_FILE_DIR:gpusan_fake_cuda> --source ${CMAKE_CURRENT_SOURCE_DIR}/${source} ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT 120 LABELS programs SKIP_RETURN_CODE 77)
  # By the other door, which is not there before cuInit and sees nothing that the runtime refuses by itself.
  if(NOT TARGET gpusan_told_cuda OR case MATCHES "/cuda_not_initialized$|/cudart_pitch_in_elements$")
    return()
  endif()
  set(name programs/${case}/cupti)
  add_test(NAME ${name} COMMAND ${run} program --gpusan $<TARGET_FILE:gpusan_main> --door cupti --orders late
    --fake $<TARGET_FILE_DIR:gpusan_told_cuda> --source ${CMAKE_CURRENT_SOURCE_DIR}/${source} ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT 120 LABELS programs SKIP_RETURN_CODE 77)
endfunction()

foreach(source ${sources})
  get_filename_component(folder ${source} DIRECTORY)
  get_filename_component(case ${source} NAME_WE)
  string(REPLACE / - target "program-${folder}-${case}")
  add_executable(${target} ${source})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CUDAToolkit_INCLUDE_DIRS})
  if(case MATCHES "^cudart_")
    target_link_libraries(${target} PRIVATE CUDA::cudart)
  else()
    target_link_libraries(${target} PRIVATE CUDA::cuda_driver)
  endif()
  target_link_libraries(${target} PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
  # Another machine must be able to run them, one with a GPU and without a compiler.
  target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,--as-needed)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${case} SKIP_BUILD_RPATH ON
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${folder} POSITION_INDEPENDENT_CODE ON)
  add_cuda_test(${source} $<TARGET_FILE:${target}>)
endforeach()

# Another runtime that loads the driver by itself: C# programs, each behind a script that starts it.
find_program(MCS mcs)
find_program(MONO mono)
mark_as_advanced(MCS MONO)
if(NOT MCS OR NOT MONO)
  return()
endif()
file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} */bad/mono*.cs */good/mono*.cs)
foreach(source ${sources})
  string(REGEX REPLACE "\\.cs$" "" case ${source})
  set(program ${CMAKE_CURRENT_BINARY_DIR}/${case})
  get_filename_component(folder ${program} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${program}.exe COMMAND ${MCS} -out:${program}.exe ${CMAKE_CURRENT_SOURCE_DIR}/${source}
    DEPENDS ${source} VERBATIM)
  string(REPLACE / - target "program-${case}")
  add_custom_target(${target} ALL DEPENDS ${program}.exe)
  file(WRITE ${program} "#!/bin/sh\nexec mono \"$0.exe\"\n")
  file(CHMOD ${program} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  add_cuda_test(${source} ${program})
endforeach()
