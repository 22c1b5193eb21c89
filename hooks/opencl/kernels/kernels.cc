// Handlers of kernels: parameter information and arguments that are values or handles.
#include "hooks/opencl/kernels/kernels.h"

#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_split.h"
#include "hooks/common/sites/python.h"
#include "hooks/opencl/programs/build_log.h"
#include "hooks/opencl/programs/partial_builds.h"
#include "hooks/opencl/programs/program_source.h"
#include "tracker/calls/kept_launches.h"
#include "tracker/rules/rules.h"

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

// `type` is that of an image: image1d_buffer_t, image2d_array_t and the like.
void SetImageShape(std::string_view type, KernelArgument* argument) {
  argument->image = true;
  if (type.size() < 8 || !type.starts_with("image") || type[6] != 'd' || type[5] < '1' ||
      type[5] > '3')
    return;
  argument->image_array = type.find("_array") != std::string_view::npos;
  argument->image_dimensions =
      static_cast<uint8_t>(type[5] - '0' + (argument->image_array ? 1 : 0));
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
  // A pointer is no image, whatever the driver reports.
  if (access != CL_KERNEL_ARG_ACCESS_NONE && (type.empty() || type.back() != '*')) {
    argument->kind = ArgumentKind::kMemory;
    SetImageShape(type, argument);
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
    SetImageShape(type, argument);
  } else {
    argument->kind = ArgumentKind::kValue;
    argument->integral = IsInteger(type);
    argument->element_bytes = ElementBytes(type);
  }
  return true;
}

void AdoptKernel(ClCall& call, PlainObject* program, cl_kernel kernel, const char* name) {
  Kernel* shadow = call.tracker().objects().NewKernel(
      call, HandleOf(kernel), program != nullptr ? program->context : nullptr, program, name);
  NotePartialBuild(*shadow);
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
    if (shadow->arguments[i].image) ++shadow->images;
  }
  AttachSummary(call, program, shadow);
  if (shadow->summary == nullptr || !shadow->has_argument_info) return;
  for (cl_uint i = 0; i < count; ++i) {
    KernelArgument& argument = shadow->arguments[i];
    const uint32_t bytes = shadow->summary->parameters[i].value_bytes;
    if (argument.kind == ArgumentKind::kValue && argument.element_bytes == 0 && bytes <= UINT16_MAX)
      argument.element_bytes = static_cast<uint16_t>(bytes);
  }
  for (const DerivedNumber& number : shadow->summary->derived) {
    const std::optional<ArgumentField> field = FieldOf(number);
    if (!field || field->argument >= count) continue;
    KernelArgument& argument = shadow->arguments[field->argument];
    if (argument.kind == ArgumentKind::kValue &&
        shadow->summary->parameters[field->argument].value_bytes > sizeof(argument.value))
      argument.large.Reserve(field->end);
  }
}

// Returns the name of the parameter's type; empty if the driver has none.
std::string TypeName(ClCall& call, cl_kernel kernel, cl_uint index) {
  const auto get = GPUSAN_NEXT(call, clGetKernelArgInfo);
  char type[128] = {};
  if (get == nullptr ||
      get(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof(type) - 1, type, nullptr) != CL_SUCCESS) {
    return "";
  }
  return type;
}

// Returns why `size` is not the size of the parameter, which is `bytes` if it is a value of known
// size; empty if its type is not known.
std::string SizeReason(ClCall& call, cl_kernel kernel, cl_uint index, size_t size, uint64_t bytes) {
  const std::string type = TypeName(call, kernel, index);
  if (type.empty()) return "";
  const std::string_view name = type;
  uint64_t needed = bytes;
  const bool memory = !name.empty() && (name.back() == '*' || name.starts_with("image"));
  if (memory || name == "sampler_t") needed = sizeof(cl_mem);
  return absl::StrCat("arg_size ", size, " is not the size of the parameter, which is declared ",
                      type, needed != 0 ? absl::StrCat(": ", needed, " B") : "",
                      " (OpenCL 3.0 §5.9.2)");
}

