// Handlers that create and configure contexts, queues, samplers and programs, and the retains and
// releases of all core objects.
#include <cstring>
#include <string>
#include <vector>

#include "hooks/opencl/call/callbacks.h"
#include "hooks/opencl/call/extension_handlers.h"
#include "hooks/opencl/objects/build_log.h"
#include "hooks/opencl/objects/references.h"
#include "hooks/opencl/objects/use_objects.h"

namespace gpusan::opencl {
namespace {

PlainObject* UseProgram(ClCall& call, cl_program program) {
  return static_cast<PlainObject*>(
      call.tracker().Use(call, HandleOf(program), MaskOf(ObjectKind::kProgram), "program"));
}

// Runs a creation that returns a handle and a code. `real(cl_int*)` is the real call,
// `adopt(handle)` creates the shadow object.
template <typename Handle, typename Real, typename Adopt>
Handle Create(ClCall& call, ObjectKind kind, cl_int* errcode_ret, Real real, Adopt adopt) {
  cl_int code = CL_SUCCESS;
  call.BeforeReal();
  Handle handle = real(&code);
  if (errcode_ret != nullptr) *errcode_ret = code;
  if (handle != nullptr) {
    adopt(handle);
  } else {
    call.tracker().NoteFailedCreation(call, kind, code, 0);
  }
  call.Done(handle != nullptr ? CL_SUCCESS : code);
  return handle;
}

}  // namespace

#define GPUSAN_RETAIN_RELEASE(Name, type, kinds, argument)                                 \
  cl_int Handle_clRetain##Name(ClCall& call, cl_api_clRetain##Name next, type handle) {    \
    return RetainHandle<type>(call, next, handle, kinds, argument);                        \
  }                                                                                        \
  cl_int Handle_clRelease##Name(ClCall& call, cl_api_clRelease##Name next, type handle) {  \
    return ReleaseHandle<type>(call, next, handle, kinds, argument, [](const Object*) {}); \
  }
GPUSAN_RETAIN_RELEASE(Context, cl_context, MaskOf(ObjectKind::kContext), "context")
GPUSAN_RETAIN_RELEASE(CommandQueue, cl_command_queue, MaskOf(ObjectKind::kQueue), "command_queue")
GPUSAN_RETAIN_RELEASE(MemObject, cl_mem, kAnyMemory, "memobj")
GPUSAN_RETAIN_RELEASE(Sampler, cl_sampler, MaskOf(ObjectKind::kSampler), "sampler")
GPUSAN_RETAIN_RELEASE(Program, cl_program, MaskOf(ObjectKind::kProgram), "program")
GPUSAN_RETAIN_RELEASE(Kernel, cl_kernel, MaskOf(ObjectKind::kKernel), "kernel")
GPUSAN_RETAIN_RELEASE(Event, cl_event, kAnyEvent, "event")
#undef GPUSAN_RETAIN_RELEASE

// --- contexts

cl_context Handle_clCreateContext(ClCall& call, cl_api_clCreateContext next,
                                  const cl_context_properties* properties, cl_uint num_devices,
                                  const cl_device_id* devices, ContextNotify notify,
                                  void* user_data, cl_int* errcode_ret) {
  const auto wrapped = WrapContextNotify(notify, user_data);
  return Create<cl_context>(
      call, ObjectKind::kContext, errcode_ret,
      [&](cl_int* code) {
        return next(properties, num_devices, devices, wrapped.function, wrapped.user_data, code);
      },
      [&](cl_context context) {
        call.tracker().NewPlain(call, ObjectKind::kContext, HandleOf(context), nullptr);
      });
}

cl_context Handle_clCreateContextFromType(ClCall& call, cl_api_clCreateContextFromType next,
                                          const cl_context_properties* properties,
                                          cl_device_type device_type, ContextNotify notify,
                                          void* user_data, cl_int* errcode_ret) {
  const auto wrapped = WrapContextNotify(notify, user_data);
  // Not Done: a failure is no finding, because programs look for devices of a type this way.
  cl_int code = CL_SUCCESS;
  cl_context context = next(properties, device_type, wrapped.function, wrapped.user_data, &code);
  if (errcode_ret != nullptr) *errcode_ret = code;
  if (context != nullptr) {
    call.tracker().NewPlain(call, ObjectKind::kContext, HandleOf(context), nullptr);
  } else {
    call.tracker().NoteFailedCreation(call, ObjectKind::kContext, code, 0);
  }
  call.Finish(code);
  return context;
}

