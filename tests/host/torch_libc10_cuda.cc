// A stand-in for PyTorch's libc10_cuda.so: a caching allocator that divides segments of 2 MiB into
// blocks, keeps what is freed, and reports each block as PyTorch's does.
#include <cuda.h>

#include <cstddef>
#include <cstdint>
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
      if (cuMemAlloc(&segment, kSegment) != CUDA_SUCCESS) return 0;
      segments.push_back(segment);
      used = 0;
    }
    block = segments.back() + used;
    used += bytes;
  }
  live[block] = bytes;
  c10::reportMemoryUsageToProfiler(reinterpret_cast<void*>(block), static_cast<int64_t>(bytes), 0,
                                   0, kDevice);
  return block;
}

extern "C" void TorchFree(CUdeviceptr block) {
  const size_t bytes = live[block];
  live.erase(block);
  free_blocks[bytes].push_back(block);
  c10::reportMemoryUsageToProfiler(reinterpret_cast<void*>(block), -static_cast<int64_t>(bytes), 0,
                                   0, kDevice);
}

extern "C" void TorchEmptyCache() {
  for (CUdeviceptr segment : segments) cuMemFree(segment);
  segments.clear();
  free_blocks.clear();
  used = kSegment;
}
