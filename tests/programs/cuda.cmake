# The CUDA programs: cuda_* call the driver, cudart_* the runtime. They are linked with the toolkit's stub of the driver and
# load whatever driver the loader finds: the real one, or the fake one of the tests.
find_package(CUDAToolkit QUIET)
if(NOT TARGET CUDA::cuda_driver)
  message(STATUS "No CUDA toolkit: the CUDA programs are not built")
  return()
endif()

# Adds the tests that run `file`, the executable of `program`, under gpusan over the fake driver.
function(add_cuda_tests program source file)
  if(NOT TARGET gpusan_fake_cuda OR (program MATCHES "/cudart_|/cudalib_.*_of_the_runtime$" AND NOT TARGET gpusan_fake_cudart))
    return()
  endif()
  add_program_test(${program} ${source} ${file} cuda --attach cuda --fake $<TARGET_FILE_DIR:gpusan_fake_cuda>)
  set_tests_properties(programs/${program}/cuda PROPERTIES SKIP_RETURN_CODE 77)
  # The same kernels from the PTX of their image: the driver compiles it, so that no machine code is seen. Of loops in PTX,
  # only first iterations have byte ranges. PTX copies a parameter that has an index to local memory, and a kernel that may
  # wait in some launches counts as one that waits in each.
  if(program MATCHES "/cuda_code_" AND NOT program MATCHES "/cuda_code_(stride|join_on|publishes)")
    add_program_test(${program} ${source} ${file} ptx --attach cuda --orders late --fake $<TARGET_FILE_DIR:gpusan_fake_cuda>)
    set_tests_properties(programs/${program}/ptx PROPERTIES SKIP_RETURN_CODE 77 ENVIRONMENT CUDA_FORCE_PTX_JIT=1)
  endif()
  # CUPTI sees nothing before cuInit, and no call that the runtime refuses by itself. It cannot change arguments, so memory
  # gets no guard zones, and no host function is replaced. It sees no calls of libraries.
  if(TARGET gpusan_notifying_cuda AND NOT program MATCHES "/cudalib_|/cuda_not_initialized$|/cudart_pitch_in_elements$|/cuda_set_in_host_function$|guard-overwritten/bad/")
    add_program_test(${program} ${source} ${file} cupti --attach cupti --orders late
      --fake $<TARGET_FILE_DIR:gpusan_notifying_cuda>)
    set_tests_properties(programs/${program}/cupti PROPERTIES SKIP_RETURN_CODE 77)
  endif()
endfunction()

# Small libraries with the names of cuBLAS, cuDNN, cuFFT and NCCL, for programs cudalib_*. They are beside the fake driver.
if(TARGET gpusan_fake_cuda)
  add_library(program-cuda-libraries SHARED common/fake_libraries.cc)
  target_include_directories(program-cuda-libraries PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CUDAToolkit_INCLUDE_DIRS})
  target_link_libraries(program-cuda-libraries PRIVATE CUDA::cuda_driver)
  set_target_properties(program-cuda-libraries PROPERTIES SKIP_BUILD_RPATH ON CXX_VISIBILITY_PRESET default
    LIBRARY_OUTPUT_DIRECTORY $<TARGET_FILE_DIR:gpusan_fake_cuda>)
  file(GLOB library_sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} */cudalib_*.cc)
endif()

file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} */cuda_*.cc */cudart_*.cc)
list(APPEND sources ${library_sources})
foreach(source ${sources})
  programs_of(${source} programs)
  foreach(program ${programs})
    add_program(${program} ${source} target)
    target_include_directories(${target} PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
    if(program MATCHES "/cudart_")
      target_link_libraries(${target} PRIVATE CUDA::cudart)
    else()
      target_link_libraries(${target} PRIVATE CUDA::cuda_driver)
    endif()
    if(program MATCHES "/cudalib_")
      target_link_libraries(${target} PRIVATE program-cuda-libraries)
      if(program MATCHES "_of_the_runtime$")
        target_link_libraries(${target} PRIVATE CUDA::cudart)
      endif()
    endif()
    # They also run on machines with a GPU and without a compiler.
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,--as-needed)
    set_target_properties(${target} PROPERTIES SKIP_BUILD_RPATH ON)
    add_cuda_tests(${program} ${source} $<TARGET_FILE:${target}>)
  endforeach()
endforeach()

# Another runtime that loads the driver by itself: C# programs, each behind a script that starts it.
find_program(MCS mcs)
find_program(MONO mono)
mark_as_advanced(MCS MONO)
if(NOT MCS OR NOT MONO)
  return()
endif()
file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} */mono_*.cs)
foreach(source ${sources})
  programs_of(${source} programs)
  foreach(program ${programs})
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${program})
    get_filename_component(folder ${file} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    set(defect)
    if(program MATCHES "/bad/")
      set(defect -define:DEFECT)
    endif()
    add_custom_command(OUTPUT ${file}.exe
      COMMAND ${MCS} ${defect} -out:${file}.exe ${CMAKE_CURRENT_SOURCE_DIR}/${source} DEPENDS ${source} VERBATIM)
    string(REPLACE / - target "program-${program}")
    add_custom_target(${target} ALL DEPENDS ${file}.exe)
    file(WRITE ${file} "#!/bin/sh\nexec mono \"$0.exe\"\n")
    file(CHMOD ${file} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
    add_cuda_tests(${program} ${source} ${file})
  endforeach()
endforeach()
