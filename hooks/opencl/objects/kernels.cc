// Handlers of kernels: parameter information and arguments.
#include <CL/cl_ext.h>

#include <cstring>
#include <string>
#include <string_view>

#include "hooks/opencl/call/extension_handlers.h"
#include "hooks/opencl/objects/shared_memory.h"
#include "hooks/opencl/objects/use_objects.h"

namespace gpusan::opencl {
namespace {

// Returns the bytes of an OpenCL C element type without its '*'; 0 if it is not a built-in scalar
// or vector.
uint16_t ElementBytes(std::string_view type) {
  static constexpr struct {
    std::string_view name;
    uint16_t bytes;
  } kScalars[] = {{"uchar", 1}, {"char", 1}, {"ushort", 2}, {"short", 2},
                  {"half", 2},  {"uint", 4}, {"int", 4},    {"float", 4},
                  {"ulong", 8}, {"long", 8}, {"double", 8}};
  for (const auto& scalar : kScalars) {
    if (type.substr(0, scalar.name.size()) != scalar.name) continue;
    const std::string_view width = type.substr(scalar.name.size());
    if (width.empty()) return scalar.bytes;
    if (width == "2") return scalar.bytes * 2;
    if (width == "3" || width == "4") return scalar.bytes * 4;
    if (width == "8") return scalar.bytes * 8;
    if (width == "16") return scalar.bytes * 16;
    return 0;
  }
  return 0;
}

bool IsInteger(std::string_view type) {
  for (std::string_view name :
       {"uchar", "char", "ushort", "short", "uint", "int", "ulong", "long", "size_t", "bool",
        "unsigned int", "unsigned char", "unsigned short", "unsigned long"}) {
    if (type == name) return true;
  }
  return false;
}

// Queries the declaration of a parameter. Returns false if the driver has no information, because
// the program was built without -cl-kernel-arg-info: then the parameter stays unknown.
bool AskParameter(ClCall& call, cl_kernel kernel, cl_uint index, KernelArgument* argument,
                  std::string* name) {
  const auto get = GPUSAN_NEXT(call, clGetKernelArgInfo);
  cl_kernel_arg_address_qualifier address = 0;
  if (get == nullptr || get(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(address),
                            &address, nullptr) != CL_SUCCESS) {
    return false;
  }
  cl_kernel_arg_access_qualifier access = CL_KERNEL_ARG_ACCESS_NONE;
  cl_kernel_arg_type_qualifier type_qualifier = CL_KERNEL_ARG_TYPE_NONE;
  char text[128] = {};
  get(kernel, index, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof(access), &access, nullptr);
  get(kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof(type_qualifier), &type_qualifier,
      nullptr);
  if (get(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof(text) - 1, text, nullptr) != CL_SUCCESS)
    text[0] = '\0';
  char parameter_name[128] = {};
  if (get(kernel, index, CL_KERNEL_ARG_NAME, sizeof(parameter_name) - 1, parameter_name, nullptr) ==
      CL_SUCCESS) {
    *name = parameter_name;
  }
  std::string_view type = text;
  if (access != CL_KERNEL_ARG_ACCESS_NONE) {
    argument->kind = ArgumentKind::kMemory;
    argument->direction = access == CL_KERNEL_ARG_ACCESS_READ_ONLY    ? Direction::kRead
                          : access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY ? Direction::kWrite
                                                                      : Direction::kReadWrite;
    return true;
  }
  switch (address) {
    case CL_KERNEL_ARG_ADDRESS_LOCAL:
      argument->kind = ArgumentKind::kLocal;
      return true;
    case CL_KERNEL_ARG_ADDRESS_GLOBAL:
    case CL_KERNEL_ARG_ADDRESS_CONSTANT: {
      argument->kind = ArgumentKind::kMemory;
      const bool constant = address == CL_KERNEL_ARG_ADDRESS_CONSTANT ||
                            (type_qualifier & CL_KERNEL_ARG_TYPE_CONST) != 0;
      argument->direction = constant ? Direction::kRead : Direction::kUnknown;
      while (!type.empty() && (type.back() == '*' || type.back() == ' ')) type.remove_suffix(1);
      argument->element_bytes = ElementBytes(type);
      return true;
    }
    default:
      break;
  }
  if (type == "sampler_t") {
    argument->kind = ArgumentKind::kSampler;
  } else if (type == "queue_t") {
    argument->kind = ArgumentKind::kQueue;
  } else if (type.substr(0, 5) == "image") {
    // The driver does not report the access qualifier of the image.
    argument->kind = ArgumentKind::kMemory;
  } else {
    argument->kind = ArgumentKind::kValue;
    argument->integral = IsInteger(type);
  }
  return true;
}

void AdoptKernel(ClCall& call, PlainObject* program, cl_kernel kernel, const char* name) {
  Kernel* shadow = call.tracker().NewKernel(
      call, HandleOf(kernel), program != nullptr ? program->context : nullptr, program, name);
  const auto get = GPUSAN_NEXT(call, clGetKernelInfo);
  cl_uint count = 0;
  if (get == nullptr ||
      get(kernel, CL_KERNEL_NUM_ARGS, sizeof(count), &count, nullptr) != CL_SUCCESS)
    return;
  shadow->arguments.resize(count);
  shadow->argument_names.resize(count);
  shadow->has_argument_info = true;
  for (cl_uint i = 0; i < count; ++i) {
    if (!AskParameter(call, kernel, i, &shadow->arguments[i], &shadow->argument_names[i])) {
      shadow->has_argument_info = false;
      break;
    }
  }
}

}  // namespace

cl_kernel Handle_clCreateKernel(ClCall& call, cl_api_clCreateKernel next, cl_program program,
                                const char* name, cl_int* errcode_ret) {
  auto* owner = static_cast<PlainObject*>(
      call.tracker().Use(call, HandleOf(program), MaskOf(ObjectKind::kProgram), "program"));
  call.BeforeReal();
  cl_int code = CL_SUCCESS;
  cl_kernel kernel = next(program, name, &code);
  if (errcode_ret != nullptr) *errcode_ret = code;
  if (kernel != nullptr) {
    AdoptKernel(call, owner, kernel, name);
  } else {
    if (name != nullptr) call.FailureFact(absl::StrCat("the requested kernel is \"", name, "\""));
    call.tracker().NoteFailedCreation(call, ObjectKind::kKernel, code, 0);
  }
  call.Done(kernel != nullptr ? CL_SUCCESS : code);
  return kernel;
}

cl_int Handle_clCreateKernelsInProgram(ClCall& call, cl_api_clCreateKernelsInProgram next,
                                       cl_program program, cl_uint num_kernels, cl_kernel* kernels,
                                       cl_uint* num_kernels_ret) {
  auto* owner = static_cast<PlainObject*>(
      call.tracker().Use(call, HandleOf(program), MaskOf(ObjectKind::kProgram), "program"));
  call.BeforeReal();
  cl_uint made = 0;
  const cl_int code = next(program, num_kernels, kernels, &made);
  if (num_kernels_ret != nullptr) *num_kernels_ret = made;
  const auto get = GPUSAN_NEXT(call, clGetKernelInfo);
  for (cl_uint i = 0; code == CL_SUCCESS && kernels != nullptr && i < made && i < num_kernels;
       ++i) {
    char name[256] = {};
    if (get == nullptr ||
        get(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof(name) - 1, name, nullptr) != CL_SUCCESS) {
      name[0] = '\0';
    }
    AdoptKernel(call, owner, kernels[i], name);
  }
  return call.Done(code);
}

cl_kernel Handle_clCloneKernel(ClCall& call, cl_api_clCloneKernel next, cl_kernel source,
                               cl_int* errcode_ret) {
  Kernel* original = UseKernel(call, source);
  call.BeforeReal();
  cl_int code = CL_SUCCESS;
  cl_kernel kernel = next(source, &code);
  if (errcode_ret != nullptr) *errcode_ret = code;
  if (kernel != nullptr && original != nullptr) {
    auto* program = static_cast<PlainObject*>(original->program.get());
    Kernel* clone = call.tracker().NewKernel(call, HandleOf(kernel), original->context, program,
                                             original->name);
    std::lock_guard lock(original->lock);
    clone->arguments = original->arguments;
    clone->argument_names = original->argument_names;
    clone->indirect = original->indirect;
    clone->has_argument_info = original->has_argument_info;
  } else if (kernel == nullptr) {
    call.tracker().NoteFailedCreation(call, ObjectKind::kKernel, code, 0);
  }
  call.Done(kernel != nullptr ? CL_SUCCESS : code);
  return kernel;
}

cl_int Handle_clSetKernelArg(ClCall& call, cl_api_clSetKernelArg next, cl_kernel kernel,
                             cl_uint index, size_t size, const void* value) {
  Kernel* shadow = UseKernel(call, kernel);
  KernelArgument* argument =
      shadow != nullptr && index < shadow->arguments.size() ? &shadow->arguments[index] : nullptr;
  Resource* resource = nullptr;
  if (argument != nullptr && size == sizeof(cl_mem) && value != nullptr &&
      (argument->kind == ArgumentKind::kMemory || argument->kind == ArgumentKind::kUnknown)) {
    uintptr_t handle;
    std::memcpy(&handle, value, sizeof(handle));
    if (argument->kind == ArgumentKind::kMemory) {
      if (handle != 0) {
        resource =
            static_cast<Resource*>(call.tracker().Use(call, handle, kAnyMemory, "arg_value"));
        if (resource != nullptr && resource->context != shadow->context) [[unlikely]] {
          call.tracker().CheckContext(call, resource, shadow, "arg_value");
        }
      }
    } else if (Object* object = call.tracker().Find(Api::kOpenCL, handle);
               object != nullptr && object->live()) {
      // For an unknown parameter, eight bytes that equal a live handle count as that handle.
      if (object->is_memory()) resource = static_cast<Resource*>(object);
    }
  }
  call.BeforeReal();
  const cl_int code = next(kernel, index, size, value);
  if (code == CL_SUCCESS && argument != nullptr) [[likely]] {
    argument->set = true;
    argument->svm = false;
    argument->offset = 0;
    argument->resource = WeakRef<Resource>(resource);
    if (resource == nullptr && value != nullptr && size <= sizeof(argument->value)) {
      argument->value = 0;
      std::memcpy(&argument->value, value, size);
    } else {
      argument->value = 1;  // a structure: not an integer that is known to be 0
    }
    return call.Done(code);
  }
  if (shadow != nullptr) {
    call.FailureFact(
        argument != nullptr
            ? absl::StrCat("argument ", index, " of kernel \"", shadow->name, "\", arg_size ", size)
            : absl::StrCat("kernel \"", shadow->name, "\" has ", shadow->arguments.size(),
                           " arguments, arg_index is ", index));
  }
  return call.Done(code);
}

cl_int Handle_clSetKernelArgSVMPointer(ClCall& call, cl_api_clSetKernelArgSVMPointer next,
                                       cl_kernel kernel, cl_uint index, const void* value) {
  Kernel* shadow = UseKernel(call, kernel);
  uint64_t offset = 0;
  Resource* resource =
      value != nullptr ? call.tracker().FindAddress(HandleOf(value), &offset) : nullptr;
  if (value != nullptr && resource == nullptr && shadow != nullptr &&
      !SharesAllHostMemory(call, shadow->context)) {
    call.tracker().CheckSharedPointer(call, HandleOf(value), 1, "arg_value");
  }
  call.BeforeReal();
  const cl_int code = next(kernel, index, value);
  if (code == CL_SUCCESS && shadow != nullptr && index < shadow->arguments.size()) {
    KernelArgument& argument = shadow->arguments[index];
    argument.set = true;
    argument.svm = true;
    argument.offset = offset;
    argument.value = 0;
    argument.resource = WeakRef<Resource>(resource);
  }
  return call.Done(code);
}

cl_int Handle_clSetKernelArgDevicePointerEXT(ClCall& call, clSetKernelArgDevicePointerEXT_fn next,
                                             cl_kernel kernel, cl_uint index, cl_ulong address) {
  Kernel* shadow = UseKernel(call, kernel);
  call.BeforeReal();
  const cl_int code = next(kernel, index, address);
  if (code == CL_SUCCESS && shadow != nullptr && index < shadow->arguments.size()) {
    // A device address: gpusan does not know the buffer that contains it.
    KernelArgument& argument = shadow->arguments[index];
    argument.set = true;
    argument.svm = false;
    argument.value = 1;
    argument.resource = WeakRef<Resource>();
  }
  return call.Done(code);
}

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

}  // namespace

