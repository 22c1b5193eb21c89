// Handlers of the pointers that kernels use: arguments that are addresses, and lists of pointers.
#include <CL/cl_ext.h>

#include <mutex>
#include <utility>

#include "hooks/opencl/kernels/kernels.h"
#include "hooks/opencl/objects/shared_memory.h"
#include "tracker/rules/faults/faulty_call.h"
#include "tracker/rules/rules.h"

namespace gpusan::opencl {
namespace {

// Returns whether the parameter is a list of shared pointers, of the core or of an extension.
bool NamesPointers(cl_kernel_exec_info param_name) {
  switch (param_name) {
    case CL_KERNEL_EXEC_INFO_SVM_PTRS:
#ifdef cl_arm_shared_virtual_memory
    case CL_KERNEL_EXEC_INFO_SVM_PTRS_ARM:
#endif
#ifdef cl_intel_unified_shared_memory
    case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
#endif
      return true;
    default:
      return false;
  }
}

// Drivers accept lists that are NULL or end inside of a pointer. An empty list is not checked.
void CheckPointerList(ClCall& call, const Kernel& kernel, size_t size, const void* value) {
  const bool null = value == nullptr && size != 0;
  if (!null && size % sizeof(void*) == 0) return;
  using rules::CallFault;
  rules::OnFaultyCall(
      {null ? CallFault::kNoPointerList : CallFault::kPointerListSize,
       {{"param_value_size", uint64_t{size}}, {"pointer_bytes", uint64_t{sizeof(void*)}}},
       &kernel},
      call);
}

}  // namespace

namespace handlers {

void clSetKernelArgSVMPointer::Before(ClCall& call, cl_kernel kernel, cl_uint, const void* value) {
  kernel_ = UseKernel(call, kernel);
  if (kernel_ != nullptr) use_.BeginAlone(call, *kernel_, KernelUse::kSetsEqual);
  if (value == nullptr) return;
  resource_ = call.tracker().objects().FindAddress(HandleOf(value), &offset_);
  if (resource_ == nullptr && kernel_ != nullptr &&
      MustBeAllocated(call, kernel_->context, value, 1))
    call.tracker().pointers().CheckSharedPointer(call, HandleOf(value), 1, "arg_value");
}

void clSetKernelArgSVMPointer::After(ClCall&, cl_int code, cl_kernel, cl_uint index,
                                     const void* value) {
  if (code != CL_SUCCESS || kernel_ == nullptr || index >= kernel_->arguments.size()) return;
  KernelArgument& argument = kernel_->arguments[index];
  argument.set = true;
  argument.svm = true;
  argument.offset = offset_;
  argument.value = HandleOf(value);
  argument.value_bytes = sizeof(argument.value);
  argument.resource = WeakRef<Resource>(resource_);
}

void clSetKernelArgDevicePointerEXT::Before(ClCall& call, cl_kernel kernel, cl_uint, cl_ulong) {
  kernel_ = UseKernel(call, kernel);
  if (kernel_ != nullptr) use_.BeginAlone(call, *kernel_, KernelUse::kSetsEqual);
}

void clSetKernelArgDevicePointerEXT::After(ClCall&, cl_int code, cl_kernel, cl_uint index,
                                           cl_ulong) {
  if (code != CL_SUCCESS || kernel_ == nullptr || index >= kernel_->arguments.size()) return;
  // A device address: gpusan does not know the buffer that contains it.
  KernelArgument& argument = kernel_->arguments[index];
  argument.set = true;
  argument.svm = false;
  argument.value = 1;
  argument.resource = WeakRef<Resource>();
}

void clSetKernelExecInfo::Before(ClCall& call, cl_kernel kernel, cl_kernel_exec_info param_name,
                                 size_t size, const void* value) {
  kernel_ = UseKernel(call, kernel);
  if (kernel_ != nullptr) use_.BeginAlone(call, *kernel_, KernelUse::kSetsEqual);
  names_pointers_ = NamesPointers(param_name);
  if (!names_pointers_ || kernel_ == nullptr) return;
  CheckPointerList(call, *kernel_, size, value);
  if (value == nullptr) return;
  const auto* pointers = static_cast<void* const*>(value);
  for (size_t i = 0; i < size / sizeof(void*); ++i) {
    uint64_t offset = 0;
    Resource* resource = call.tracker().objects().FindAddress(HandleOf(pointers[i]), &offset);
    if (resource != nullptr) {
      indirect_.emplace_back(resource);
    } else if (pointers[i] != nullptr && MustBeAllocated(call, kernel_->context, pointers[i], 1)) {
      call.tracker().pointers().CheckSharedPointer(call, HandleOf(pointers[i]), 1, "param_value");
    }
  }
}

void clSetKernelExecInfo::After(ClCall&, cl_int code) {
  if (code != CL_SUCCESS || kernel_ == nullptr || !names_pointers_) return;
  std::lock_guard lock(kernel_->lock);
  kernel_->indirect = std::move(indirect_);
}

}  // namespace handlers
}  // namespace gpusan::opencl
