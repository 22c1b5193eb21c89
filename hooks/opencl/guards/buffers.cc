// Guarded buffers: the program has a sub-buffer of a larger buffer.
#include "hooks/opencl/guards/buffers.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "hooks/common/base/process_state.h"
#include "hooks/common/guard.h"

namespace gpusan::opencl {
namespace {

constexpr cl_mem_flags kHostFlags =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags kPaddable = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY |
                                   CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR | kHostFlags;
// Up to this size [bytes] one command writes the whole.
constexpr uint64_t kMostStaged = 1 << 20;

// Sub-buffers that the program made from guarded buffers.
struct Parts {
  struct Part {
    uintptr_t guarded = 0;  // the buffer that the program made it from
    uint64_t front = 0;
  };
  std::mutex mutex;
  std::map<uintptr_t, Part> parts;

  bool Find(uintptr_t key, Part* part) {
    std::lock_guard lock(mutex);
    const auto it = parts.find(key);
    if (it == parts.end()) return false;
    *part = it->second;
    return true;
  }
};
constinit ProcessState<Parts> g_parts;
const ForkReset g_reset([] { g_parts.Forget(); });

// Called by the driver, on any thread, when the last reference to a guarded buffer is gone.
void CL_CALLBACK OnDestroyed(cl_mem memory, void* path) {
  ReentryGuard guard;
  GuardedBlock block;
  if (Guards().Take(HandleOf(memory), &block))
    RetireBlock(std::move(block), static_cast<AttachPath>(reinterpret_cast<uintptr_t>(path)));
}

// The same for a sub-buffer of a guarded buffer, which holds a reference to that.
void CL_CALLBACK OnPartDestroyed(cl_mem memory, void* path_value) {
  ReentryGuard guard;
  Parts& own = g_parts.Get();
  Parts::Part part;
  {
    std::lock_guard lock(own.mutex);
    const auto it = own.parts.find(HandleOf(memory));
    if (it == own.parts.end()) return;
    part = it->second;
    own.parts.erase(it);
  }
  const auto path = static_cast<AttachPath>(reinterpret_cast<uintptr_t>(path_value));
  GPUSAN_DRIVER(path, clReleaseMemObject)(reinterpret_cast<cl_mem>(part.guarded));
}

void* PathValue(AttachPath path) { return reinterpret_cast<void*>(static_cast<uintptr_t>(path)); }

bool MayGuard(cl_mem_flags flags, size_t size, const void* host_ptr) {
  const bool copies = (flags & CL_MEM_COPY_HOST_PTR) != 0;
  return size != 0 && size < ~size_t{0} / 2 && (flags & ~kPaddable) == 0 &&
         copies == (host_ptr != nullptr);
}

// The alignment of sub-buffers [bytes]; 0: not known.
uint64_t OriginAlignment(AttachPath path, cl_device_id device) {
  cl_uint bits = 0;
  if (GPUSAN_DRIVER(path, clGetDeviceInfo)(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof(bits),
                                           &bits, nullptr) != CL_SUCCESS)
    return 0;
  return bits / 8;
}

// Makes the whole, with its zones and the program's data. nullptr: the driver rejects it.
//
// Commands write them: NVIDIA's driver gives a sub-buffer memory of its own if the whole was
// created with CL_MEM_COPY_HOST_PTR, so that the whole does not show what kernels write into the
// zones.
cl_mem MakeWhole(AttachPath path, cl_context context, cl_mem_flags flags, const void* host_ptr,
                 GuardedBlock* block) {
  const uint64_t whole = block->front + block->bytes + block->back;
  const cl_mem_flags own = flags & ~(kHostFlags | cl_mem_flags{CL_MEM_COPY_HOST_PTR});
  const cl_command_queue queue = OwnQueue(path, context);
  if (queue == nullptr) return nullptr;
  cl_int code = CL_SUCCESS;
  const cl_mem memory = GPUSAN_DRIVER(path, clCreateBuffer)(context, own, whole, nullptr, &code);
  if (memory == nullptr) return nullptr;
  block->base = HandleOf(memory);
  bool written = false;
  if (whole <= kMostStaged) {
    std::vector<uint8_t> staged(whole);
    std::fill_n(staged.begin(), block->front, kGuardByte);
    if (host_ptr != nullptr) std::memcpy(&staged[block->front], host_ptr, block->bytes);
    std::fill_n(staged.end() - static_cast<ptrdiff_t>(block->back), block->back, kGuardByte);
    written = WriteWhole(path, queue, *block, 0, whole, staged.data());
  } else {
    written = FillZones(path, queue, *block) &&
              (host_ptr == nullptr ||
               WriteWhole(path, queue, *block, block->front, block->bytes, host_ptr));
  }
  if (written) return memory;
  GPUSAN_DRIVER(path, clReleaseMemObject)(memory);
  return nullptr;
}

// Returns the sub-buffer that the program gets; nullptr, without side effects, if the buffer cannot
// be guarded.
cl_mem TryCreate(AttachPath path, cl_context context, cl_mem_flags flags, size_t size,
                 const void* host_ptr) {
  if (!MayGuard(flags, size, host_ptr)) return nullptr;
  const cl_device_id device = OnlyDevice(path, context);
  const uint64_t alignment = device != nullptr ? OriginAlignment(path, device) : 0;
  if (alignment == 0 || GPUSAN_DRIVER(path, clSetMemObjectDestructorCallback) == nullptr)
    return nullptr;
  GuardedBlock block;
  block.kind = kGuardedBuffer;
  block.context = HandleOf(context);
  block.front = block.front_zone = FrontBytes(alignment);
  block.bytes = size;
  block.back = BackBytes();
  block.flags = flags;
  const cl_mem whole = MakeWhole(path, context, flags, host_ptr, &block);
  if (whole == nullptr) return nullptr;
  block.base = HandleOf(whole);
  const cl_buffer_region region = {static_cast<size_t>(block.front), size};
  cl_int code = CL_SUCCESS;
  const auto release = GPUSAN_DRIVER(path, clReleaseMemObject);
  const cl_mem memory = GPUSAN_DRIVER(path, clCreateSubBuffer)(
      whole, flags & kHostFlags, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  if (memory == nullptr) {
    release(whole);
    return nullptr;
  }
  if (GPUSAN_DRIVER(path, clSetMemObjectDestructorCallback)(memory, &OnDestroyed,
                                                            PathValue(path)) != CL_SUCCESS) {
    release(memory);
    release(whole);
    return nullptr;
  }
  block.key = HandleOf(memory);
  Guards().Add(std::move(block));
  CheckAtExit(path);
  return memory;
}

// OpenCL 3.0 §5.2.1, clCreateSubBuffer: the flags of host access that a sub-buffer must not have.
// The driver does not check them, because the whole has no such flags.
bool HostFlagsConflict(cl_mem_flags flags, cl_mem_flags of_parent) {
  return ((of_parent & CL_MEM_HOST_WRITE_ONLY) != 0 && (flags & CL_MEM_HOST_READ_ONLY) != 0) ||
         ((of_parent & CL_MEM_HOST_READ_ONLY) != 0 && (flags & CL_MEM_HOST_WRITE_ONLY) != 0) ||
         ((of_parent & CL_MEM_HOST_NO_ACCESS) != 0 &&
          (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)) != 0);
}

// Answers a query with one value, by the rules of clGetMemObjectInfo. A handle or a pointer is
// given as its number.
template <typename Value>
cl_int Answer(Value answer, size_t size, void* value, size_t* size_ret) {
  if (value != nullptr && size < sizeof(Value)) return CL_INVALID_VALUE;
  if (value != nullptr) std::memcpy(value, &answer, sizeof(Value));
  if (size_ret != nullptr) *size_ret = sizeof(Value);
  return CL_SUCCESS;
}

}  // namespace

cl_mem CreateGuardedBuffer(AttachPath path, cl_context context, cl_mem_flags flags, size_t size,
                           void* host_ptr, cl_int* code) {
  const cl_mem memory = TryCreate(path, context, flags, size, host_ptr);
  if (memory == nullptr)
    return GPUSAN_DRIVER(path, clCreateBuffer)(context, flags, size, host_ptr, code);
  if (code != nullptr) *code = CL_SUCCESS;
  return memory;
}

cl_mem CreateSubBufferOfGuarded(AttachPath path, cl_mem buffer, cl_mem_flags flags,
                                cl_buffer_create_type type, const void* info, cl_int* code) {
  const auto create = GPUSAN_DRIVER(path, clCreateSubBuffer);
  GuardedBlock block;
  if (type != CL_BUFFER_CREATE_TYPE_REGION || info == nullptr ||
      !Guards().Find(HandleOf(buffer), &block)) {
    return create(buffer, flags, type, info, code);
  }
  const auto whole = reinterpret_cast<cl_mem>(block.base);
  cl_buffer_region region = *static_cast<const cl_buffer_region*>(info);
  const bool inside = region.origin <= block.bytes && region.size <= block.bytes - region.origin;
  // The driver rejects a region outside of the whole as it rejects one outside of the buffer.
  region.origin = inside ? region.origin + block.front : block.front + block.bytes + block.back;
  if (!inside) region.size = std::max<size_t>(region.size, 1);
  if (inside && HostFlagsConflict(flags, block.flags)) {
    if (code != nullptr) *code = CL_INVALID_VALUE;
    return nullptr;
  }
  if ((flags & kHostFlags) == 0) flags |= block.flags & kHostFlags;
  const cl_mem part = create(whole, flags, type, &region, code);
  if (part == nullptr) return nullptr;
  Parts& own = g_parts.Get();
  {
    std::lock_guard lock(own.mutex);
    own.parts[HandleOf(part)] = {HandleOf(buffer), block.front};
  }
  // A sub-buffer holds the buffer that it was made from.
  GPUSAN_DRIVER(path, clRetainMemObject)(buffer);
  GPUSAN_DRIVER(path, clSetMemObjectDestructorCallback)(part, &OnPartDestroyed, PathValue(path));
  return part;
}

cl_int GuardedMemObjectInfo(AttachPath path, cl_mem memory, cl_mem_info parameter, size_t size,
                            void* value, size_t* size_ret) {
  const auto get = GPUSAN_DRIVER(path, clGetMemObjectInfo);
  const bool about_parent = parameter == CL_MEM_ASSOCIATED_MEMOBJECT || parameter == CL_MEM_OFFSET;
  Parts::Part part;
  if (about_parent && g_parts.Get().Find(HandleOf(memory), &part)) {
    if (parameter == CL_MEM_ASSOCIATED_MEMOBJECT)
      return Answer(part.guarded, size, value, size_ret);
    size_t offset = 0;
    const cl_int code = get(memory, parameter, sizeof(offset), &offset, nullptr);
    if (code != CL_SUCCESS) return code;
    return Answer(offset - static_cast<size_t>(part.front), size, value, size_ret);
  }
  GuardedBlock block;
  if ((!about_parent && parameter != CL_MEM_FLAGS && parameter != CL_MEM_MAP_COUNT &&
       parameter != CL_MEM_HOST_PTR) ||
      !Guards().Find(HandleOf(memory), &block)) {
    return get(memory, parameter, size, value, size_ret);
  }
  if (parameter == CL_MEM_ASSOCIATED_MEMOBJECT) return Answer(uintptr_t{0}, size, value, size_ret);
  if (parameter == CL_MEM_OFFSET) return Answer(size_t{0}, size, value, size_ret);
  if (parameter == CL_MEM_HOST_PTR) return Answer(uintptr_t{0}, size, value, size_ret);
  if (parameter == CL_MEM_MAP_COUNT) {
    // Some drivers count the mappings of a sub-buffer at the whole.
    cl_uint own = 0, of_whole = 0;
    const cl_int code = get(memory, parameter, sizeof(own), &own, nullptr);
    if (code != CL_SUCCESS) return code;
    get(reinterpret_cast<cl_mem>(block.base), parameter, sizeof(of_whole), &of_whole, nullptr);
    return Answer(own + of_whole, size, value, size_ret);
  }
  cl_mem_flags flags = 0;
  const cl_int code =
      get(reinterpret_cast<cl_mem>(block.base), CL_MEM_FLAGS, sizeof(flags), &flags, nullptr);
  if (code != CL_SUCCESS) return code;
  flags &= ~cl_mem_flags{CL_MEM_COPY_HOST_PTR};
  flags |= block.flags & (kHostFlags | CL_MEM_COPY_HOST_PTR);
  return Answer(flags, size, value, size_ret);
}

}  // namespace gpusan::opencl
