// Handlers that create and configure contexts, queues, samplers and programs, and the retains and
// releases of all core objects.
#pragma once

#include <string>
#include <vector>

#include "hooks/opencl/call/callbacks.h"
#include "hooks/opencl/objects/references.h"
#include "hooks/opencl/objects/use_objects.h"
#include "hooks/opencl/words/extension_types.h"

namespace gpusan::opencl::handlers {

#define GPUSAN_RETAIN_RELEASE(Name)          \
  struct clRetain##Name : RetainHandler {    \
    BeforeOf<cl_api_clRetain##Name> Before;  \
  };                                         \
  struct clRelease##Name : ReleaseHandler {  \
    BeforeOf<cl_api_clRelease##Name> Before; \
  };
GPUSAN_RETAIN_RELEASE(Context)
GPUSAN_RETAIN_RELEASE(CommandQueue)
GPUSAN_RETAIN_RELEASE(MemObject)
GPUSAN_RETAIN_RELEASE(Sampler)
GPUSAN_RETAIN_RELEASE(Program)
GPUSAN_RETAIN_RELEASE(Kernel)
GPUSAN_RETAIN_RELEASE(Event)
#undef GPUSAN_RETAIN_RELEASE

// --- contexts

struct clCreateContext {
  void Before(ClCall& call, const cl_context_properties* properties, cl_uint num_devices,
              const cl_device_id* devices, ContextNotify& notify, void*& user_data,
              cl_int* errcode_ret);
  AfterOf<cl_api_clCreateContext> After;
};

// A failure is no finding, because programs query by this call whether devices of a type exist.
struct clCreateContextFromType {
  void Before(ClCall& call, const cl_context_properties* properties, cl_device_type device_type,
              ContextNotify& notify, void*& user_data, cl_int* errcode_ret);
  void After(ClCall& call, cl_context context);
};

struct clSetContextDestructorCallback {
  void Before(ClCall& call, cl_context context, ContextDestructor& notify, void*& user_data);
  void After(ClCall& call, cl_int code);

 private:
  WrappedCallback<ContextDestructor> wrapped_;
};

#ifdef cl_khr_terminate_context
struct clTerminateContextKHR {
  BeforeOf<clTerminateContextKHR_fn> Before;
};
#endif

// --- queues

struct clCreateCommandQueue {
  BeforeOf<cl_api_clCreateCommandQueue> Before;
  AfterOf<cl_api_clCreateCommandQueue> After;
};

struct clCreateCommandQueueWithProperties {
  BeforeOf<cl_api_clCreateCommandQueueWithProperties> Before;
  AfterOf<cl_api_clCreateCommandQueueWithProperties> After;
};

struct clSetCommandQueueProperty {
  BeforeOf<cl_api_clSetCommandQueueProperty> Before;
  AfterOf<cl_api_clSetCommandQueueProperty> After;

 private:
  Queue* queue_ = nullptr;
};

// --- samplers

// The base of the handlers that create a sampler.
struct SamplerHandler : InContext {
  void After(ClCall& call, cl_sampler sampler);
};

struct clCreateSampler : SamplerHandler {
  BeforeOf<cl_api_clCreateSampler> Before;
};

struct clCreateSamplerWithProperties : SamplerHandler {};

// --- programs

// The base of the handlers that create a program.
struct ProgramHandler : InContext {
  void After(ClCall& call, cl_program program);
};

struct clCreateProgramWithSource : ProgramHandler {
  BeforeOf<cl_api_clCreateProgramWithSource> Before;
  AfterOf<cl_api_clCreateProgramWithSource> After;
};

struct clCreateProgramWithBinary : ProgramHandler {
  BeforeOf<cl_api_clCreateProgramWithBinary> Before;
  void After(ClCall& call, cl_program program);
};

struct clCreateProgramWithBuiltInKernels : ProgramHandler {};

struct clCreateProgramWithIL : ProgramHandler {
  AfterOf<cl_api_clCreateProgramWithIL> After;
};

// The base of the handlers that compile a program: they add -cl-kernel-arg-info to its options.
class CompileHandler {
 protected:
  // Replaces the options by those with the addition, if there is one. `notifies`: the call has a
  // callback, so nothing is added: an attempt that fails would call it, and it must run only once.
  void AddArgumentInfo(ClCall& call, cl_program program, bool notifies, const char*& options);
  // Returns whether the call failed, maybe because of the added option, so that the program's
  // options must be tried: NVIDIA's compiler rejects kernels without parameters if it is set.
  bool NeedsProgramOptions(cl_int code) const;
  const char* program_options() const { return program_options_; }

  PlainObject* program_ = nullptr;

 private:
  const char* program_options_ = nullptr;
  std::string options_;  // empty: nothing was added
};

struct clBuildProgram : CompileHandler {
  void Before(ClCall& call, cl_program program, cl_uint num_devices, const cl_device_id* devices,
              const char*& options, ProgramNotify& notify, void*& user_data);
  void After(ClCall& call, cl_int& code, cl_program program, cl_uint num_devices,
             const cl_device_id* devices, const char* options, ProgramNotify notify,
             void* user_data);
};

struct clCompileProgram : CompileHandler {
  void Before(ClCall& call, cl_program program, cl_uint num_devices, const cl_device_id* devices,
              const char*& options, cl_uint num_headers, const cl_program* headers,
              const char** names, ProgramNotify& notify, void*& user_data);
  void After(ClCall& call, cl_int& code, cl_program program, cl_uint num_devices,
             const cl_device_id* devices, const char* options, cl_uint num_headers,
             const cl_program* headers, const char** names, ProgramNotify notify, void* user_data);
};

struct clLinkProgram {
  void Before(ClCall& call, cl_context context, cl_uint num_devices, const cl_device_id* devices,
              const char* options, cl_uint num_programs, const cl_program* programs,
              ProgramNotify& notify, void*& user_data, cl_int* errcode_ret);
  AfterOf<cl_api_clLinkProgram> After;

 private:
  Object* context_ = nullptr;
};

// The program gets its own options, without the one that gpusan added.
struct clGetProgramBuildInfo {
  void Before(ClCall& call, cl_program program, cl_device_id device,
              cl_program_build_info param_name, size_t& size, void*& value, size_t*& size_ret);
  void After(ClCall& call, cl_int& code, cl_program program, cl_device_id device,
             cl_program_build_info param_name, size_t size, void* value, size_t* size_ret);

 private:
  PlainObject* program_ = nullptr;  // nullptr: the call passes through unchanged
  std::vector<char> options_;       // what the driver returns
  // The arguments of the program.
  size_t size_ = 0;
  void* value_ = nullptr;
  size_t* size_ret_ = nullptr;
};

struct clSetProgramReleaseCallback {
  void Before(ClCall& call, cl_program program, ProgramNotify& notify, void*& user_data);
  void After(ClCall& call, cl_int code);

 private:
  WrappedCallback<ProgramNotify> wrapped_;
};

}  // namespace gpusan::opencl::handlers
