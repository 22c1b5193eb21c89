// A stand-in for PyTorch's libc10_cuda.so: a caching allocator that divides segments of 2 MiB into
// blocks, keeps what is freed, and reports each block as PyTorch's does. With
// TORCH_STAND_IN=expandable the segments are mapped one behind the other, and one block lies in
// two.
#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <vector>

namespace c10 {

struct Device {
  int8_t type;
  int8_t index;
};

void reportMemoryUsageToProfiler(void* pointer, int64_t bytes, size_t allocated, size_t reserved,
                                 Device device);

}  // namespace c10

namespace {

constexpr size_t kSegment = size_t{2} << 20;
constexpr c10::Device kDevice = {1, 0};

std::vector<CUdeviceptr> segments;
size_t used = kSegment;                                  // of the last segment
std::map<size_t, std::vector<CUdeviceptr>> free_blocks;  // by size
std::map<CUdeviceptr, size_t> live;

// The address range of expandable segments, and the memory that is mapped to it.
constexpr size_t kRange = 8 * kSegment;
CUdeviceptr range = 0;
std::vector<CUmemGenericAllocationHandle> mapped;

bool IsExpandable() { return std::getenv("TORCH_STAND_IN") != nullptr; }

CUdeviceptr MapSegment() {
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemAccessDesc access = {};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  if (range == 0 && cuMemAddressReserve(&range, kRange, 0, 0, 0) != CUDA_SUCCESS) return 0;
  const CUdeviceptr segment = range + mapped.size() * kSegment;
  CUmemGenericAllocationHandle memory = 0;
  if (cuMemCreate(&memory, kSegment, &properties, 0) != CUDA_SUCCESS ||
      cuMemMap(segment, kSegment, 0, memory, 0) != CUDA_SUCCESS ||
      cuMemSetAccess(segment, kSegment, &access, 1) != CUDA_SUCCESS)
    return 0;
  mapped.push_back(memory);
  return segment;
}

void UnmapSegments() {
  for (size_t i = 0; i < mapped.size(); ++i) {
    cuMemUnmap(range + i * kSegment, kSegment);
    cuMemRelease(mapped[i]);
  }
  if (range != 0) cuMemAddressFree(range, kRange);
  mapped.clear();
  range = 0;
}

}  // namespace

extern "C" CUdeviceptr TorchMalloc(size_t bytes) {
  bytes = (bytes + 511) & ~size_t{511};
  CUdeviceptr block = 0;
  std::vector<CUdeviceptr>& kept = free_blocks[bytes];
  if (!kept.empty()) {
    block = kept.back();
    kept.pop_back();
  } else {
    if (used + bytes > kSegment) {
      CUdeviceptr segment = 0;
      if (IsExpandable()) {
        segment = MapSegment();
        if (segment == 0) return 0;
      } else if (cuMemAlloc(&segment, kSegment) != CUDA_SUCCESS) {
        return 0;
      }
      // Blocks continue in the next mapping.
      used = IsExpandable() && !segments.empty() ? used - kSegment : 0;
      segments.push_back(segment);
    }
    block = segments.back() + used;
    used += bytes;
  }
  live[block] = bytes;
  c10::reportMemoryUsageToProfiler(reinterpret_cast<void*>(block), static_cast<int64_t>(bytes), 0,
                                   0, kDevice);
  return block;
}

// As an allocator whose calls are other ones.
extern "C" CUdeviceptr TorchMallocUnreported() {
  CUdeviceptr segment = 0;
  return cuMemAlloc(&segment, kSegment) == CUDA_SUCCESS ? segment : 0;
}

extern "C" void TorchFree(CUdeviceptr block) {
  const size_t bytes = live[block];
  live.erase(block);
  free_blocks[bytes].push_back(block);
  c10::reportMemoryUsageToProfiler(reinterpret_cast<void*>(block), -static_cast<int64_t>(bytes), 0,
                                   0, kDevice);
}

extern "C" void TorchEmptyCache() {
  if (IsExpandable()) {
    UnmapSegments();
  } else {
    for (CUdeviceptr segment : segments) cuMemFree(segment);
  }
  segments.clear();
  free_blocks.clear();
  used = kSegment;
}
