// Memory that is not coherent: the host has a copy of its own, which a flush and an invalidation
// bring together. And coherent memory of a CPU driver, mapped twice: the driver works on the one
// mapping, the program on the other.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "layer.h"

namespace test_layer {
namespace {

constexpr VkDeviceSize kPageBytes = 4096;

VkDeviceSize RoundUp(VkDeviceSize value, VkDeviceSize unit) {
  return (value + unit - 1) / unit * unit;
}

// Two views of new zeroed memory.
bool MapTwice(VkDeviceSize bytes, char** one, char** other) {
  const int file = memfd_create("gpusan-test-device", MFD_CLOEXEC);
  if (file < 0) return false;
  void* maps[2] = {MAP_FAILED, MAP_FAILED};
  if (ftruncate(file, static_cast<off_t>(bytes)) == 0) {
    for (void*& map : maps) map = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  close(file);
  *one = static_cast<char*>(maps[0]);
  *other = static_cast<char*>(maps[1]);
  return maps[0] != MAP_FAILED && maps[1] != MAP_FAILED;
}

// True: memory of the driver's own pages is allocated.
bool AllocateHidden(Device& device, const VkMemoryAllocateInfo& info,
                    const VkAllocationCallbacks* allocator, VkDeviceMemory* handle,
                    Memory* memory) {
  memory->block_bytes = RoundUp(info.allocationSize, kPageBytes);
  if (!MapTwice(memory->block_bytes, &memory->driver, &memory->host)) return false;
  VkImportMemoryHostPointerInfoEXT import = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT};
  import.pNext = info.pNext;
  import.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
  import.pHostPointer = memory->driver;
  VkMemoryAllocateInfo changed = info;
  changed.pNext = &import;
  changed.allocationSize = memory->block_bytes;
  if (NEXT(device, vkAllocateMemory)(device.handle, &changed, allocator, handle) == VK_SUCCESS)
    return true;
  munmap(memory->driver, memory->block_bytes);
  munmap(memory->host, memory->block_bytes);
  *memory = Memory();
  return false;
}

VKAPI_ATTR VkResult VKAPI_CALL AllocateMemory(VkDevice handle, const VkMemoryAllocateInfo* info,
                                              const VkAllocationCallbacks* allocator,
                                              VkDeviceMemory* memory) {
  Device& device = DeviceOf(handle);
  const Added& added = device.added;
  VkMemoryAllocateInfo changed = *info;
  Memory made;
  made.bytes = info->allocationSize;
  made.coherent = info->memoryTypeIndex != added.type;
  if (!made.coherent) {
    changed.memoryTypeIndex = added.coherent_type;
    const VkResult code = NEXT(device, vkAllocateMemory)(handle, &changed, allocator, memory);
    if (code != VK_SUCCESS) return code;
    made.block_bytes = RoundUp(made.bytes, kPageBytes);
    void* driver = nullptr;
    NEXT(device, vkMapMemory)(handle, *memory, 0, VK_WHOLE_SIZE, 0, &driver);
    made.driver = static_cast<char*>(driver);
    made.host = static_cast<char*>(mmap(nullptr, made.block_bytes, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  } else if (!added.hides_pages || info->memoryTypeIndex != added.coherent_type ||
             info->pNext != nullptr || !AllocateHidden(device, *info, allocator, memory, &made)) {
    return NEXT(device, vkAllocateMemory)(handle, info, allocator, memory);
  }
  std::lock_guard guard(device.lock);
  device.memories[*memory] = made;
  return VK_SUCCESS;
}

Memory* Find(Device& device, VkDeviceMemory handle) {
  std::lock_guard guard(device.lock);
  const auto found = device.memories.find(handle);
  return found != device.memories.end() ? &found->second : nullptr;
}

VKAPI_ATTR void VKAPI_CALL FreeMemory(VkDevice handle, VkDeviceMemory memory,
                                      const VkAllocationCallbacks* allocator) {
  Device& device = DeviceOf(handle);
  const Memory* found = Find(device, memory);
  NEXT(device, vkFreeMemory)(handle, memory, allocator);
  if (found == nullptr) return;
  munmap(found->host, found->block_bytes);
  if (found->coherent) munmap(found->driver, found->block_bytes);
  std::lock_guard guard(device.lock);
  device.memories.erase(memory);
}

VKAPI_ATTR VkResult VKAPI_CALL MapMemory(VkDevice handle, VkDeviceMemory memory,
                                         VkDeviceSize offset, VkDeviceSize size,
                                         VkMemoryMapFlags flags, void** data) {
  Device& device = DeviceOf(handle);
  Memory* found = Find(device, memory);
  if (found == nullptr) return NEXT(device, vkMapMemory)(handle, memory, offset, size, flags, data);
  found->map_end = size == VK_WHOLE_SIZE ? found->bytes : offset + size;
  *data = found->host + offset;
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL UnmapMemory(VkDevice handle, VkDeviceMemory memory) {
  Device& device = DeviceOf(handle);
  if (Find(device, memory) == nullptr) NEXT(device, vkUnmapMemory)(handle, memory);
}

// Calls copy(driver's bytes, host's bytes, count) for what the layer keeps apart, in whole atoms,
// and hands the rest on.
template <typename Next, typename Copy>
VkResult ForEachRange(Device& device, uint32_t count, const VkMappedMemoryRange* ranges, Next next,
                      Copy copy) {
  std::vector<VkMappedMemoryRange> others;
  for (uint32_t i = 0; i < count; ++i) {
    const Memory* memory = Find(device, ranges[i].memory);
    if (memory == nullptr) {
      others.push_back(ranges[i]);
    } else if (!memory->coherent) {
      const VkDeviceSize begin = ranges[i].offset / kAtomBytes * kAtomBytes;
      const VkDeviceSize end =
          ranges[i].size == VK_WHOLE_SIZE ? memory->map_end : ranges[i].offset + ranges[i].size;
      const VkDeviceSize limit = std::min(RoundUp(end, kAtomBytes), memory->bytes);
      if (begin < limit) copy(memory->driver + begin, memory->host + begin, limit - begin);
    }
  }
  return others.empty() ? VK_SUCCESS
                        : next(device.handle, static_cast<uint32_t>(others.size()), others.data());
}

VKAPI_ATTR VkResult VKAPI_CALL Flush(VkDevice handle, uint32_t count,
                                     const VkMappedMemoryRange* ranges) {
  Device& device = DeviceOf(handle);
  return ForEachRange(
      device, count, ranges, NEXT(device, vkFlushMappedMemoryRanges),
      [](char* driver, char* host, VkDeviceSize bytes) { std::memcpy(driver, host, bytes); });
}
VKAPI_ATTR VkResult VKAPI_CALL Invalidate(VkDevice handle, uint32_t count,
                                          const VkMappedMemoryRange* ranges) {
  Device& device = DeviceOf(handle);
  return ForEachRange(
      device, count, ranges, NEXT(device, vkInvalidateMappedMemoryRanges),
      [](char* driver, char* host, VkDeviceSize bytes) { std::memcpy(host, driver, bytes); });
}

// Where the coherent type will do, so will the added one.
void Widen(const Device& device, VkMemoryRequirements* needs) {
  const Added& added = device.added;
  if (added.type != kNone && (needs->memoryTypeBits >> added.coherent_type & 1) != 0)
    needs->memoryTypeBits |= 1u << added.type;
}
VKAPI_ATTR void VKAPI_CALL BufferNeeds(VkDevice handle, VkBuffer buffer,
                                       VkMemoryRequirements* needs) {
  Device& device = DeviceOf(handle);
  NEXT(device, vkGetBufferMemoryRequirements)(handle, buffer, needs);
  Widen(device, needs);
}
VKAPI_ATTR void VKAPI_CALL ImageNeeds(VkDevice handle, VkImage image, VkMemoryRequirements* needs) {
  Device& device = DeviceOf(handle);
  NEXT(device, vkGetImageMemoryRequirements)(handle, image, needs);
  Widen(device, needs);
}
VKAPI_ATTR void VKAPI_CALL BufferNeeds2(VkDevice handle,
                                        const VkBufferMemoryRequirementsInfo2* info,
                                        VkMemoryRequirements2* needs) {
  Device& device = DeviceOf(handle);
  NEXT(device, vkGetBufferMemoryRequirements2)(handle, info, needs);
  Widen(device, &needs->memoryRequirements);
}
VKAPI_ATTR void VKAPI_CALL ImageNeeds2(VkDevice handle, const VkImageMemoryRequirementsInfo2* info,
                                       VkMemoryRequirements2* needs) {
  Device& device = DeviceOf(handle);
  NEXT(device, vkGetImageMemoryRequirements2)(handle, info, needs);
  Widen(device, &needs->memoryRequirements);
}

}  // namespace

#define OWN(name, function) \
  { #name, reinterpret_cast < PFN_vkVoidFunction>(&function) }
const Function kMemoryFunctions[] = {
    OWN(vkAllocateMemory, AllocateMemory),
    OWN(vkFreeMemory, FreeMemory),
    OWN(vkMapMemory, MapMemory),
    OWN(vkUnmapMemory, UnmapMemory),
    OWN(vkFlushMappedMemoryRanges, Flush),
    OWN(vkInvalidateMappedMemoryRanges, Invalidate),
    OWN(vkGetBufferMemoryRequirements, BufferNeeds),
    OWN(vkGetImageMemoryRequirements, ImageNeeds),
    OWN(vkGetBufferMemoryRequirements2, BufferNeeds2),
    OWN(vkGetBufferMemoryRequirements2KHR, BufferNeeds2),
    OWN(vkGetImageMemoryRequirements2, ImageNeeds2),
    OWN(vkGetImageMemoryRequirements2KHR, ImageNeeds2),
    {nullptr, nullptr},
};

}  // namespace test_layer