// Returns a text with the kernels of the program; empty if the driver does not list them.
std::string KernelsText(ClCall& call, cl_program program) {
  const auto get = GPUSAN_NEXT(call, clGetProgramInfo);
  size_t count = 0, bytes = 0;
  if (get == nullptr ||
      get(program, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, nullptr) != CL_SUCCESS)
    return "";
  // NVIDIA's driver crashes if it has no name to return.
  if (count == 0) return "the program has no kernels";
  if (get(program, CL_PROGRAM_KERNEL_NAMES, 0, nullptr, &bytes) != CL_SUCCESS || bytes == 0)
    return "";
  std::string names(bytes, '\0');
  if (get(program, CL_PROGRAM_KERNEL_NAMES, bytes, names.data(), nullptr) != CL_SUCCESS) return "";
  names.resize(names.find('\0') != std::string::npos ? names.find('\0') : names.size());
  std::string text = "the program has";
  int shown = 0;
  for (absl::string_view name : absl::StrSplit(names, ';')) {
    if (++shown > 16) return absl::StrCat(text, " and more");
    absl::StrAppend(&text, shown == 1 ? " " : ", ", "\"", name, "\"");
  }
  return text;
}

// Returns whether the program may only look for an attribute. Python bindings create a kernel for
// each unknown attribute of a program, and tools look for attributes that begin with '_', such as
// "_repr_html_" and "__array_interface__".
bool MayProbeAttribute(std::string_view name) {
  if (!name.starts_with('_')) return false;
  TestPython();
  return PythonPosition() != 0 || PythonProblem() != nullptr;
}

void ExplainNoExecutable(ClCall& call, cl_program program) {
  const std::string text = NoExecutableText(call, program);
  if (!text.empty()) call.FailureReason(absl::StrCat(text, " (OpenCL 3.0 §5.9.1)"));
}

// Returns the memory object that the value of an unknown parameter names, nullptr if none: eight
// bytes that equal a live handle count as that handle.
Resource* MemoryBehind(Object* object) {
  return object != nullptr && object->live() && object->is_memory() ? static_cast<Resource*>(object)
                                                                    : nullptr;
}

// Returns the kinds of objects that a memory parameter takes. A pointer to a built-in type needs a
// buffer; the driver may not say of other parameters that they are images.
KindMask KindsFor(const KernelArgument& argument) {
  if (argument.image) return AnyOf(ObjectKind::kImage, ObjectKind::kPipe);
  return argument.element_bytes != 0 ? MaskOf(ObjectKind::kBuffer) : kAnyMemory;
}

// Whether the image may have another shape than the parameter.
bool HasOtherShape(const KernelArgument& argument, const Resource& image) {
  const ImageInfo* info = image.image;
  return argument.image_dimensions != 0 && info != nullptr && !image.adopted &&
         !image.has(kImported) &&
         (info->dimensions != argument.image_dimensions || info->array != argument.image_array);
}

// Reports an arg_value that is an object itself instead of the address of a variable that holds the
// object. `handle` is what arg_value points to.
bool IsObjectItself(ClCall& call, uintptr_t handle, const void* value) {
  Objects& objects = call.tracker().objects();
  const Object* object = objects.Find(Api::kOpenCL, HandleOf(value));
  if (object == nullptr || !object->live() || !object->is_memory() ||
      objects.Find(Api::kOpenCL, handle) != nullptr)
    return false;
  rules::OnFaultyCall({rules::CallFault::kObjectNotAddress, {{"argument", "arg_value"}}, object},
                      call);
  return true;
}

}  // namespace

