// The machine code that the driver takes from an image for the devices of the process, or the PTX
// that it compiles for them.
#include "hooks/cuda/images/module_code.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "absl/strings/str_cat.h"
#include "hooks/common/base/process_state.h"
#include "hooks/common/base/safe_read.h"
#include "hooks/common/kernel_summaries.h"
#include "hooks/common/sites/modules.h"
#include "hooks/cuda/machine_code/cubin_access.h"
#include "hooks/cuda/ptx/ptx_access.h"

namespace gpusan::cuda {
namespace {

// The most that all copies of the process take together [bytes]. Further code stays unknown.
constexpr uint64_t kMaxCopies = uint64_t{512} << 20;
// The largest part that is kept unpacked [bytes]. Larger ones are unpacked again for each kernel.
constexpr size_t kMaxKept = size_t{64} << 20;
// The longest PTX text that is read [bytes]. Longer ones stay unknown.
constexpr size_t kMaxText = size_t{64} << 20;

struct State {
  std::mutex lock;  // guards what follows
  // The part that was unpacked last, because a program launches several kernels of one part.
  uint64_t part = 0;
  std::shared_ptr<const UnpackedCode> code;
};

constinit ProcessState<State> g_state;
constinit std::atomic<uint64_t> g_copied{0};
constinit std::atomic<uint64_t> g_parts{0};
// The compute capability of all devices, times 10; 0: not known yet.
constinit std::atomic<unsigned> g_capability{0};
constexpr unsigned kNoCapability = ~0u;  // the devices differ

const ForkReset g_reset([] { g_state.Forget(); });

// True if the environment makes the driver compile the PTX of images that have machine code too.
bool PrefersPtx() {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' && *value != '0';
  };
  return set("CUDA_FORCE_PTX_JIT") || set("CUDA_FORCE_JIT");
}

// Returns kNoCapability if the devices differ, and 0 if the driver does not report them.
unsigned QueryCapability() {
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
  return all;
}

unsigned Capability() {
  unsigned known = g_capability.load(std::memory_order_relaxed);
  if (known == 0) {
    known = QueryCapability();
    g_capability.store(known, std::memory_order_relaxed);
  }
  return known;
}

// Returns the parts of a fat binary or an archive that the driver takes for the devices of the
// process; empty if there are none, or if the devices differ.
std::vector<size_t> PartsFor(const ModuleImage& image) {
  const unsigned capability = Capability();
  if (capability == 0 || capability == kNoCapability) return {};
  std::vector<size_t> parts;
  if (!PrefersPtx()) parts = CodeFor(image, capability);
  return parts.empty() ? PtxFor(image, capability) : parts;
}

// The length of a PTX text [bytes], which ends with a zero; 0: too long.
uint64_t TextBytes(const ImageSource& source) {
  std::vector<char> piece(size_t{64} << 10);
  for (uint64_t at = 0; at < kMaxText; at += piece.size()) {
    const size_t count = source.Read(at, piece.data(), piece.size());
    const uint64_t length = strnlen(piece.data(), count);
    if (length < piece.size()) return at + length;
  }
  return 0;
}

}  // namespace

bool ModuleCode::Wanted() {
  return kernel_summary_service.load(std::memory_order_acquire) != nullptr;
}

std::shared_ptr<const ModuleCode> ModuleCode::Of(const ImageSource& source,
                                                 const ModuleImage& image, uintptr_t address) {
  if (!Wanted()) return nullptr;
  if (image.parts.empty() || !image.damage.empty()) return nullptr;
  const bool text = image.form == ModuleImage::Form::kPtx;
  auto code = std::make_shared<ModuleCode>();
  for (const size_t i : text ? std::vector<size_t>{0} : PartsFor(image)) {
    const ImagePart& part = image.parts[i];
    if (!code->Add(source, part, text ? TextBytes(source) : part.bytes, address)) return nullptr;
  }
  return code->parts_.empty() ? nullptr : code;
}

bool ModuleCode::Add(const ImageSource& source, const ImagePart& found, uint64_t bytes,
                     uintptr_t address) {
  if (bytes == 0 || bytes > kMaxUnpackedBytes) return false;
  Part& part = parts_.emplace_back();
  part.id = g_parts.fetch_add(1, std::memory_order_relaxed) + 1;
  part.ptx = found.kind == ImagePart::Kind::kPtx;
  part.packing = found.packing;
  part.unpacked_bytes = found.unpacked_bytes;
  part.bytes = bytes;
  const uintptr_t begin = address + found.offset;
  const uint32_t file = address != 0 ? ResolveFrame(begin).module : 0;
  if (file != 0 && ResolveFrame(begin + bytes - 1).module == file) {
    part.address = begin;
    part.file = file;
    return true;
  }
  if (g_copied.load(std::memory_order_relaxed) + bytes > kMaxCopies) return false;
  part.copy.resize(bytes);
  g_copied.fetch_add(bytes, std::memory_order_relaxed);
  return source.Read(found.offset, part.copy.data(), bytes) == bytes;
}