cl_int Handle_clSetContextDestructorCallback(ClCall& call,
                                             cl_api_clSetContextDestructorCallback next,
                                             cl_context context, ContextDestructor notify,
                                             void* user_data) {
  UseContext(call, context);
  call.BeforeReal();
  const auto wrapped = WrapContextDestructor(notify, user_data);
  const cl_int code = next(context, wrapped.function, wrapped.user_data);
  if (code != CL_SUCCESS) wrapped.Discard();
  return call.Done(code);
}

#ifdef cl_khr_terminate_context
cl_int Handle_clTerminateContextKHR(ClCall& call, clTerminateContextKHR_fn next,
                                    cl_context context) {
  UseContext(call, context);
  call.BeforeReal();
  return call.Done(next(context));
}
#endif

// --- queues

namespace {

cl_command_queue AdoptQueue(ClCall& call, cl_context context, cl_device_id device,
                            bool out_of_order, cl_command_queue queue) {
  call.tracker().NewQueue(call, HandleOf(queue),
                          call.tracker().Find(Api::kOpenCL, HandleOf(context)), !out_of_order,
                          HandleOf(device));
  return queue;
}

}  // namespace

cl_command_queue Handle_clCreateCommandQueue(ClCall& call, cl_api_clCreateCommandQueue next,
                                             cl_context context, cl_device_id device,
                                             cl_command_queue_properties properties,
                                             cl_int* errcode_ret) {
  UseContext(call, context);
  return Create<cl_command_queue>(
      call, ObjectKind::kQueue, errcode_ret,
      [&](cl_int* code) { return next(context, device, properties, code); },
      [&](cl_command_queue queue) {
        AdoptQueue(call, context, device,
                   (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0, queue);
      });
}

cl_command_queue Handle_clCreateCommandQueueWithProperties(
    ClCall& call, cl_api_clCreateCommandQueueWithProperties next, cl_context context,
    cl_device_id device, const cl_queue_properties* properties, cl_int* errcode_ret) {
  UseContext(call, context);
  bool out_of_order = false;
  for (const cl_queue_properties* at = properties; at != nullptr && *at != 0; at += 2) {
    if (at[0] == CL_QUEUE_PROPERTIES)
      out_of_order = (at[1] & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
  }
  return Create<cl_command_queue>(
      call, ObjectKind::kQueue, errcode_ret,
      [&](cl_int* code) { return next(context, device, properties, code); },
      [&](cl_command_queue queue) { AdoptQueue(call, context, device, out_of_order, queue); });
}

cl_int Handle_clSetCommandQueueProperty(ClCall& call, cl_api_clSetCommandQueueProperty next,
                                        cl_command_queue queue,
                                        cl_command_queue_properties properties, cl_bool enable,
                                        cl_command_queue_properties* old_properties) {
  Queue* shadow = UseQueue(call, queue);
  call.BeforeReal();
  const cl_int code = next(queue, properties, enable, old_properties);
  if (code == CL_SUCCESS && shadow != nullptr &&
      (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0) {
    // The call waits for all earlier commands (OpenCL 1.0 §5.1), so that the order of the queue can
    // change.
    call.tracker().WaitQueue(*shadow);
    shadow->in_order = !enable;
  }
  return call.Done(code);
}

// --- samplers

cl_sampler Handle_clCreateSampler(ClCall& call, cl_api_clCreateSampler next, cl_context context,
                                  cl_bool normalized_coords, cl_addressing_mode addressing,
                                  cl_filter_mode filter, cl_int* errcode_ret) {
  Object* owner = UseContext(call, context);
  return Create<cl_sampler>(
      call, ObjectKind::kSampler, errcode_ret,
      [&](cl_int* code) { return next(context, normalized_coords, addressing, filter, code); },
      [&](cl_sampler sampler) {
        call.tracker().NewPlain(call, ObjectKind::kSampler, HandleOf(sampler), owner);
      });
}

cl_sampler Handle_clCreateSamplerWithProperties(ClCall& call,
                                                cl_api_clCreateSamplerWithProperties next,
                                                cl_context context,
                                                const cl_sampler_properties* properties,
                                                cl_int* errcode_ret) {
  Object* owner = UseContext(call, context);
  return Create<cl_sampler>(
      call, ObjectKind::kSampler, errcode_ret,
      [&](cl_int* code) { return next(context, properties, code); },
      [&](cl_sampler sampler) {
        call.tracker().NewPlain(call, ObjectKind::kSampler, HandleOf(sampler), owner);
      });
}

// --- programs

namespace {

PlainObject* AdoptProgram(ClCall& call, Object* context, cl_program program, bool from_source) {
  PlainObject* object =
      call.tracker().NewPlain(call, ObjectKind::kProgram, HandleOf(program), context);
  object->from_source = from_source;
  return object;
}

constexpr const char kArgumentInfo[] = "-cl-kernel-arg-info";

// Returns the build options plus -cl-kernel-arg-info; an empty string if nothing is to be added.
std::string WithArgumentInfo(const PlainObject* program, const char* options) {
  if (!CurrentHooks().kernel_arg_info || program == nullptr || !program->from_source) return "";
  if (options != nullptr && std::strstr(options, kArgumentInfo) != nullptr) return "";
  if (options == nullptr || *options == '\0') return kArgumentInfo;
  return absl::StrCat(options, " ", kArgumentInfo);
}

// Builds with the added option, and again with the program's options if the driver rejects it.
template <typename Build>
cl_int BuildWithArgumentInfo(PlainObject* program, const char* options, bool notified,
                             Build build) {
  const std::string more = WithArgumentInfo(program, options);
  if (program != nullptr) program->text = options != nullptr ? options : "";
  if (more.empty()) return build(options);
  const cl_int code = build(more.c_str());
  // The first attempt may have called the program's callback, which must run only once.
  const bool unknown = code == CL_INVALID_BUILD_OPTIONS || code == CL_INVALID_COMPILER_OPTIONS;
  return unknown && !notified ? build(options) : code;
}

}  // namespace

cl_program Handle_clCreateProgramWithSource(ClCall& call, cl_api_clCreateProgramWithSource next,
                                            cl_context context, cl_uint count, const char** strings,
                                            const size_t* lengths, cl_int* errcode_ret) {
  Object* owner = UseContext(call, context);
  return Create<cl_program>(
      call, ObjectKind::kProgram, errcode_ret,
      [&](cl_int* code) { return next(context, count, strings, lengths, code); },
      [&](cl_program program) { AdoptProgram(call, owner, program, true); });
}

cl_program Handle_clCreateProgramWithBinary(ClCall& call, cl_api_clCreateProgramWithBinary next,
                                            cl_context context, cl_uint num_devices,
                                            const cl_device_id* devices, const size_t* lengths,
                                            const unsigned char** binaries, cl_int* binary_status,
                                            cl_int* errcode_ret) {
  Object* owner = UseContext(call, context);
  return Create<cl_program>(
      call, ObjectKind::kProgram, errcode_ret,
      [&](cl_int* code) {
        return next(context, num_devices, devices, lengths, binaries, binary_status, code);
      },
      [&](cl_program program) { AdoptProgram(call, owner, program, false); });
}

cl_program Handle_clCreateProgramWithBuiltInKernels(ClCall& call,
                                                    cl_api_clCreateProgramWithBuiltInKernels next,
                                                    cl_context context, cl_uint num_devices,
                                                    const cl_device_id* devices, const char* names,
                                                    cl_int* errcode_ret) {
  Object* owner = UseContext(call, context);
  return Create<cl_program>(
      call, ObjectKind::kProgram, errcode_ret,
      [&](cl_int* code) { return next(context, num_devices, devices, names, code); },
      [&](cl_program program) { AdoptProgram(call, owner, program, false); });
}

cl_program Handle_clCreateProgramWithIL(ClCall& call, cl_api_clCreateProgramWithIL next,
                                        cl_context context, const void* il, size_t length,
                                        cl_int* errcode_ret) {
  Object* owner = UseContext(call, context);
  return Create<cl_program>(
      call, ObjectKind::kProgram, errcode_ret,
      [&](cl_int* code) { return next(context, il, length, code); },
      [&](cl_program program) { AdoptProgram(call, owner, program, false); });
}

cl_int Handle_clBuildProgram(ClCall& call, cl_api_clBuildProgram next, cl_program program,
                             cl_uint num_devices, const cl_device_id* devices, const char* options,
                             ProgramNotify notify, void* user_data) {
  PlainObject* shadow = UseProgram(call, program);
  call.BeforeReal();
  const auto wrapped = WrapProgramNotify(notify, user_data);
  const cl_int code =
      BuildWithArgumentInfo(shadow, options, notify != nullptr, [&](const char* effective) {
        return next(program, num_devices, devices, effective, wrapped.function, wrapped.user_data);
      });
  if (code == CL_BUILD_PROGRAM_FAILURE)
    call.FailureFact(BuildLogText(call, program, num_devices, devices));
  return call.Done(code);
}

cl_int Handle_clCompileProgram(ClCall& call, cl_api_clCompileProgram next, cl_program program,
                               cl_uint num_devices, const cl_device_id* devices,
                               const char* options, cl_uint num_headers, const cl_program* headers,
                               const char** names, ProgramNotify notify, void* user_data) {
  PlainObject* shadow = UseProgram(call, program);
  call.BeforeReal();
  const auto wrapped = WrapProgramNotify(notify, user_data);
  const cl_int code =
      BuildWithArgumentInfo(shadow, options, notify != nullptr, [&](const char* effective) {
        return next(program, num_devices, devices, effective, num_headers, headers, names,
                    wrapped.function, wrapped.user_data);
      });
  if (code == CL_COMPILE_PROGRAM_FAILURE)
    call.FailureFact(BuildLogText(call, program, num_devices, devices));
  return call.Done(code);
}

cl_program Handle_clLinkProgram(ClCall& call, cl_api_clLinkProgram next, cl_context context,
                                cl_uint num_devices, const cl_device_id* devices,
                                const char* options, cl_uint num_programs,
                                const cl_program* programs, ProgramNotify notify, void* user_data,
                                cl_int* errcode_ret) {
  Object* owner = UseContext(call, context);
  const auto wrapped = WrapProgramNotify(notify, user_data);
  // A failed link may still return a program, which has the log.
  cl_int code = CL_SUCCESS;
  call.BeforeReal();
  cl_program linked = next(context, num_devices, devices, options, num_programs, programs,
                           wrapped.function, wrapped.user_data, &code);
  if (errcode_ret != nullptr) *errcode_ret = code;
  if (linked != nullptr) AdoptProgram(call, owner, linked, false);
  if (code == CL_LINK_PROGRAM_FAILURE)
    call.FailureFact(BuildLogText(call, linked, num_devices, devices));
  call.Done(code);
  return linked;
}

cl_int Handle_clGetProgramBuildInfo(ClCall& call, cl_api_clGetProgramBuildInfo next,
                                    cl_program program, cl_device_id device,
                                    cl_program_build_info param_name, size_t size, void* value,
                                    size_t* size_ret) {
  // The program gets its own options, without the one that gpusan added.
  PlainObject* shadow =
      param_name == CL_PROGRAM_BUILD_OPTIONS ? UseProgram(call, program) : nullptr;
  if (shadow == nullptr || !shadow->from_source || !CurrentHooks().kernel_arg_info) {
    return next(program, device, param_name, size, value, size_ret);
  }
  std::vector<char> options(shadow->text.size() + sizeof(kArgumentInfo) + 64);
  size_t real_size = 0;
  const cl_int code = next(program, device, param_name, options.size(), options.data(), &real_size);
  if (code != CL_SUCCESS || WithArgumentInfo(shadow, shadow->text.c_str()) != options.data()) {
    return next(program, device, param_name, size, value, size_ret);
  }
  if (value != nullptr && size < shadow->text.size() + 1) return CL_INVALID_VALUE;
  if (value != nullptr) std::memcpy(value, shadow->text.c_str(), shadow->text.size() + 1);
  if (size_ret != nullptr) *size_ret = shadow->text.size() + 1;
  return CL_SUCCESS;
}

cl_int Handle_clSetProgramReleaseCallback(ClCall& call, cl_api_clSetProgramReleaseCallback next,
                                          cl_program program, ProgramNotify notify,
                                          void* user_data) {
  UseProgram(call, program);
  call.BeforeReal();
  const auto wrapped = WrapProgramNotify(notify, user_data);
  const cl_int code = next(program, wrapped.function, wrapped.user_data);
  if (code != CL_SUCCESS) wrapped.Discard();
  return call.Done(code);
}

}  // namespace gpusan::opencl
