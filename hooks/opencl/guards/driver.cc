// The driver's functions behind the guarded ones, and gpusan's own queue for reading guard zones.
#include "hooks/opencl/guards/driver.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "hooks/common/base/process_state.h"

namespace gpusan::opencl {
namespace {

constinit cl_icd_dispatch g_driver[kAttachPathCount] = {};

struct OwnQueues {
  std::mutex mutex;
  std::map<cl_context, cl_command_queue> queues;
};
constinit ProcessState<OwnQueues> g_queues;
constinit ProcessState<GuardTable> g_guards;
const ForkReset g_reset([] {
  g_queues.Forget();
  g_guards.Forget();
});

}  // namespace

cl_icd_dispatch& DriverTable(AttachPath path) { return g_driver[path]; }

void* FindDriverFunction(AttachPath path, const char* name) {
  const Hooks& hooks = CurrentHooks();
  if (hooks.symbol_beside == nullptr) return nullptr;
  const auto* functions = reinterpret_cast<void* const*>(&g_driver[path]);
  for (size_t i = 0; i < sizeof(cl_icd_dispatch) / sizeof(void*); ++i) {
    void* found = functions[i] != nullptr ? hooks.symbol_beside(name, functions[i]) : nullptr;
    if (found != nullptr) return found;
  }
  return nullptr;
}

GuardTable& Guards() { return g_guards.Get(); }

cl_device_id OnlyDevice(AttachPath path, cl_context context) {
  const auto get = GPUSAN_DRIVER(path, clGetContextInfo);
  cl_device_id devices[2] = {};
  size_t bytes = 0;
  if (get == nullptr ||
      get(context, CL_CONTEXT_DEVICES, sizeof(devices), devices, &bytes) != CL_SUCCESS ||
      bytes != sizeof(cl_device_id)) {
    return nullptr;
  }
  return devices[0];
}

cl_command_queue OwnQueue(AttachPath path, cl_context context) {
  OwnQueues& own = g_queues.Get();
  std::lock_guard lock(own.mutex);
  const auto it = own.queues.find(context);
  if (it != own.queues.end()) return it->second;
  const auto create = GPUSAN_DRIVER(path, clCreateCommandQueue);
  const cl_device_id device = OnlyDevice(path, context);
  if (create == nullptr || device == nullptr) return nullptr;
  cl_int code = CL_SUCCESS;
  const cl_command_queue queue = create(context, device, 0, &code);
  if (queue == nullptr || code != CL_SUCCESS) return nullptr;
  own.queues.emplace(context, queue);
  return queue;
}

void DropOwnQueue(AttachPath path, cl_context context) {
  cl_command_queue queue = nullptr;
  {
    OwnQueues& own = g_queues.Get();
    std::lock_guard lock(own.mutex);
    const auto it = own.queues.find(context);
    if (it == own.queues.end()) return;
    queue = it->second;
    own.queues.erase(it);
  }
  GPUSAN_DRIVER(path, clReleaseCommandQueue)(queue);
}

uint64_t FrontBytes(uint64_t alignment) {
  // Hosts that map a buffer may expect a page.
  const uint64_t step = std::max<uint64_t>(alignment, 4096);
  const uint64_t wanted = std::min(CurrentHooks().guard_bytes, kMaxGuardBytes);
  return (wanted + step - 1) / step * step;
}

uint64_t BackBytes() { return std::min(CurrentHooks().guard_bytes, kMaxGuardBytes); }

bool ReadWhole(AttachPath path, cl_command_queue queue, const GuardedBlock& block, uint64_t offset,
               uint64_t bytes, void* to) {
  if (bytes == 0) return true;
  if (block.kind == kGuardedBuffer) {
    return GPUSAN_DRIVER(path, clEnqueueReadBuffer)(queue, reinterpret_cast<cl_mem>(block.base),
                                                    CL_TRUE, offset, bytes, to, 0, nullptr,
                                                    nullptr) == CL_SUCCESS;
  }
  const auto* from = reinterpret_cast<const char*>(block.base) + offset;
  if ((block.flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) != 0) {
    std::memcpy(to, from, bytes);
    return true;
  }
  return GPUSAN_DRIVER(path, clEnqueueSVMMemcpy)(queue, CL_TRUE, to, from, bytes, 0, nullptr,
                                                 nullptr) == CL_SUCCESS;
}

bool WriteWhole(AttachPath path, cl_command_queue queue, const GuardedBlock& block, uint64_t offset,
                uint64_t bytes, const void* from) {
  if (bytes == 0) return true;
  if (block.kind == kGuardedBuffer) {
    return GPUSAN_DRIVER(path, clEnqueueWriteBuffer)(queue, reinterpret_cast<cl_mem>(block.base),
                                                     CL_TRUE, offset, bytes, from, 0, nullptr,
                                                     nullptr) == CL_SUCCESS;
  }
  auto* to = reinterpret_cast<char*>(block.base) + offset;
  if ((block.flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) != 0) {
    std::memcpy(to, from, bytes);
    return true;
  }
  return GPUSAN_DRIVER(path, clEnqueueSVMMemcpy)(queue, CL_TRUE, to, from, bytes, 0, nullptr,
                                                 nullptr) == CL_SUCCESS;
}

bool FillZones(AttachPath path, cl_command_queue queue, const GuardedBlock& block) {
  const std::vector<uint8_t> zone(std::max(block.front, block.back), kGuardByte);
  return WriteWhole(path, queue, block, 0, block.front, zone.data()) &&
         WriteWhole(path, queue, block, block.front + block.bytes, block.back, zone.data());
}

}  // namespace gpusan::opencl
