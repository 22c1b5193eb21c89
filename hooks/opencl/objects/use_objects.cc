// Look-ups of the objects that a call names.
#include "hooks/opencl/objects/use_objects.h"

#include <cstring>
#include <string>

#include "tracker/rules/rules.h"

namespace gpusan::opencl {

Object* UseContext(ClCall& call, cl_context context) {
  return call.tracker().objects().Use(call, HandleOf(context), MaskOf(ObjectKind::kContext),
                                      "context");
}

Queue* UseQueue(ClCall& call, cl_command_queue queue) {
  return static_cast<Queue*>(call.tracker().objects().Use(
      call, HandleOf(queue), MaskOf(ObjectKind::kQueue), "command_queue"));
}

Kernel* UseKernelOf(ClCall& call, const Object* owner, cl_kernel kernel) {
  if (owner != nullptr && IsNull(call, kernel, MaskOf(ObjectKind::kKernel), "kernel"))
    return nullptr;
  return UseKernel(call, kernel);
}

Resource* UseMemory(ClCall& call, const Object* owner, cl_mem memory, KindMask kinds,
                    const char* argument) {
  if (owner != nullptr && IsNull(call, memory, kinds, argument)) [[unlikely]]
    return nullptr;
  Object* object = call.tracker().objects().Use(call, HandleOf(memory), kinds, argument);
  if (object != nullptr) rules::CheckContext(call, object, owner, argument);
  return static_cast<Resource*>(object);
}

void KeepReturned(ClCall& call, const void* value) {
  if (value == nullptr) return;
  uintptr_t handle;
  std::memcpy(&handle, value, sizeof(handle));
  Object* object = handle != 0 ? call.tracker().objects().Find(Api::kOpenCL, handle) : nullptr;
  if (object != nullptr && !object->live()) call.tracker().objects().Revive(object);
}

Object* UseElement(ClCall& call, const Object* owner, const void* handle, KindMask kinds,
                   const char* argument, cl_uint index) {
  const std::string name = absl::StrCat(argument, "[", index, "]");
  if (IsNull(call, handle, kinds, name.c_str())) return nullptr;
  Object* object = call.tracker().objects().Use(call, HandleOf(handle), kinds, name.c_str());
  if (object != nullptr) rules::CheckContext(call, object, owner, name.c_str());
  return object;
}

void UseWaitList(ClCall& call, const Object* owner, cl_uint count, const cl_event* list,
                 Waits* waits, const char* argument) {
  if (list == nullptr) {
    if (count != 0)
      call.FailureFact(absl::StrCat(argument, " is NULL, but it should have ", count, " elements"));
    return;
  }
  if (count == 0) {
    call.FailureFact(absl::StrCat(argument, " is not NULL, but its number of elements is 0"));
    return;
  }
  for (cl_uint i = 0; i < count; ++i) {
    Object* object = list[i] != nullptr
                         ? call.tracker().objects().Find(Api::kOpenCL, HandleOf(list[i]))
                         : nullptr;
    if (object == nullptr || (MaskOf(object->kind) & kAnyEvent) == 0 || !object->live() ||
        (owner != nullptr && object->context != owner->context)) [[unlikely]] {
      object = UseElement(call, owner, list[i], kAnyEvent, argument, i);
    }
    if (object != nullptr) waits->push_back(static_cast<Event*>(object));
  }
}

}  // namespace gpusan::opencl
