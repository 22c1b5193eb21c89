// Checks of pointers that must point to shared virtual memory (OpenCL 3.0 §5.6.1).
#include "hooks/opencl/objects/shared_memory.h"

#include <bit>
#include <optional>

#include "absl/strings/str_cat.h"
#include "hooks/opencl/call/context_devices.h"
#include "hooks/opencl/objects/image_limits.h"
#include "tracker/memory/unmapped_memory.h"
#include "tracker/rules/rules.h"

namespace gpusan::opencl {
namespace {

// Returns the capabilities that any device of the context has; nullopt if they are not known.
std::optional<cl_device_svm_capabilities> CapabilitiesOf(ClCall& call, const Object* context) {
  const auto get_device = GPUSAN_NEXT(call, clGetDeviceInfo);
  const auto devices = DevicesOf(call, context);
  if (get_device == nullptr || devices.empty()) return std::nullopt;
  cl_device_svm_capabilities all = 0;
  for (cl_device_id device : devices) {
    cl_device_svm_capabilities own = 0;
    // Devices without shared memory may not know the query.
    if (get_device(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(own), &own, nullptr) == CL_SUCCESS)
      all |= own;
  }
  return all;
}

// Whether some device of the context accepts any host pointer. Also true if a query fails.
bool SharesAllHostMemory(ClCall& call, const Object* context) {
  if (context == nullptr) return true;
  auto& known = static_cast<PlainObject*>(const_cast<Object*>(context))->shares_all_host_memory;
  int8_t answer = known.load(std::memory_order_relaxed);
  if (answer >= 0) return answer != 0;
  const std::optional<cl_device_svm_capabilities> capabilities = CapabilitiesOf(call, context);
  if (!capabilities.has_value()) return true;
  const bool all = (*capabilities & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0;
  known.store(all ? 1 : 0, std::memory_order_relaxed);
  return all;
}

// Returns whether the address lies in a shared allocation that was freed, and `bytes` (0: the whole
// allocation) from there on surely are no other memory of the program: no known block contains the
// address, and the range is too large for a small block, or no memory is mapped there any more.
bool IsFreed(Tracker& tracker, uintptr_t address, uint64_t bytes) {
  const Resource* freed = tracker.objects().FindReleased(address);
  HostBlock block;
  if (freed == nullptr || freed->kind != ObjectKind::kSvm ||
      tracker.host_side().memory().Find(address, &block))
    return false;
  return !tracker.host_side().MayBeReused(address, bytes != 0 ? bytes : freed->bytes) ||
         (MayBeUnmapped(address) && IsUnmapped(address));
}

}  // namespace

bool MustBeAllocated(ClCall& call, const Object* context, const void* pointer, uint64_t bytes) {
  if (!SharesAllHostMemory(call, context)) return true;
  BlockPools& pools = call.tracker().block_pools();
  return (pools.any() && pools.Find(HandleOf(pointer)) != 0) ||
         IsFreed(call.tracker(), HandleOf(pointer), bytes);
}

namespace {

// No device of the context supports such memory.
std::string FlagsReason(ClCall& call, const Object* context, cl_svm_mem_flags flags) {
  const std::optional<cl_device_svm_capabilities> capabilities = CapabilitiesOf(call, context);
  if (!capabilities.has_value()) return "";
  const auto lacks = [&](cl_svm_mem_flags flag, cl_device_svm_capabilities capability) {
    return (flags & flag) != 0 && (*capabilities & capability) == 0;
  };
  const char* const missing =
      lacks(CL_MEM_SVM_FINE_GRAIN_BUFFER, CL_DEVICE_SVM_FINE_GRAIN_BUFFER)
          ? "flags has CL_MEM_SVM_FINE_GRAIN_BUFFER, but no device of the context has "
            "CL_DEVICE_SVM_FINE_GRAIN_BUFFER"
      : lacks(CL_MEM_SVM_ATOMICS, CL_DEVICE_SVM_ATOMICS)
          ? "flags has CL_MEM_SVM_ATOMICS, but no device of the context has CL_DEVICE_SVM_ATOMICS"
      : *capabilities == 0 ? "no device of the context supports shared virtual memory"
                           : nullptr;
  return missing != nullptr ? missing : "";
}

// The size of long16, the largest type [bytes]: devices need not support larger alignments.
constexpr cl_uint kLargestType = 128;

std::string AlignmentReason(ClCall& call, const Object* context, size_t size, cl_uint alignment) {
  if (alignment != 0 && !std::has_single_bit(alignment))
    return absl::StrCat("alignment is ", alignment, ", which is not a power of two");
  if (alignment <= kLargestType || !TooLargeText(call, context, size).empty()) return "";
  return absl::StrCat("alignment is ", alignment, ", more than ", kLargestType,
                      ", the size of the largest type, and a device of the context may not support "
                      "that");
}

}  // namespace

std::string SharedAllocationReason(ClCall& call, const Object* context, cl_svm_mem_flags flags,
                                   size_t size, cl_uint alignment) {
  std::string reason = size == 0 ? "size is 0" : AlignmentReason(call, context, size, alignment);
  if (reason.empty() && (flags & CL_MEM_SVM_ATOMICS) != 0 &&
      (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) == 0)
    reason = "flags has CL_MEM_SVM_ATOMICS without CL_MEM_SVM_FINE_GRAIN_BUFFER";
  if (reason.empty()) reason = FlagsReason(call, context, flags);
  return reason.empty() ? "" : absl::StrCat(reason, " (OpenCL 3.0 §5.6.1)");
}

Resource* UseShared(ClCall& call, const Queue* queue, const void* pointer, uint64_t bytes,
                    const char* argument, uint64_t* offset) {
  if (pointer == nullptr) return nullptr;
  Tracker& tracker = call.tracker();
  Resource* resource = tracker.objects().FindAddress(HandleOf(pointer), offset);
  if (resource != nullptr) {
    if (BlockPools& pools = tracker.block_pools();
        pools.MayUseParent(*resource, SaturatingAdd(*offset, bytes))) [[unlikely]] {
      if (Resource* parent = pools.UseParent(HandleOf(pointer), bytes); parent != nullptr) {
        resource = parent;
        *offset = HandleOf(pointer) - parent->handle;
      }
    }
    rules::CheckContext(call, resource, queue, argument);
  } else if (queue != nullptr && MustBeAllocated(call, queue->context, pointer, bytes)) {
    tracker.pointers().CheckSharedPointer(call, HandleOf(pointer), bytes, argument);
  }
  return resource;
}

void CheckSharedContext(ClCall& call, const Queue* queue, const Side& side, const char* argument) {
  if (side.resource != nullptr) rules::CheckContext(call, side.resource, queue, argument);
}

}  // namespace gpusan::opencl
