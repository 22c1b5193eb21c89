// Handlers of queries and other calls that only name objects.
#include "hooks/opencl/objects/queries.h"

#include "hooks/opencl/objects/flushes.h"
#include "hooks/opencl/programs/program_binaries.h"
#include "hooks/opencl/programs/program_source.h"
#include "tracker/rules/faults/faulty_call.h"

namespace gpusan::opencl::handlers {

void clGetContextInfo::Before(ClCall& call, cl_context context, cl_context_info parameter,
                              size_t size, void* value, size_t* needed) {
  if (UseContext(call, context) != nullptr)
    CheckQueryBlock<&cl_icd_dispatch::clGetContextInfo>(call, context, parameter, size, value,
                                                        needed);
}

void clGetImageInfo::Before(ClCall& call, cl_mem image, cl_image_info, size_t, void*, size_t*) {
  // Programs ask this to find out whether an object is an image.
  UseMemory(call, nullptr, image, kAnyMemory, "image");
}

void clGetPipeInfo::Before(ClCall& call, cl_mem pipe, cl_pipe_info, size_t, void*, size_t*) {
  UseMemory(call, nullptr, pipe, kAnyMemory, "pipe");
}

void clGetProgramInfo::Before(ClCall& call, cl_program program, cl_program_info parameter,
                              size_t size, void* value, size_t* needed) {
  if (UseProgram(call, program) == nullptr) return;
  CheckQueryBlock<&cl_icd_dispatch::clGetProgramInfo>(call, program, parameter, size, value,
                                                      needed);
  if (parameter == CL_PROGRAM_BINARIES && value != nullptr && !call.has_error())
    CheckBinaryBlocks(call, program, static_cast<unsigned char* const*>(value),
                      size / sizeof(void*));
}

void clGetKernelInfo::Before(ClCall& call, cl_kernel kernel, cl_kernel_info parameter, size_t size,
                             void* value, size_t* needed) {
  if (UseKernel(call, kernel) != nullptr)
    CheckQueryBlock<&cl_icd_dispatch::clGetKernelInfo>(call, kernel, parameter, size, value,
                                                       needed);
}

#ifdef cl_khr_suggested_local_work_size
void clGetKernelSuggestedLocalWorkSizeKHR::Before(ClCall& call, cl_command_queue queue,
                                                  cl_kernel kernel, cl_uint, const size_t*,
                                                  const size_t*, size_t*) {
  UseKernelOf(call, UseQueue(call, queue), kernel);
}
#endif

void clSetDefaultDeviceCommandQueue::Before(ClCall& call, cl_context context, cl_device_id,
                                            cl_command_queue queue) {
  UseContext(call, context);
  constexpr KindMask kQueue = MaskOf(ObjectKind::kQueue);
  if (!IsNull(call, queue, kQueue, "command_queue")) UseQueue(call, queue);
}

void clFlush::Before(ClCall& call, cl_command_queue queue) {
  UseQueue(call, queue);
  NoteFlush(call, HandleOf(queue));
}

void clSetProgramSpecializationConstant::Before(ClCall& call, cl_program program, cl_uint id,
                                                size_t size, const void* value) {
  PlainObject* shadow = UseProgram(call, program);
  KeepSpecialization(shadow, id, size, value);
  if (shadow == nullptr || !shadow->from_source) return;
  rules::OnFaultyCall({rules::CallFault::kSpecializesSource, {{"id", uint64_t{id}}}, shadow}, call);
}

}  // namespace gpusan::opencl::handlers