namespace handlers {

void clCreateKernel::Before(ClCall& call, cl_program program, const char*, cl_int*) {
  program_ = UseProgram(call, program);
}

void clCreateKernel::After(ClCall& call, cl_kernel kernel, cl_program program, const char* name,
                           cl_int*) {
  if (kernel != nullptr) return AdoptKernel(call, program_, kernel, name);
  if (name != nullptr) call.FailureFact(absl::StrCat("the requested kernel is \"", name, "\""));
  if (call.code() == CL_INVALID_PROGRAM_EXECUTABLE) ExplainNoExecutable(call, program);
  if (name != nullptr && call.code() == CL_INVALID_KERNEL_NAME) {
    if (MayProbeAttribute(name)) call.IgnoreFailure();
    const std::string kernels = KernelsText(call, program);
    if (!kernels.empty()) {
      call.FailureReason(absl::StrCat("kernel_name \"", name, "\" is no kernel of the program; ",
                                      kernels, " (OpenCL 3.0 §5.9.1)"));
    }
  }
  call.tracker().objects().NoteFailedCreation(call, ObjectKind::kKernel, call.code(), 0);
}

void clCreateKernelsInProgram::Before(ClCall& call, cl_program program, cl_uint, cl_kernel*,
                                      cl_uint*& num_kernels_ret) {
  program_ = UseProgram(call, program);
  num_kernels_ret_ = std::exchange(num_kernels_ret, &created_);
}

void clCreateKernelsInProgram::After(ClCall& call, cl_int code, cl_program program,
                                     cl_uint num_kernels, cl_kernel* kernels, cl_uint*) {
  if (code == CL_INVALID_PROGRAM_EXECUTABLE) ExplainNoExecutable(call, program);
  if (num_kernels_ret_ != nullptr) *num_kernels_ret_ = created_;
  const auto get = GPUSAN_NEXT(call, clGetKernelInfo);
  for (cl_uint i = 0; code == CL_SUCCESS && kernels != nullptr && i < created_ && i < num_kernels;
       ++i) {
    char name[256] = {};
    if (get == nullptr ||
        get(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof(name) - 1, name, nullptr) != CL_SUCCESS) {
      name[0] = '\0';
    }
    AdoptKernel(call, program_, kernels[i], name);
  }
}

void clCloneKernel::Before(ClCall& call, cl_kernel source, cl_int*) {
  original_ = UseKernel(call, source);
  if (original_ != nullptr) use_.BeginAlone(call, *original_, KernelUse::kSetsEqual);
}

void clCloneKernel::After(ClCall& call, cl_kernel kernel) {
  if (!Created(call, ObjectKind::kKernel, kernel) || original_ == nullptr) return;
  auto* program = static_cast<PlainObject*>(original_->program.get());
  Kernel* clone = call.tracker().objects().NewKernel(call, HandleOf(kernel), original_->context,
                                                     program, original_->name);
  std::lock_guard lock(original_->lock);
  clone->arguments = original_->arguments;
  clone->argument_names = original_->argument_names;
  clone->indirect = original_->indirect;
  clone->samplers = original_->samplers;
  clone->local_bytes = original_->local_bytes;
  clone->has_argument_info = original_->has_argument_info;
  clone->images = original_->images;
  clone->partly_built = original_->partly_built;
  clone->summary = original_->summary;
  if (original_->kept != nullptr)
    clone->kept = std::make_shared<KeptLaunches>(original_->kept->function());
}

inline KernelUse clSetKernelArg::Use(size_t size, const void* value) const {
  if (argument_ == nullptr) return KernelUse::kSetsEqual;
  bool equal = true;  // also where it is not known
  if (MayBeMemory(size, value)) {
    equal = argument_->resource.object == resource_;
  } else if (value != nullptr && argument_->value_bytes == size) {
    if (size == 4) {
      equal = std::memcmp(&argument_->value, value, 4) == 0;
    } else if (size == 8) {
      equal = std::memcmp(&argument_->value, value, 8) == 0;
    }
  }
  return equal ? KernelUse::kSetsEqual : KernelUse::kChanges;
}

inline bool clSetKernelArg::FindFast(ClCallStart& call, cl_kernel kernel, cl_uint index,
                                     size_t size, const void* value) {
  if (kernel == nullptr) return false;
  Object* shadow =
      call.tracker.objects().FindRecent(Recent::kKernel, Api::kOpenCL, HandleOf(kernel));
  if (shadow == nullptr || shadow->kind != ObjectKind::kKernel || !shadow->live()) return false;
  kernel_ = static_cast<Kernel*>(shadow);
  if (index >= kernel_->arguments.size()) return false;
  argument_ = &kernel_->arguments[index];
  const bool sampler = argument_->kind == ArgumentKind::kSampler;
  if (!MayBeMemory(size, value) && !sampler) return Fits(size);
  if (sampler && (size != sizeof(cl_sampler) || value == nullptr)) return false;
  uintptr_t handle;
  std::memcpy(&handle, value, sizeof(handle));
  if (argument_->kind == ArgumentKind::kMemory && handle == 0) return !argument_->image;
  Object* object = call.tracker.objects().Find(Api::kOpenCL, handle);
  if (argument_->kind == ArgumentKind::kUnknown) {
    resource_ = MemoryBehind(object);
    return true;
  }
  if (object == nullptr ||
      (MaskOf(object->kind) & (sampler ? MaskOf(ObjectKind::kSampler) : KindsFor(*argument_))) ==
          0 ||
      !object->live() || object->context != kernel_->context) {
    return false;
  }
  if (sampler) {
    sampler_ = object;
    return true;
  }
  resource_ = static_cast<Resource*>(object);
  return !HasOtherShape(*argument_, *resource_);
}

bool clSetKernelArg::TryFast(ClCallStart& call, cl_kernel kernel, cl_uint index, size_t size,
                             const void* value) {
  if (!FindFast(call, kernel, index, size, value) || kernel_->user.InUse()) return false;
  use_.Begin(*kernel_, call.info, Use(size, value));
  return true;
}

void clSetKernelArg::Before(ClCall& call, cl_kernel kernel, cl_uint index, size_t size,
                            const void* value) {
  Check(call, kernel, index, size, value);
  if (kernel_ != nullptr) use_.BeginAlone(call, *kernel_, Use(size, value));
}

void clSetKernelArg::Check(ClCall& call, cl_kernel kernel, cl_uint index, size_t size,
                           const void* value) {
  kernel_ = UseKernel(call, kernel);
  if (kernel_ == nullptr || index >= kernel_->arguments.size()) return;
  argument_ = &kernel_->arguments[index];
  uintptr_t handle;
  if (argument_->kind == ArgumentKind::kSampler && size == sizeof(cl_sampler) && value != nullptr) {
    std::memcpy(&handle, value, sizeof(handle));
    return UseSampler(call, handle);
  }
  if (!MayBeMemory(size, value)) return;
  std::memcpy(&handle, value, sizeof(handle));
  if (argument_->kind == ArgumentKind::kMemory) {
    if (handle == 0) {
      // NULL is a value of pointers only (OpenCL 3.0 §5.9.2, clSetKernelArg).
      if (argument_->image) {
        call.tracker().objects().RejectNull(call, AnyOf(ObjectKind::kImage, ObjectKind::kPipe),
                                            "arg_value");
      }
      return;
    }
    if (IsObjectItself(call, handle, value)) return;
    resource_ = static_cast<Resource*>(
        call.tracker().objects().Use(call, handle, KindsFor(*argument_), "arg_value"));
    if (resource_ == nullptr) return;
    rules::CheckContext(call, resource_, kernel_, "arg_value");
    if (HasOtherShape(*argument_, *resource_))
      Report(call, rules::CallFault::kImageShape, kernel, index, 0);
  } else {
    resource_ = MemoryBehind(call.tracker().objects().Find(Api::kOpenCL, handle));
  }
}

void clSetKernelArg::UseSampler(ClCall& call, uintptr_t handle) {
  constexpr KindMask kSampler = MaskOf(ObjectKind::kSampler);
  Objects& objects = call.tracker().objects();
  if (handle == 0) return objects.RejectNull(call, kSampler, "arg_value");
  sampler_ = objects.Use(call, handle, kSampler, "arg_value");
  if (sampler_ != nullptr) rules::CheckContext(call, sampler_, kernel_, "arg_value");
}

void clSetKernelArg::SetUnusual(size_t size) {
  if (argument_->kind == ArgumentKind::kSampler) {
    kernel_->samplers.resize(kernel_->arguments.size());
    kernel_->samplers[static_cast<size_t>(argument_ - kernel_->arguments.data())] =
        WeakRef<Object>(sampler_);
  } else if (argument_->kind == ArgumentKind::kLocal) {
    kernel_->local_bytes += size - (argument_->set ? argument_->value : 0);
    argument_->value = size;
  }
}

void clSetKernelArg::Set(size_t size, const void* value) {
  if (argument_->kind == ArgumentKind::kSampler || argument_->kind == ArgumentKind::kLocal)
      [[unlikely]] {
    SetUnusual(size);
    argument_->set = true;
    return;
  }
  argument_->set = true;
  argument_->svm = false;
  argument_->offset = 0;
  argument_->resource = WeakRef<Resource>(resource_);
  if (argument_->kind == ArgumentKind::kMemory && value == nullptr) {
    argument_->value = 0;
    argument_->value_bytes = sizeof(argument_->value);
  } else if (resource_ == nullptr && value != nullptr && size <= sizeof(argument_->value)) {
    argument_->value = 0;
    std::memcpy(&argument_->value, value, size);
    argument_->value_bytes = static_cast<uint8_t>(size);
  } else {
    argument_->value_bytes = 0;
    argument_->value = 1;  // a structure: not an integer that is known to be 0
    argument_->large.Set(value, size);
  }
}

void clSetKernelArg::Report(ClCall& call, rules::CallFault fault, cl_kernel kernel, cl_uint index,
                            size_t size) {
  const std::string& name = kernel_->argument_names[index];
  const std::string type = TypeName(call, kernel, index);
  if (fault == rules::CallFault::kArgumentSize) {
    // The size of a type of the program is that of clang.
    if (ElementBytes(type) == 0) {
      fault = rules::CallFault::kArgumentSizeOfType;
    } else if (type.ends_with('3')) {
      fault = rules::CallFault::kArgumentSizeOf3;
    }
  }
  const bool of_object = fault == rules::CallFault::kImageShape;
  rules::OnFaultyCall({fault,
                       {{"argument", uint64_t{index}},
                        {"name", name.empty() ? "" : absl::StrCat(" (", name, ")")},
                        {"kernel", kernel_->name},
                        {"type", type},
                        {"arg_size", uint64_t{size}},
                        {"needed_bytes", uint64_t{argument_->element_bytes}}},
                       of_object ? static_cast<const Object*>(resource_) : kernel_,
                       of_object ? kernel_ : nullptr},
                      call);
}

void clSetKernelArg::After(ClCall& call, cl_int code, cl_kernel kernel, cl_uint index, size_t size,
                           const void* value) {
  if (code == CL_SUCCESS && argument_ != nullptr) {
    if (!Fits(size)) Report(call, rules::CallFault::kArgumentSize, kernel, index, size);
    return Set(size, value);
  }
  if (kernel_ == nullptr) return;
  std::string text =
      argument_ != nullptr
          ? absl::StrCat("argument ", index, " of kernel \"", kernel_->name, "\", arg_size ", size)
          : absl::StrCat("kernel \"", kernel_->name, "\" has ", kernel_->arguments.size(),
                         " arguments, arg_index is ", index);
  if (code == CL_INVALID_ARG_INDEX && argument_ == nullptr) {
    call.FailureReason(absl::StrCat("arg_index ", index,
                                    " is not less than the number of arguments, ",
                                    kernel_->arguments.size(), " (OpenCL 3.0 §5.9.2)"));
  } else if (code == CL_INVALID_ARG_SIZE && argument_ != nullptr) {
    call.FailureReason(
        argument_->kind == ArgumentKind::kLocal
            ? "arg_size is 0, but the parameter is local memory (OpenCL 3.0 §5.9.2)"
            : SizeReason(call, kernel, index, size,
                         argument_->kind == ArgumentKind::kValue ? argument_->element_bytes : 0));
  } else if (code == CL_INVALID_ARG_VALUE && argument_ != nullptr) {
    if (argument_->kind == ArgumentKind::kLocal && value != nullptr) {
      call.FailureReason(
          "arg_value is not NULL, but the parameter is local memory (OpenCL 3.0 §5.9.2)");
    } else if (argument_->kind == ArgumentKind::kValue && value == nullptr) {
      call.FailureReason("arg_value is NULL, but the parameter is a value (OpenCL 3.0 §5.9.2)");
    }
  }
  call.FailureFact(std::move(text));
}

}  // namespace handlers
}  // namespace gpusan::opencl
