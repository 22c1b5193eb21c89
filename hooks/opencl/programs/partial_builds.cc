// Programs that were built for some devices of their context only.
#include "hooks/opencl/programs/partial_builds.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "hooks/opencl/call/context_devices.h"
#include "tracker/rules/faults/faulty_call.h"

namespace gpusan::opencl {
namespace {

// If there are more such programs, the oldest ones are forgotten.
constexpr size_t kMaxPrograms = 1024;

struct PartialBuild {
  WeakRef<Object> program;
  std::vector<cl_device_id> devices;  // for which it was built
};

std::mutex g_lock;  // a leaf; guards All()
std::vector<PartialBuild>& All() {
  static auto* const all = new std::vector<PartialBuild>;
  return *all;
}

// Requires g_lock. The end of All(): the program was built for all devices, or never.
std::vector<PartialBuild>::iterator FindBuild(const Object* program) {
  return std::find_if(All().begin(), All().end(),
                      [&](const PartialBuild& one) { return one.program.get() == program; });
}

// Whether the device is one of the list, or a sub-device of one. The driver may then use the code
// of that one.
bool BelongsToAny(ClCall& call, cl_device_id device, const std::vector<cl_device_id>& list) {
  const auto get = GPUSAN_NEXT(call, clGetDeviceInfo);
  while (device != nullptr) {
    if (std::find(list.begin(), list.end(), device) != list.end()) return true;
    cl_device_id parent = nullptr;
    if (get == nullptr ||
        get(device, CL_DEVICE_PARENT_DEVICE, sizeof(cl_device_id), &parent, nullptr) != CL_SUCCESS)
      return true;
    device = parent;
  }
  return false;
}

}  // namespace

void NoteBuild(ClCall& call, const PlainObject& program, cl_uint count,
               const cl_device_id* devices) {
  const bool partial = devices != nullptr && DevicesOf(call, program.context).size() > count;
  std::lock_guard lock(g_lock);
  std::erase_if(All(), [&](const PartialBuild& one) {
    const Object* object = one.program.get();
    return object == nullptr || (!partial && object == &program);
  });
  if (!partial) return;
  if (const auto known = FindBuild(&program); known != All().end()) {
    known->devices.insert(known->devices.end(), devices, devices + count);
    return;
  }
  if (All().size() >= kMaxPrograms) All().erase(All().begin());
  All().push_back(
      {WeakRef<Object>(const_cast<PlainObject*>(&program)), {devices, devices + count}});
}

void NotePartialBuild(Kernel& kernel) {
  const Object* program = kernel.program.get();
  std::lock_guard lock(g_lock);
  kernel.partly_built = program != nullptr && FindBuild(program) != All().end();
}

void CheckBuilt(ClCall& call, const Queue& queue, Kernel& kernel) {
  if (!MayLackBuild(kernel, queue)) return;
  std::vector<cl_device_id> built;
  {
    std::lock_guard lock(g_lock);
    const auto known = FindBuild(kernel.program.get());
    if (known == All().end()) return;
    built = known->devices;
  }
  const auto device = reinterpret_cast<cl_device_id>(queue.device);
  const auto all = DevicesOf(call, queue.context);
  // Drivers accept queues on sub-devices that the context does not name.
  if (std::find(all.begin(), all.end(), device) == all.end() || BelongsToAny(call, device, built)) {
    kernel.built_device = queue.device;
    return;
  }
  rules::OnFaultyCall({rules::CallFault::kNotBuiltForDevice, {}, &kernel, &queue}, call);
}

}  // namespace gpusan::opencl
