// Handlers of kernels: their creation, parameter information and arguments.
#pragma once

#include <vector>

#include "hooks/opencl/kernels/kernel_uses.h"
#include "hooks/opencl/objects/use_objects.h"
#include "hooks/opencl/words/extension_types.h"
#include "tracker/rules/faults/faulty_call.h"

namespace gpusan::opencl::handlers {

struct clCreateKernel {
  BeforeOf<cl_api_clCreateKernel> Before;
  AfterOf<cl_api_clCreateKernel> After;

 private:
  PlainObject* program_ = nullptr;
};

struct clCreateKernelsInProgram {
  void Before(ClCall& call, cl_program program, cl_uint num_kernels, cl_kernel* kernels,
              cl_uint*& num_kernels_ret);
  AfterOf<cl_api_clCreateKernelsInProgram> After;

 private:
  PlainObject* program_ = nullptr;
  cl_uint created_ = 0;  // what the driver stores, because the program may pass NULL
  cl_uint* num_kernels_ret_ = nullptr;
};

struct clCloneKernel {
  BeforeOf<cl_api_clCloneKernel> Before;
  void After(ClCall& call, cl_kernel kernel);

 private:
  UseOfKernel use_;
  Kernel* original_ = nullptr;
};

// The fast path is for a known kernel and argument, and for a value that is correct.
struct clSetKernelArg {
  BeforeOf<cl_api_clSetKernelArg> Before;
  AfterOf<cl_api_clSetKernelArg> After;
  bool TryFast(ClCallStart& call, cl_kernel kernel, cl_uint index, size_t size, const void* value);
  bool TryFastAfter(ClCallStart&, cl_kernel, cl_uint, size_t size, const void* value) {
    Set(size, value);
    return true;
  }

 private:
  // Finds the kernel and the argument. Returns false if the call needs Before.
  [[gnu::always_inline]] bool FindFast(ClCallStart& call, cl_kernel kernel, cl_uint index,
                                       size_t size, const void* value);
  void Check(ClCall& call, cl_kernel kernel, cl_uint index, size_t size, const void* value);
  // Whether the value may be a memory object.
  bool MayBeMemory(size_t size, const void* value) const {
    return size == sizeof(cl_mem) && value != nullptr &&
           (argument_->kind == ArgumentKind::kMemory || argument_->kind == ArgumentKind::kUnknown);
  }
  // Returns whether the call changes the value of the argument; kSetsEqual if that is unknown.
  [[gnu::always_inline]] KernelUse Use(size_t size, const void* value) const;
  // Whether `size` is the size of the parameter. True for other parameters than values, and if the
  // type of the parameter is not known. `element_bytes` of a value is its own size.
  bool Fits(size_t size) const {
    return argument_->kind != ArgumentKind::kValue || argument_->element_bytes == 0 ||
           argument_->element_bytes == size;
  }
  // Reports the fault of the value: its shape, or its size, which the driver accepted.
  [[gnu::noinline]] void Report(ClCall& call, rules::CallFault fault, cl_kernel kernel,
                                cl_uint index, size_t size);
  void UseSampler(ClCall& call, uintptr_t handle);
  void Set(size_t size, const void* value);
  // The same for a sampler or local memory.
  [[gnu::noinline]] void SetUnusual(size_t size);

  Kernel* kernel_ = nullptr;
  KernelArgument* argument_ = nullptr;  // nullptr: the kernel or the index is not known
  Resource* resource_ = nullptr;        // that the argument names
  Object* sampler_ = nullptr;           // the same for a sampler
  UseOfKernel use_;
};

struct clSetKernelArgSVMPointer {
  BeforeOf<cl_api_clSetKernelArgSVMPointer> Before;
  AfterOf<cl_api_clSetKernelArgSVMPointer> After;

 private:
  UseOfKernel use_;
  Kernel* kernel_ = nullptr;
  Resource* resource_ = nullptr;
  uint64_t offset_ = 0;  // in the resource
};

struct clSetKernelArgDevicePointerEXT {
  BeforeOf<clSetKernelArgDevicePointerEXT_fn> Before;
  AfterOf<clSetKernelArgDevicePointerEXT_fn> After;

 private:
  UseOfKernel use_;
  Kernel* kernel_ = nullptr;
};

struct clSetKernelExecInfo {
  BeforeOf<cl_api_clSetKernelExecInfo> Before;
  void After(ClCall& call, cl_int code);

 private:
  UseOfKernel use_;
  Kernel* kernel_ = nullptr;
  bool names_pointers_ = false;
  std::vector<WeakRef<Resource>> indirect_;
};

}  // namespace gpusan::opencl::handlers
