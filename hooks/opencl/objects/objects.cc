// Handlers that create and configure contexts, queues, samplers and programs, and the retains and
// releases of all core objects.
#include "hooks/opencl/objects/objects.h"

#include <cstring>
#include <utility>

#include "hooks/opencl/call/context_devices.h"
#include "hooks/opencl/objects/devices.h"
#include "hooks/opencl/objects/flushes.h"
#include "hooks/opencl/objects/map_guards.h"
#include "hooks/opencl/objects/use_objects.h"
#include "hooks/opencl/programs/build_log.h"
#include "hooks/opencl/programs/partial_builds.h"
#include "hooks/opencl/programs/program_binaries.h"
#include "hooks/opencl/programs/program_source.h"
#include "hooks/opencl/words/handle_words.h"
#include "tracker/rules/events/null_argument.h"
#include "tracker/rules/faults/faulty_call.h"

namespace gpusan::opencl {
namespace {

// Returns nullptr if the call failed.
PlainObject* AdoptContext(ClCall& call, cl_context context) {
  if (!Created(call, ObjectKind::kContext, context)) return nullptr;
  LearnHandleForm(context);
  return call.tracker().objects().NewPlain(call, ObjectKind::kContext, HandleOf(context), nullptr);
}

void AdoptQueue(ClCall& call, cl_context context, cl_device_id device, bool out_of_order,
                cl_command_queue queue) {
  if (!Created(call, ObjectKind::kQueue, queue)) return;
  KeepDevice(call, device);
  CheckQueueDevice(call, context, device);
  call.tracker().objects().NewQueue(call, HandleOf(queue),
                                    call.tracker().objects().Find(Api::kOpenCL, HandleOf(context)),
                                    !out_of_order, HandleOf(device));
}

// The value of CL_QUEUE_PROPERTIES in a list; 0 if it has none.
cl_queue_properties QueueBits(const cl_queue_properties* properties) {
  cl_queue_properties bits = 0;
  for (const cl_queue_properties* at = properties; at != nullptr && *at != 0; at += 2) {
    if (at[0] == CL_QUEUE_PROPERTIES) bits = at[1];
  }
  return bits;
}

// A NULL pointer that the driver would follow.
void CheckPointer(ClCall& call, const void* pointer, const char* argument) {
  if (pointer == nullptr) rules::OnNullArgument({call.info().name, argument, false, ""}, call);
}

// Returns why a program cannot be built again; empty: not known.
std::string KernelsReason(ClCall& call, const PlainObject* program) {
  if (program == nullptr) return "";
  const std::vector<Kernel*> kernels = call.tracker().objects().KernelsOf(*program);
  if (kernels.empty()) return "";
  return absl::StrCat("program must not have kernels while it is built, but ",
                      ObjectText(*kernels.front(), call.words()),
                      kernels.size() > 1 ? absl::StrCat(" and ", kernels.size() - 1, " more") : "",
                      " exists (OpenCL 3.0 §5.8.4)");
}

void UsePrograms(ClCall& call, const Object* owner, cl_uint count, const cl_program* programs,
                 const char* argument) {
  for (cl_uint i = 0; programs != nullptr && i < count; ++i)
    UseElement(call, owner, programs[i], MaskOf(ObjectKind::kProgram), argument, i);
}

PlainObject* AdoptProgram(ClCall& call, Object* context, cl_program program, bool from_source) {
  PlainObject* object =
      call.tracker().objects().NewPlain(call, ObjectKind::kProgram, HandleOf(program), context);
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

}  // namespace

namespace handlers {

#define GPUSAN_RETAIN_RELEASE(Name, type, kinds, argument)                                        \
  void clRetain##Name::Before(ClCall& call, type handle) { Find(call, handle, kinds, argument); } \
  void clRelease##Name::Before(ClCall& call, type handle) {                                       \
    if constexpr (((kinds) & (kAnyMemory | MaskOf(ObjectKind::kContext))) != 0)                   \
      DropAllMapGuards();                                                                         \
    if constexpr ((kinds) == MaskOf(ObjectKind::kQueue)) NoteFlush(call, HandleOf(handle));       \
    Release(call, handle, kinds, argument);                                                       \
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

void clCreateContext::Before(ClCall& call, const cl_context_properties*, cl_uint count,
                             const cl_device_id* devices, ContextNotify& notify, void*& user_data,
                             cl_int*) {
  CheckMayBlock(call);
  for (cl_uint i = 0; devices != nullptr && i < count; ++i) {
    const std::string name = absl::StrCat("devices[", i, "]");
    if (devices[i] == nullptr) call.FailureReason(absl::StrCat(name, " is NULL (OpenCL 3.0 §4.4)"));
    UseDevice(call, devices[i], name.c_str());
  }
  WrapContextNotify(notify, user_data).Replace(notify, user_data);
}

void clCreateContext::After(ClCall& call, cl_context context, const cl_context_properties*,
                            cl_uint count, const cl_device_id* devices, ContextNotify, void*,
                            cl_int*) {
  PlainObject* shadow = AdoptContext(call, context);
  if (shadow == nullptr || devices == nullptr) return;
  KeepDevices(*shadow, count, devices);
  for (cl_uint i = 0; i < count; ++i) KeepDevice(call, devices[i]);
}

void clCreateContextFromType::Before(ClCall& call, const cl_context_properties*, cl_device_type,
                                     ContextNotify& notify, void*& user_data, cl_int*) {
  call.IgnoreFailure();
  CheckMayBlock(call);
  WrapContextNotify(notify, user_data).Replace(notify, user_data);
}

void clCreateContextFromType::After(ClCall& call, cl_context context) {
  AdoptContext(call, context);
}

void clSetContextDestructorCallback::Before(ClCall& call, cl_context context,
                                            ContextDestructor& notify, void*& user_data) {
  UseContext(call, context);
  wrapped_ = WrapContextDestructor(notify, user_data);
  wrapped_.Replace(notify, user_data);
}

void clSetContextDestructorCallback::After(ClCall&, cl_int code) {
  if (code != CL_SUCCESS) wrapped_.Discard();
}

#ifdef cl_khr_terminate_context
void clTerminateContextKHR::Before(ClCall& call, cl_context context) { UseContext(call, context); }
#endif

// --- queues

void clCreateCommandQueue::Before(ClCall& call, cl_context context, cl_device_id device,
                                  cl_command_queue_properties, cl_int*) {
  CheckMayBlock(call);
  UseContext(call, context);
  UseDevice(call, device, "device");
}

void clCreateCommandQueue::After(ClCall& call, cl_command_queue queue, cl_context context,
                                 cl_device_id device, cl_command_queue_properties properties,
                                 cl_int*) {
  AdoptQueue(call, context, device, (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0,
             queue);
}

void clCreateCommandQueueWithProperties::Before(ClCall& call, cl_context context,
                                                cl_device_id device,
                                                const cl_queue_properties* properties, cl_int*) {
  CheckMayBlock(call);
  UseContext(call, context);
  UseDevice(call, device, "device");
  constexpr cl_queue_properties kOutOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  const cl_queue_properties bits = QueueBits(properties);
  if ((bits & CL_QUEUE_ON_DEVICE) == 0 || (bits & kOutOfOrder) != 0) return;
  rules::OnFaultyCall({rules::CallFault::kInOrderDeviceQueue}, call);
}

void clCreateCommandQueueWithProperties::After(ClCall& call, cl_command_queue queue,
                                               cl_context context, cl_device_id device,
                                               const cl_queue_properties* properties, cl_int*) {
  const cl_queue_properties bits = QueueBits(properties);
  if ((bits & CL_QUEUE_ON_DEVICE_DEFAULT) != 0 && queue != nullptr) {
    // The device has one default queue. If it exists, the call retains and returns it (OpenCL 3.0
    // §5.1, CL_QUEUE_ON_DEVICE_DEFAULT).
    Object* existing = call.tracker().objects().Find(Api::kOpenCL, HandleOf(queue));
    if (existing != nullptr && existing->kind == ObjectKind::kQueue && existing->live() &&
        existing->context == call.tracker().objects().Find(Api::kOpenCL, HandleOf(context))) {
      call.tracker().objects().Retain(call, existing);
      return;
    }
  }
  AdoptQueue(call, context, device, (bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0, queue);
}

void clSetCommandQueueProperty::Before(ClCall& call, cl_command_queue queue,
                                       cl_command_queue_properties, cl_bool,
                                       cl_command_queue_properties*) {
  queue_ = UseQueue(call, queue);
}

void clSetCommandQueueProperty::After(ClCall& call, cl_int code, cl_command_queue,
                                      cl_command_queue_properties properties, cl_bool enable,
                                      cl_command_queue_properties*) {
  if (code != CL_SUCCESS || queue_ == nullptr ||
      (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0) {
    return;
  }
  // The call waits for all earlier commands (OpenCL 1.0 §5.1), so that the order of the queue can
  // change.
  call.tracker().ordering().WaitQueue(*queue_);
  queue_->in_order = !enable;
}

// --- samplers

void SamplerHandler::After(ClCall& call, cl_sampler sampler) {
  if (Created(call, ObjectKind::kSampler, sampler))
    call.tracker().objects().NewPlain(call, ObjectKind::kSampler, HandleOf(sampler), context_);
}

void clCreateSampler::Before(ClCall& call, cl_context context, cl_bool normalized,
                             cl_addressing_mode addressing, cl_filter_mode filter, cl_int*) {
  context_ = UseContext(call, context);
  const auto reason = [&](auto... words) {
    call.FailureReason(absl::StrCat(words..., " (OpenCL 3.0 §5.7.1)"));
  };
  if (normalized != CL_TRUE && normalized != CL_FALSE) {
    reason("normalized_coords is ", normalized, ", neither CL_TRUE nor CL_FALSE");
  } else if (addressing < CL_ADDRESS_NONE || addressing > CL_ADDRESS_MIRRORED_REPEAT) {
    reason("addressing_mode 0x", absl::Hex(addressing), " is no addressing mode");
  } else if (filter != CL_FILTER_NEAREST && filter != CL_FILTER_LINEAR) {
    reason("filter_mode 0x", absl::Hex(filter), " is no filter mode");
  } else if (addressing >= CL_ADDRESS_REPEAT && normalized == CL_FALSE) {
    reason("addressing_mode is a repeat mode, but normalized_coords is CL_FALSE");
  }
}

// --- programs

void ProgramHandler::After(ClCall& call, cl_program program) {
  if (Created(call, ObjectKind::kProgram, program)) AdoptProgram(call, context_, program, false);
}

void clCreateProgramWithSource::Before(ClCall& call, cl_context context, cl_uint count,
                                       const char** strings, const size_t* lengths, cl_int*) {
  context_ = UseContext(call, context);
  if (count == 0) return;
  CheckPointer(call, strings, "strings");
  if (strings != nullptr) CheckSourceStrings(call, count, strings, lengths);
}

void clCreateProgramWithSource::After(ClCall& call, cl_program program, cl_context, cl_uint count,
                                      const char** strings, const size_t* lengths, cl_int*) {
  if (Created(call, ObjectKind::kProgram, program))
    KeepSource(AdoptProgram(call, context_, program, true), count, strings, lengths);
}

void clCreateProgramWithBinary::Before(ClCall& call, cl_context context, cl_uint count,
                                       const cl_device_id*, const size_t* lengths,
                                       const unsigned char** binaries, cl_int*, cl_int*) {
  context_ = UseContext(call, context);
  if (count == 0) return;
  CheckPointer(call, lengths, "lengths");
  CheckPointer(call, binaries, "binaries");
  CheckBinaries(call, count, lengths, binaries);
}

void clCreateProgramWithBinary::After(ClCall& call, cl_program program) {
  if (Created(call, ObjectKind::kProgram, program))
    KeepBinary(AdoptProgram(call, context_, program, false));
}

void clCreateProgramWithIL::After(ClCall& call, cl_program program, cl_context, const void* il,
                                  size_t length, cl_int*) {
  if (Created(call, ObjectKind::kProgram, program))
    KeepIl(AdoptProgram(call, context_, program, false), il, length);
}

void CompileHandler::AddArgumentInfo(ClCall& call, cl_program program, bool notifies,
                                     const char*& options) {
  program_ = UseProgram(call, program);
  program_options_ = options;
  if (!notifies) options_ = WithArgumentInfo(program_, options);
  if (program_ != nullptr) program_->text = options != nullptr ? options : "";
  if (!options_.empty()) options = options_.c_str();
}

bool CompileHandler::NeedsProgramOptions(cl_int code) const {
  return !options_.empty() &&
         (code == CL_INVALID_BUILD_OPTIONS || code == CL_INVALID_COMPILER_OPTIONS ||
          code == CL_BUILD_PROGRAM_FAILURE || code == CL_COMPILE_PROGRAM_FAILURE);
}

void clBuildProgram::Before(ClCall& call, cl_program program, cl_uint, const cl_device_id*,
                            const char*& options, ProgramNotify& notify, void*& user_data) {
  if (notify == nullptr) CheckMayBlock(call);
  AddArgumentInfo(call, program, notify != nullptr, options);
  WrapProgramNotify(notify, user_data).Replace(notify, user_data);
}

void clBuildProgram::After(ClCall& call, cl_int& code, cl_program program, cl_uint num_devices,
                           const cl_device_id* devices, const char*, ProgramNotify notify,
                           void* user_data) {
  if (NeedsProgramOptions(code)) {
    code = GPUSAN_NEXT(call, clBuildProgram)(program, num_devices, devices, program_options(),
                                             notify, user_data);
  }
  if (code == CL_INVALID_OPERATION) call.FailureReason(KernelsReason(call, program_));
  if ((num_devices == 0) != (devices == nullptr)) {
    call.FailureReason(absl::StrCat("num_devices is ", num_devices, ", but device_list is ",
                                    devices == nullptr ? "" : "not ", "NULL (OpenCL 3.0 §5.8.4)"));
  }
  if (code == CL_BUILD_PROGRAM_FAILURE)
    call.FailureFact(BuildLogText(call, program, num_devices, devices));
  if (code != CL_SUCCESS || program_ == nullptr) return;
  AnalyseChangeable(call, program_);
  NoteBuild(call, *program_, num_devices, devices);
}

void clCompileProgram::Before(ClCall& call, cl_program program, cl_uint, const cl_device_id*,
                              const char*& options, cl_uint num_headers, const cl_program* headers,
                              const char** names, ProgramNotify& notify, void*& user_data) {
  if (notify == nullptr) CheckMayBlock(call);
  AddArgumentInfo(call, program, notify != nullptr, options);
  if (num_headers != 0) {
    CheckPointer(call, headers, "input_headers");
    CheckPointer(call, names, "header_include_names");
  }
  UsePrograms(call, program_, num_headers, headers, "input_headers");
  for (cl_uint i = 0; names != nullptr && i < num_headers; ++i) {
    if (names[i] == nullptr)
      CheckPointer(call, nullptr, absl::StrCat("header_include_names[", i, "]").c_str());
  }
  WrapProgramNotify(notify, user_data).Replace(notify, user_data);
}

void clCompileProgram::After(ClCall& call, cl_int& code, cl_program program, cl_uint num_devices,
                             const cl_device_id* devices, const char*, cl_uint num_headers,
                             const cl_program* headers, const char** names, ProgramNotify notify,
                             void* user_data) {
  if (NeedsProgramOptions(code)) {
    code = GPUSAN_NEXT(call, clCompileProgram)(program, num_devices, devices, program_options(),
                                               num_headers, headers, names, notify, user_data);
  }
  KeepHeaders(call, program_, num_headers, headers, names);
  if (code == CL_COMPILE_PROGRAM_FAILURE)
    call.FailureFact(BuildLogText(call, program, num_devices, devices));
}

void clLinkProgram::Before(ClCall& call, cl_context context, cl_uint, const cl_device_id*,
                           const char*, cl_uint num_programs, const cl_program* programs,
                           ProgramNotify& notify, void*& user_data, cl_int*) {
  if (notify == nullptr) CheckMayBlock(call);
  context_ = UseContext(call, context);
  if (num_programs != 0) CheckPointer(call, programs, "input_programs");
  UsePrograms(call, nullptr, num_programs, programs, "input_programs");
  WrapProgramNotify(notify, user_data).Replace(notify, user_data);
}

void clLinkProgram::After(ClCall& call, cl_program linked, cl_context, cl_uint num_devices,
                          const cl_device_id* devices, const char* options, cl_uint num_programs,
                          const cl_program* programs, ProgramNotify, void*, cl_int*) {
  if (call.code() == CL_LINK_PROGRAM_FAILURE)
    call.FailureFact(BuildLogText(call, linked, num_devices, devices));
  if (linked == nullptr) return;
  KeepLinked(call, AdoptProgram(call, context_, linked, false), options, num_programs, programs);
  // A failed link may still return a program, which has the log. For the wrapper, a call that
  // returns an object has succeeded.
  call.Done(call.code());
}

void clGetProgramBuildInfo::Before(ClCall& call, cl_program program, cl_device_id device,
                                   cl_program_build_info param_name, size_t& size, void*& value,
                                   size_t*& size_ret) {
  call.IgnoreFailure();
  PlainObject* shadow = UseProgram(call, program);
  if (shadow != nullptr && param_name != CL_PROGRAM_BUILD_OPTIONS)
    CheckQueryBlock<&cl_icd_dispatch::clGetProgramBuildInfo>(call, program, device, param_name,
                                                             size, value, size_ret);
  if (param_name != CL_PROGRAM_BUILD_OPTIONS || shadow == nullptr || !shadow->from_source ||
      !CurrentHooks().kernel_arg_info)
    return;
  program_ = shadow;
  options_.resize(shadow->text.size() + sizeof(kArgumentInfo) + 64);
  size_ = std::exchange(size, options_.size());
  value_ = std::exchange(value, options_.data());
  size_ret_ = std::exchange(size_ret, nullptr);
}

void clGetProgramBuildInfo::After(ClCall& call, cl_int& code, cl_program program,
                                  cl_device_id device, cl_program_build_info param_name, size_t,
                                  void*, size_t*) {
  if (program_ == nullptr) return;
  const std::string& options = program_->text;
  if (code != CL_SUCCESS || WithArgumentInfo(program_, options.c_str()) != options_.data()) {
    code = GPUSAN_NEXT(call, clGetProgramBuildInfo)(program, device, param_name, size_, value_,
                                                    size_ret_);
  } else if (value_ != nullptr && size_ < options.size() + 1) {
    code = CL_INVALID_VALUE;
  } else {
    if (value_ != nullptr) std::memcpy(value_, options.c_str(), options.size() + 1);
    if (size_ret_ != nullptr) *size_ret_ = options.size() + 1;
  }
}

void clSetProgramReleaseCallback::Before(ClCall& call, cl_program program, ProgramNotify& notify,
                                         void*& user_data) {
  UseProgram(call, program);
  wrapped_ = WrapProgramNotify(notify, user_data);
  wrapped_.Replace(notify, user_data);
}

void clSetProgramReleaseCallback::After(ClCall&, cl_int code) {
  if (code != CL_SUCCESS) wrapped_.Discard();
}

}  // namespace handlers
}  // namespace gpusan::opencl