ModuleCode::~ModuleCode() {
  for (const Part& part : parts_) g_copied.fetch_sub(part.copy.size(), std::memory_order_relaxed);
}

std::shared_ptr<const UnpackedCode> ModuleCode::CodeOf(const Part& part) {
  State& state = g_state.Get();
  std::lock_guard lock(state.lock);
  if (state.part == part.id) return state.code;
  std::vector<unsigned char> read;
  if (part.address != 0) {
    read.resize(part.bytes);
    if (ResolveFrame(part.address).module != part.file ||
        ReadOwnMemory(part.address, read.data(), read.size()) != read.size())
      return nullptr;
  }
  auto code = std::make_shared<UnpackedCode>();
  if (!Unpack(part.packing, part.address != 0 ? read : part.copy, part.unpacked_bytes,
              &code->bytes))
    return nullptr;
  if (part.ptx) {
    code->ptx =
        ReadPtxModule({reinterpret_cast<const char*>(code->bytes.data()), code->bytes.size()});
  } else {
    code->cubin = ReadCubin(code->bytes);
  }
  const bool keep = code->bytes.size() <= kMaxKept;
  state.part = keep ? part.id : 0;
  state.code = keep ? code : nullptr;
  return code;
}

bool ModuleCode::FindIn(const Part& part, const std::string& symbol, FoundKernel* kernel,
                        bool* found) {
  auto code = CodeOf(part);
  if (code == nullptr) return false;
  // If several parts have the kernel, it is unknown which one runs.
  for (const CubinKernel& one : code->cubin.kernels) {
    if (one.name != symbol) continue;
    if (*found) return false;
    *found = true;
    kernel->machine_code_ = &one;
    kernel->parameters_ = one.parameters;
  }
  for (const PtxModule::Kernel& one : code->ptx.kernels) {
    if (one.name != symbol) continue;
    if (*found) return false;
    *found = true;
    kernel->ptx_ = ReadPtxKernel(code->ptx, one);
    kernel->parameters_ = kernel->ptx_.Layout();
    const std::vector<PtxInstruction>& instructions = kernel->ptx_.instructions;
    if (!instructions.empty()) kernel->ptx_bytes_ = instructions.back().offset - one.offset;
  }
  const bool sound = code->cubin.damage.empty() && code->ptx.damage.empty();
  if (*found && kernel->code_ == nullptr) kernel->code_ = std::move(code);
  return sound;
}

bool ModuleCode::Find(const std::string& symbol, FoundKernel* kernel) const {
  bool found = false;
  for (const Part& part : parts_) {
    if (!FindIn(part, symbol, kernel, &found)) return false;
  }
  return found;
}

KernelAccess FoundKernel::Summarize() const {
  return machine_code_ != nullptr ? cuda::Summarize(*machine_code_)
                                  : cuda::Summarize(code_->ptx, ptx_);
}

size_t FoundKernel::code_bytes() const {
  return machine_code_ != nullptr ? machine_code_->code.size() : ptx_bytes_;
}

std::unique_ptr<const ThreadCode> FoundKernel::CopyCode() const {
  return machine_code_ != nullptr ? std::make_unique<const ThreadCode>(*machine_code_) : nullptr;
}

std::string FoundKernel::Content() const {
  if (machine_code_ == nullptr) {
    // The whole text, because its variables belong to the kernel, too.
    return std::string(ptx_.name) + "\n" + std::string(code_->ptx.text);
  }
  const CubinKernel& kernel = *machine_code_;
  std::string content = absl::StrCat(kernel.architecture, " ", kernel.parameter_base, " ",
                                     kernel.parameter_bytes, "\n");
  for (const CodeRelocation& relocation : kernel.relocations)
    absl::StrAppend(&content, relocation.offset, " ");
  for (const TableBranch& branch : kernel.table_branches) {
    absl::StrAppend(&content, branch.offset, ":");
    for (const uint32_t target : branch.targets) absl::StrAppend(&content, target, ",");
  }
  // The functions of the driver that the kernel calls.
  if (kernel.words != nullptr) {
    for (const CodeRelocation& word : *kernel.words)
      absl::StrAppend(&content, word.offset, "=", std::string(word.symbol), " ");
  }
  for (const KernelParameter& parameter : kernel.parameters)
    absl::StrAppend(&content, parameter.offset, ":", parameter.size, " ");
  content.push_back('\n');
  content.append(reinterpret_cast<const char*>(kernel.code.data()), kernel.code.size());
  return content;
}

}  // namespace gpusan::cuda
