// PyTorch's caching allocator: its blocks as resources, with the option torch_blocks.
//
// libc10_cuda.so calls the exported c10::reportMemoryUsageToProfiler of libc10.so for each block
// that it hands out, before the program gets it, and for each block that it takes back. It does so
// under the mutex of the device's allocator, whether a profiler runs or not (PyTorch 1.12 and
// later; earlier versions have another signature and are not followed). This library defines the
// same function, and the calls of libc10_cuda.so find it first.
#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "hooks/common/base/next_symbol.h"
#include "hooks/common/sites/site.h"
#include "layer/attach/attach_torch.h"
#include "layer/attach/framework_blocks.h"
#include "layer/runtime/runtime.h"
#include "layer/runtime/shadow.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

// c10::Device as it is passed by value.
struct TorchDevice {
  int8_t type;
  int8_t index;
};
constexpr int8_t kTorchCuda = 1;  // c10::DeviceType::CUDA

using Report = void (*)(void* pointer, int64_t bytes, size_t allocated, size_t reserved,
                        TorchDevice device);

constexpr char kName[] = "_ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE";

constexpr char kAllocator[] = "libc10_cuda.so";

constexpr CallInfo kAllocated = {"c10::CachingAllocator::malloc", Api::kCuda};
constexpr CallInfo kFreed = {"c10::CachingAllocator::free", Api::kCuda};

constinit std::atomic<bool> g_reported{false};  // whether PyTorch called

// Returns PyTorch's own function; nullptr if it is not found. libc10.so is not in the global scope
// when Python loads it.
Report RealReport() {
  static const Report real = [] {
    void* library = dlopen("libc10.so", RTLD_LAZY | RTLD_NOLOAD);
    void* found = library != nullptr ? RealDlsym()(library, kName) : NextSymbol(kName);
    return reinterpret_cast<Report>(found);
  }();
  return real;
}

// Works while the process ends, too: a dlopen would then run the constructors of PyTorch again.
bool TorchIsLoaded() {
  return dl_iterate_phdr([](dl_phdr_info* info, size_t,
                            void*) { return BaseName(info->dlpi_name) == kAllocator ? 1 : 0; },
                         nullptr) != 0;
}

// With this allocator each tensor is an allocation of the driver, and PyTorch reports no blocks.
bool UsesDriverPools() {
  for (const char* name : {"PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && std::strstr(value, "cudaMallocAsync") != nullptr) return true;
  }
  return false;
}

// Whether PyTorch's allocator may have made the call; false only if its stack is known.
bool IsOfTorch(SiteId site) {
  SiteFrame frames[kMaxSiteFrames];
  const int count = SiteFrames(site, frames, kMaxSiteFrames);
  if (count == 0) return true;
  return std::any_of(frames, frames + count, [](const SiteFrame& frame) {
    const SiteModule* module = SiteModuleById(frame.module);
    return module != nullptr && BaseName(module->path) == kAllocator;
  });
}

// Whether the process has device memory that may be a segment of PyTorch's allocator. The allocator
// keeps its segments, of at least 2 MiB, until the process ends. Memory of other processes or of
// other libraries is not a segment.
bool HasSegment(Tracker& tracker) {
  bool has = false;
  tracker.objects().ForEachResource([&](Resource& resource) {
    has |= resource.api == Api::kCuda && resource.bytes >= size_t{2} << 20 &&
           (resource.kind == ObjectKind::kDeviceMemory ||
            resource.kind == ObjectKind::kPhysicalMemory) &&
           !resource.has(kImported) && IsOfTorch(resource.created);
  });
  return has;
}

bool IsOn() {
  const Options& options = Runtime::Get().options();
  return options.torch_blocks || options.pool_blocks;
}

}  // namespace

void WarnAboutTorch(Tracker& tracker) {
  Runtime& runtime = Runtime::Get();
  if (!IsOn() || g_reported.load(std::memory_order_relaxed)) return;
  if (!TorchIsLoaded() || UsesDriverPools() || !HasSegment(tracker)) return;
  runtime.writer()->Warn(
      "torch_blocks: PyTorch reported no block to gpusan; if the program has tensors on a device, "
      "gpusan cannot follow this version of PyTorch, and has checked only its segments");
}

}  // namespace gpusan

// void c10::reportMemoryUsageToProfiler(void*, int64_t, size_t, size_t, c10::Device)
extern "C" __attribute__((visibility("default"), noinline)) void
_ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE(void* pointer, int64_t bytes,
                                                      size_t allocated, size_t reserved,
                                                      gpusan::TorchDevice device) {
  if (device.type == gpusan::kTorchCuda && gpusan::IsOn()) {
    gpusan::g_reported.store(true, std::memory_order_relaxed);
    gpusan::NoteFrameworkBlock(bytes > 0 ? gpusan::kAllocated : gpusan::kFreed,
                               reinterpret_cast<uintptr_t>(pointer), bytes,
                               __builtin_return_address(0), __builtin_frame_address(0));
  }
  if (const gpusan::Report real = gpusan::RealReport(); real != nullptr)
    real(pointer, bytes, allocated, reserved, device);
}