cl_int Handle_clSetKernelExecInfo(ClCall& call, cl_api_clSetKernelExecInfo next, cl_kernel kernel,
                                  cl_kernel_exec_info param_name, size_t size, const void* value) {
  Kernel* shadow = UseKernel(call, kernel);
  std::vector<WeakRef<Resource>> indirect;
  const bool names_pointers = NamesPointers(param_name);
  if (names_pointers && value != nullptr && shadow != nullptr) {
    const auto* pointers = static_cast<void* const*>(value);
    for (size_t i = 0; i < size / sizeof(void*); ++i) {
      uint64_t offset = 0;
      Resource* resource = call.tracker().FindAddress(HandleOf(pointers[i]), &offset);
      if (resource != nullptr) {
        indirect.emplace_back(resource);
      } else if (pointers[i] != nullptr && !SharesAllHostMemory(call, shadow->context)) {
        call.tracker().CheckSharedPointer(call, HandleOf(pointers[i]), 1, "param_value");
      }
    }
  }
  call.BeforeReal();
  const cl_int code = next(kernel, param_name, size, value);
  if (code == CL_SUCCESS && shadow != nullptr && names_pointers) {
    std::lock_guard lock(shadow->lock);
    shadow->indirect = std::move(indirect);
  }
  return call.Done(code);
}

}  // namespace gpusan::opencl
