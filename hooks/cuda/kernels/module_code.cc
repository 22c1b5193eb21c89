// The machine code that the driver takes from an image for the devices of the process.
#include "hooks/cuda/kernels/module_code.h"

#include <atomic>
#include <cstdlib>
#include <mutex>

#include "hooks/common/kernel_summaries.h"
#include "hooks/common/modules.h"
#include "hooks/common/process_state.h"
#include "hooks/cuda/call/safe_read.h"

namespace gpusan::cuda {
namespace {

// Copies of the process together [bytes]. Code beyond them stays unknown.
constexpr uint64_t kMaxCopies = uint64_t{512} << 20;
// Larger cubins are unpacked again for each kernel [bytes].
constexpr size_t kMaxKept = size_t{64} << 20;

struct State {
  std::mutex lock;  // guards what follows
  // The cubin that was unpacked last: a program launches several kernels of one.
  uint64_t part = 0;
  std::shared_ptr<const std::vector<unsigned char>> cubin;
};

constinit ProcessState<State> g_state;
constinit std::atomic<uint64_t> g_copied{0};
constinit std::atomic<uint64_t> g_parts{0};
// 0: not known yet.
constinit std::atomic<unsigned> g_capability{0};
constexpr unsigned kNoCapability = ~0u;

const ForkReset g_reset([] { g_state.Forget(); });

// True if the environment makes the driver compile the PTX of images that have machine code too.
bool PrefersPtx() {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' && *value != '0';
  };
  return set("CUDA_FORCE_PTX_JIT") || set("CUDA_FORCE_JIT");
}

// The capability of all devices of the process; kNoCapability if they differ.
unsigned AskCapability() {
  const auto count_of = GPUSAN_CU_REAL(cuDeviceGetCount);
  const auto device_of = GPUSAN_CU_REAL(cuDeviceGet);
  const auto attribute = GPUSAN_CU_REAL(cuDeviceGetAttribute);
  int count = 0;
  if (count_of == nullptr || device_of == nullptr || attribute == nullptr ||
      count_of(&count) != CUDA_SUCCESS || count <= 0)
    return 0;
  unsigned all = 0;
  for (int i = 0; i < count; ++i) {
    CUdevice device = 0;
    int major = 0, minor = 0;
    if (device_of(&device, i) != CUDA_SUCCESS ||
        attribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) != CUDA_SUCCESS ||
        attribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) != CUDA_SUCCESS)
      return 0;
    const auto one = static_cast<unsigned>(major * 10 + minor);
    if (all != 0 && all != one) return kNoCapability;
    all = one;
  }
  return PrefersPtx() ? kNoCapability : all;
}

unsigned Capability() {
  unsigned known = g_capability.load(std::memory_order_relaxed);
  if (known == 0) {
    known = AskCapability();
    g_capability.store(known, std::memory_order_relaxed);
  }
  return known;
}

}  // namespace

bool ModuleCode::Wanted() {
  return kernel_summary_service.load(std::memory_order_acquire) != nullptr;
}

std::shared_ptr<const ModuleCode> ModuleCode::Of(const ImageSource& source,
                                                 const ModuleImage& image, uintptr_t address) {
  if (!Wanted()) return nullptr;
  if (image.parts.empty() || !image.damage.empty()) return nullptr;
  const unsigned capability = Capability();
  if (capability == 0 || capability == kNoCapability) return nullptr;
  auto code = std::make_shared<ModuleCode>();
  for (const size_t i : CodeFor(image, capability)) {
    const ImagePart& found = image.parts[i];
    if (found.bytes == 0 || found.bytes > kMaxUnpackedBytes) return nullptr;
    Part& part = code->parts_.emplace_back();
    part.id = g_parts.fetch_add(1, std::memory_order_relaxed) + 1;
    part.packing = found.packing;
    part.unpacked_bytes = found.unpacked_bytes;
    part.bytes = found.bytes;
    const uintptr_t begin = address + found.offset;
    const uint32_t file = address != 0 ? ResolveFrame(begin).module : 0;
    if (file != 0 && ResolveFrame(begin + found.bytes - 1).module == file) {
      part.address = begin;
      part.file = file;
      continue;
    }
    if (g_copied.load(std::memory_order_relaxed) + found.bytes > kMaxCopies) return nullptr;
    part.copy.resize(found.bytes);
    g_copied.fetch_add(found.bytes, std::memory_order_relaxed);
    if (source.Read(found.offset, part.copy.data(), found.bytes) != found.bytes) return nullptr;
  }
  return code->parts_.empty() ? nullptr : code;
}

ModuleCode::~ModuleCode() {
  for (const Part& part : parts_) g_copied.fetch_sub(part.copy.size(), std::memory_order_relaxed);
}

std::shared_ptr<const std::vector<unsigned char>> ModuleCode::CubinOf(const Part& part) {
  State& state = g_state.Get();
  std::lock_guard lock(state.lock);
  if (state.part == part.id) return state.cubin;
  std::vector<unsigned char> read;
  if (part.address != 0) {
    read.resize(part.bytes);
    if (ResolveFrame(part.address).module != part.file ||
        ReadOwnMemory(part.address, read.data(), read.size()) != read.size())
      return nullptr;
  }
  auto cubin = std::make_shared<std::vector<unsigned char>>();
  if (!Unpack(part.packing, part.address != 0 ? read : part.copy, part.unpacked_bytes, cubin.get()))
    return nullptr;
  const bool keep = cubin->size() <= kMaxKept;
  state.part = keep ? part.id : 0;
  state.cubin = keep ? cubin : nullptr;
  return cubin;
}

bool ModuleCode::SummarizeIn(const Part& part, const std::string& symbol, SummarizedKernel* kernel,
                             bool* found) const {
  const auto cubin = CubinOf(part);
  if (cubin == nullptr) return false;
  const Cubin read = ReadCubin(*cubin);
  for (const CubinKernel& one : read.kernels) {
    if (one.name != symbol) continue;
    // Several parts have the kernel: which one runs is not known.
    if (*found) return false;
    *found = true;
    kernel->parameters = one.parameters;
    kernel->parameter_bytes = one.parameter_bytes;
    kernel->access = cuda::Summarize(one);
  }
  return read.damage.empty();
}

bool ModuleCode::Summarize(const std::string& symbol, SummarizedKernel* kernel) const {
  bool found = false;
  for (const Part& part : parts_) {
    if (!SummarizeIn(part, symbol, kernel, &found)) return false;
  }
  return found;
}

}  // namespace gpusan::cuda
