// Handlers: reserved address ranges, physical memory, and mappings between them.
#include "hooks/cuda/memory/virtual_memory.h"

#include <iterator>
#include <map>
#include <mutex>

#include "hooks/common/base/process_state.h"
#include "tracker/base/sampled.h"
#include "tracker/order/waiting_kernels.h"
#include "tracker/rules/events/unmapped_in_use.h"

namespace gpusan::cuda {
namespace {

struct Reservations {
  SpinLock lock;
  // By the first address of a range: whether the program asked for the address.
  std::map<uintptr_t, bool> placed;
};

constinit ProcessState<Reservations> g_reservations;
const ForkReset g_reset([] { g_reservations.Forget(); });

// native_flags of a mapping: the lowest bit says that the last call allowed accesses, the others
// name the only location that may write. 0: none; kManyWriters: more than one.
constexpr uint64_t kManyWriters = UINT64_MAX >> 1;

uint64_t ChangedFlags(uint64_t flags, absl::Span<const CUmemAccessDesc> access) {
  uint64_t writer = flags >> 1;
  bool allowed = false;
  for (const CUmemAccessDesc& one : access) {
    const uint64_t location = (static_cast<uint64_t>(one.location.type) + 1) << 32 |
                              static_cast<uint32_t>(one.location.id);
    allowed |= one.flags != CU_MEM_ACCESS_FLAGS_PROT_NONE;
    if (one.flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
      writer = writer == 0 || writer == location ? location : kManyWriters;
    } else if (writer == location) {
      writer = 0;
    }
  }
  return writer << 1 | (allowed ? 1 : 0);
}

// Whether a program may treat the memory on both sides of the address as one block: it reserved the
// addresses as one range, or as ranges that it placed after each other.
bool IsSeam(uintptr_t address) {
  Reservations& reservations = g_reservations.Get();
  std::lock_guard lock(reservations.lock);
  const auto next = reservations.placed.upper_bound(address);
  if (next == reservations.placed.begin()) return true;  // not seen
  const auto behind = std::prev(next);
  if (behind->first != address || behind->second) return true;
  return behind == reservations.placed.begin() || std::prev(behind)->second;
}

// These handles are not addresses and may equal other handles.
uintptr_t KeyOf(CUmemGenericAllocationHandle handle) {
  return static_cast<uintptr_t>(handle) ^ uintptr_t { 1 } << 62;
}

// Returns the physical memory; nullptr if the handle is unknown or released.
Resource* FindMemory(CuCall& call, CUmemGenericAllocationHandle handle) {
  Object* object = call.tracker().objects().Find(Api::kCuda, KeyOf(handle));
  return object != nullptr && object->live() && object->kind == ObjectKind::kPhysicalMemory
             ? static_cast<Resource*>(object)
             : nullptr;
}

// Returns the mapping that the address is in; nullptr if it is in none.
Resource* FindMapping(CuCall& call, uintptr_t address) {
  uint64_t offset = 0;
  Resource* found = call.tracker().objects().FindAddress(address, &offset);
  return found != nullptr && found->kind == ObjectKind::kMappedMemory ? found : nullptr;
}

void AddFlag(Resource& resource, ResourceFlag flag) {
  StoreSampled(resource.flags, static_cast<uint16_t>(resource.flags | flag));
}

// Stops the comparison of accesses, and treats all bytes as written. `memory` is the root.
void Share(CuCall& call, Resource& memory) {
  if (memory.has(kImported)) return;
  NoteWaitingKernel();  // those of the other process are not seen
  AddFlag(memory, kImported);
  for (Resource* part : call.tracker().objects().PartsOf(memory)) AddFlag(*part, kImported);
  std::lock_guard lock(memory.lock);
  memory.init.MarkAll();
}

}  // namespace

void Reserved(CuCall& call, CUdeviceptr address, bool placed) {
  {
    Reservations& reservations = g_reservations.Get();
    std::lock_guard lock(reservations.lock);
    reservations.placed[HandleOf(address)] = placed;
  }
  call.tracker().objects().NewPlain(call, ObjectKind::kReservation, HandleOf(address), nullptr);
}

void FreedReservation(CUdeviceptr address) {
  Reservations& reservations = g_reservations.Get();
  std::lock_guard lock(reservations.lock);
  reservations.placed.erase(HandleOf(address));
}

Object* FreeReservation(CuCall& call, CUdeviceptr address) {
  Object* range = call.tracker().objects().UseForRelease(call, HandleOf(address),
                                                         MaskOf(ObjectKind::kReservation), "ptr");
  if (range != nullptr) call.tracker().objects().Release(call, range);
  return range;
}

void CreatedMemory(CuCall& call, CUmemGenericAllocationHandle handle, uint64_t bytes,
                   uint16_t flags) {
  if (AnyFailedAllocation()) [[unlikely]]
    AllocatedInstead(call, bytes);
  ResourceSpec spec;
  spec.kind = ObjectKind::kPhysicalMemory;
  spec.handle = KeyOf(handle);
  spec.bytes = bytes;
  spec.flags = flags | kOutlivesContext;
  spec.initialized = (flags & kImported) != 0;
  call.tracker().objects().NewResource(call, spec);
}

void RetainedMemory(CuCall& call, CUmemGenericAllocationHandle handle, const void* address) {
  Resource* memory = FindMemory(call, handle);
  if (memory != nullptr) return call.tracker().objects().Retain(call, memory);
  CreatedMemory(call, handle, 0, kImported);
  // The memory has a second handle, whose mappings are not known to be the same memory.
  ShareMemoryAt(call, reinterpret_cast<CUdeviceptr>(address));
}

Resource* UseMemory(CuCall& call, CUmemGenericAllocationHandle handle, const char* argument) {
  return static_cast<Resource*>(call.tracker().objects().Use(
      call, KeyOf(handle), MaskOf(ObjectKind::kPhysicalMemory), argument));
}

Object* ReleaseMemory(CuCall& call, CUmemGenericAllocationHandle handle) {
  Object* memory = call.tracker().objects().UseForRelease(
      call, KeyOf(handle), MaskOf(ObjectKind::kPhysicalMemory), "handle");
  if (memory != nullptr) call.tracker().objects().Release(call, memory, true);
  return memory;
}

void CheckMap(CuCall& call, uint64_t bytes, uint64_t offset, CUmemGenericAllocationHandle handle) {
  const Resource* memory = UseMemory(call, handle, "handle");
  if (memory != nullptr && memory->bytes != 0 && SaturatingAdd(offset, bytes) > memory->bytes) {
    call.FailureFact(absl::StrCat("offset ", offset, " + size ", bytes, " B is past the end of ",
                                  ObjectText(*memory, call.words())));
  }
}

void Mapped(CuCall& call, CUdeviceptr address, uint64_t bytes, uint64_t offset,
            CUmemGenericAllocationHandle handle) {
  Resource* memory = FindMemory(call, handle);
  if (memory != nullptr &&
      (memory->has(kImported) || memory->bytes < bytes || memory->bytes - bytes < offset))
    memory = nullptr;
  ResourceSpec spec;
  spec.kind = ObjectKind::kMappedMemory;
  spec.handle = HandleOf(address);
  spec.bytes = bytes;
  // Nothing may access the mapping before SetAccess.
  spec.flags =
      kOutlivesContext | kKernelReadOnly | kKernelWriteOnly | (memory == nullptr ? kImported : 0);
  spec.parent = memory;
  spec.parent_offset = offset;
  // Leaks are reported for the reservation and the physical memory instead.
  call.tracker().objects().NewResource(call, spec)->MarkOwned();
  // Accesses that cross the border belong to two resources.
  const uintptr_t begin = HandleOf(address), end = begin + bytes;
  Resource* in_front = IsSeam(begin) ? FindMapping(call, begin - 1) : nullptr;
  Resource* behind = IsSeam(end) ? FindMapping(call, end) : nullptr;
  if (in_front == nullptr && behind == nullptr) return;
  if (memory != nullptr) Share(call, *memory);
  if (in_front != nullptr) Share(call, *in_front->root);
  if (behind != nullptr) Share(call, *behind->root);
}

void SetAccess(CuCall& call, CUdeviceptr address, uint64_t bytes,
               absl::Span<const CUmemAccessDesc> access) {
  const uintptr_t end = HandleOf(address) + bytes;
  for (uintptr_t at = HandleOf(address); at < end;) {
    Resource* mapped = FindMapping(call, at);
    if (mapped == nullptr) return;
    if (mapped->handle != at) {  // a part of the mapping: what holds for the rest is not known
      mapped->native_flags = kManyWriters << 1 | 1;
      constexpr uint16_t kDenied = kKernelReadOnly | kHostReadOnly | kKernelWriteOnly;
      StoreSampled(mapped->flags, static_cast<uint16_t>(mapped->flags & ~kDenied));
      return;
    }
    mapped->native_flags = ChangedFlags(mapped->native_flags, access);
    // Neither kernels nor copies may write memory for which no location has write access.
    constexpr uint16_t kReadOnly = kKernelReadOnly | kHostReadOnly;
    const uint16_t others = mapped->flags & ~(kReadOnly | kKernelWriteOnly);
    StoreSampled(mapped->flags,
                 static_cast<uint16_t>(mapped->native_flags == 1 ? others | kReadOnly : others));
    at += mapped->bytes;
  }
}

void ShareMemory(CuCall& call, CUmemGenericAllocationHandle handle) {
  if (Resource* memory = FindMemory(call, handle); memory != nullptr) Share(call, *memory);
}

void ShareMemoryAt(CuCall& call, CUdeviceptr address) {
  if (Resource* mapped = FindMapping(call, HandleOf(address)); mapped != nullptr)
    Share(call, *mapped->root);
}

namespace {

// Whether the command surely uses the memory, and may still run.
bool MayRun(const Access& access, const Ordering& ordering) {
  const bool sure = access.sureness == Sureness::kUnwaited
                        ? !waiting_kernels.load(std::memory_order_relaxed)
                        : access.sureness <= Sureness::kSomewhere;
  return sure && access.role != AccessRole::kAllocation && !access.inherited &&
         !access.by_exporter && !ordering.host().Completed(access.epoch) &&
         !ordering.MayHaveSignaled(access.epoch);
}

// cuMemUnmap does not wait: commands that use the addresses fail.
void CheckUnmapped(CuCall& call, const Resource& mapped) {
  const Resource& root = *mapped.root;
  // Through which of several mappings a command uses the memory is not known.
  if (root.history.empty() || root.children.load(std::memory_order_relaxed) > 1) return;
  const Region bytes = Region::Linear(mapped.root_offset, mapped.bytes);
  Access pending;
  {
    std::lock_guard lock(root.lock);
    for (const Access& access : root.history) {
      if (Overlaps(access.region, bytes) && MayRun(access, call.tracker().ordering()))
        pending = access;
    }
  }
  if (pending.call != nullptr) rules::OnUnmappedInUse({&mapped, &pending}, call);
}

}  // namespace

std::vector<Resource*> Unmap(CuCall& call, CUdeviceptr address, uint64_t bytes) {
  std::vector<Resource*> released;
  const uintptr_t end = HandleOf(address) + bytes;
  BlockPools& pools = call.tracker().block_pools();
  for (uintptr_t at = HandleOf(address); at < end;) {
    if (pools.any()) [[unlikely]]
      pools.Destroy(call, at);
    uint64_t offset = 0;
    Resource* mapped = call.tracker().objects().FindAddress(at, &offset);
    if (mapped == nullptr || mapped->kind != ObjectKind::kMappedMemory || offset != 0) break;
    at += mapped->bytes;
    CheckUnmapped(call, *mapped);
    call.tracker().objects().Release(call, mapped, true);
    released.push_back(mapped);
  }
  return released;
}

}  // namespace gpusan::cuda
