// PyTorch's caching allocator: its blocks as resources, with the option torch_blocks.
//
// libc10_cuda.so calls the exported c10::reportMemoryUsageToProfiler of libc10.so for each block
// that it hands out, before the program gets it, and for each block that it takes back. It does so
// under the mutex of the device's allocator, whether a profiler runs or not (PyTorch 1.12 and
// later; earlier versions have another signature and are not followed). This library defines the
// same function, and the calls of libc10_cuda.so find it first.
#include <dlfcn.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "hooks/common/guard.h"
#include "hooks/common/next_symbol.h"
#include "layer/attach_torch.h"
#include "layer/runtime.h"
#include "layer/shadow.h"

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

bool IsRecording() {
  bool recording = false;
  ForEachApi(
      [&](const ApiPart& part) { recording |= part.recording != nullptr && part.recording(); });
  return recording;
}

// `bytes`: negative for a block that the allocator takes back. Each segment of the allocator is a
// pool. Segments that gpusan cannot divide are left alone: those of cudaMallocAsync, whose blocks
// are allocations anyway, and expandable ones.
void NoteBlock(Tracker& tracker, Call& call, uintptr_t address, int64_t bytes) {
  BlockPools& pools = tracker.block_pools();
  uintptr_t base = pools.Find(address);
  if (IsRecording()) {
    // A graph uses the addresses of its blocks in all its launches, also when they have no tensor.
    if (base != 0) {
      pools.Dissolve(call, base);
    } else {
      uint64_t offset = 0;
      Resource* segment = tracker.objects().FindAddress(address, &offset);
      if (segment != nullptr && pools.Create(*segment, false))
        pools.Dissolve(call, segment->handle);
    }
    return;
  }
  if (bytes < 0) {
    if (base != 0 && !pools.Free(call, base, address, nullptr)) pools.Dissolve(call, base);
    return;
  }
  if (base == 0) {
    uint64_t offset = 0;
    Resource* segment = tracker.objects().FindAddress(address, &offset);
    if (segment == nullptr || segment->kind != ObjectKind::kDeviceMemory ||
        !pools.Create(*segment, false))
      return;
    base = segment->handle;
  }
  BlockPools::NewBlock block;
  block.address = address;
  block.bytes = static_cast<uint64_t>(bytes);
  block.owned = true;
  pools.Allocate(call, base, block);
}

[[gnu::always_inline]] inline void NoteReport(void* pointer, int64_t bytes,
                                              const void* return_address,
                                              const void* frame_address) {
  if (ReentryGuard::Active()) return;
  ReentryGuard guard;
  Tracker* tracker = ShadowIfAny();
  const Vocabulary* words = WordsOf(Api::kCuda);
  if (tracker == nullptr || words == nullptr || pointer == nullptr || bytes == 0) return;
  try {
    ForEachApi([](const ApiPart& part) {
      if (part.settle != nullptr) part.settle();
    });
    Call call(*tracker, bytes > 0 ? kAllocated : kFreed, *words, return_address, frame_address);
    NoteBlock(*tracker, call, reinterpret_cast<uintptr_t>(pointer), bytes);
    call.Finish(0);
  } catch (...) {
    // gpusan's lack of memory is not the program's.
  }
}

}  // namespace

void WarnAboutTorch(Tracker& tracker) {
  Runtime& runtime = Runtime::Get();
  if (!runtime.options().torch_blocks || g_reported.load(std::memory_order_relaxed)) return;
  if (tracker.objects().ledger().Of(Api::kCuda).peak_bytes == 0) return;
  void* library = dlopen("libc10_cuda.so", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return;
  dlclose(library);
  runtime.writer()->Warn(
      "torch_blocks: PyTorch reported no block to gpusan; if the program has tensors on a device, "
      "this version of PyTorch is not known, and only its segments were checked");
}

}  // namespace gpusan

// void c10::reportMemoryUsageToProfiler(void*, int64_t, size_t, size_t, c10::Device)
extern "C" __attribute__((visibility("default"), noinline)) void
_ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE(void* pointer, int64_t bytes,
                                                      size_t allocated, size_t reserved,
                                                      gpusan::TorchDevice device) {
  if (device.type == gpusan::kTorchCuda && gpusan::Runtime::Get().options().torch_blocks) {
    gpusan::g_reported.store(true, std::memory_order_relaxed);
    gpusan::NoteReport(pointer, bytes, __builtin_return_address(0), __builtin_frame_address(0));
  }
  if (const gpusan::Report real = gpusan::RealReport(); real != nullptr)
    real(pointer, bytes, allocated, reserved, device);
}
