// Why a module could not be loaded.
#include "hooks/cuda/images/module_failures.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hooks/common/base/safe_read.h"
#include "hooks/cuda/images/image_sources.h"
#include "tracker/rules/rules.h"

namespace gpusan::cuda {
namespace {

// The properties of the device that an image must match.
struct Target {
  unsigned arch = 0;  // compute capability, 90 for 9.0; 0: unknown
  unsigned ptx = 0;   // newest version of PTX that the driver supports; 0: unknown
  int cuda = 0;       // the driver's version, 13000 for 13.0; 0: unknown
};

Target FindTarget() {
  Target target;
  const auto version = GPUSAN_CU_REAL(cuDriverGetVersion);
  if (version != nullptr && version(&target.cuda) == CUDA_SUCCESS) target.ptx = PtxOf(target.cuda);
  const auto current = GPUSAN_CU_REAL(cuCtxGetDevice);
  const auto attribute = GPUSAN_CU_REAL(cuDeviceGetAttribute);
  CUdevice device = 0;
  int major = 0, minor = 0;
  if (current == nullptr || attribute == nullptr || current(&device) != CUDA_SUCCESS ||
      attribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) != CUDA_SUCCESS ||
      attribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) != CUDA_SUCCESS)
    return target;
  target.arch = static_cast<unsigned>(major * 10 + minor);
  return target;
}

std::string Dotted(unsigned tenfold) { return absl::StrCat(tenfold / 10, ".", tenfold % 10); }

std::string DriverText(const Target& target) {
  if (target.cuda == 0) return "";
  std::string text = absl::StrCat("CUDA ", target.cuda / 1000, ".", target.cuda % 1000 / 10);
  if (target.ptx != 0) absl::StrAppend(&text, ", PTX up to ", Dotted(target.ptx));
  return text;
}

// Returns the first lines joined by " | ", at most 1 KiB, without bytes that are not text.
std::string BeginOfLog(std::string_view log) {
  constexpr size_t kMaxBytes = 1024;
  std::string text;
  for (const char c : log) {
    if (text.size() >= kMaxBytes) return text + "...";
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      if (!text.empty() && text.back() != '\n') text += '\n';
    } else if (byte >= 0x20 && byte < 0x7f) {
      text += c;
    } else if (c == '\t') {
      text += ' ';
    }
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 3)
    text.replace(at, 1, " | ");
  return text;
}

std::string TextOf(const JitLog& log) {
  if (log.buffer == nullptr) return "";
  std::string text(std::min<size_t>(log.bytes, 4096), '\0');
  text.resize(ReadOwnMemory(HandleOf(log.buffer), text.data(), text.size()));
  text.resize(std::strlen(text.c_str()));
  return BeginOfLog(text);
}

// Loads the image once more with a log buffer, to get the compiler's output when the program passed
// no buffer.
std::string CompilerLog(const void* image) {
  const auto load = GPUSAN_CU_REAL(cuModuleLoadDataEx);
  const auto unload = GPUSAN_CU_REAL(cuModuleUnload);
  const auto exchange = GPUSAN_CU_REAL(cuThreadExchangeStreamCaptureMode);
  if (load == nullptr || unload == nullptr) return "";
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  const bool exchanged = exchange != nullptr && exchange(&mode) == CUDA_SUCCESS;
  std::string log(4096, '\0');
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
  CUmodule module = nullptr;
  if (load(&module, image, 2, options, values) == CUDA_SUCCESS) unload(module);
  if (exchanged) exchange(&mode);
  log.back() = '\0';
  log.resize(std::strlen(log.c_str()));
  return BeginOfLog(log);
}

bool HasPtx(const ModuleImage& image) {
  return std::any_of(image.parts.begin(), image.parts.end(),
                     [](const ImagePart& part) { return part.kind == ImagePart::Kind::kPtx; });
}

// Returns why no part of the image can be loaded.
InvalidModule::Flaw MisfitOf(const ModuleImage& image, const Target& target) {
  const bool too_new =
      target.ptx != 0 &&
      std::any_of(image.parts.begin(), image.parts.end(), [&](const ImagePart& part) {
        return part.kind == ImagePart::Kind::kPtx && part.version > target.ptx &&
               (target.arch == 0 || Fits(part, target.arch, 0));
      });
  return too_new ? InvalidModule::Flaw::kPtxTooNew : InvalidModule::Flaw::kNoCode;
}

InvalidModule::Flaw FlawOf(const ModuleImage& image, const Target& target, CUresult code) {
  if (image.form == ModuleImage::Form::kUnreadable || image.form == ModuleImage::Form::kUnknown)
    return InvalidModule::Flaw::kUnreadable;
  if (!image.damage.empty()) return InvalidModule::Flaw::kDamaged;
  const bool fits = std::any_of(image.parts.begin(), image.parts.end(), [&](const ImagePart& part) {
    return Fits(part, target.arch, target.ptx);
  });
  if (target.arch != 0 && !fits && code != CUDA_ERROR_JIT_COMPILER_NOT_FOUND &&
      code != CUDA_ERROR_JIT_COMPILATION_DISABLED)
    return MisfitOf(image, target);
  switch (code) {
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
      return InvalidModule::Flaw::kPtxRejected;
    case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
      return InvalidModule::Flaw::kNoCompiler;
    case CUDA_ERROR_JIT_COMPILATION_DISABLED:
      return InvalidModule::Flaw::kCompilerDisabled;
    default:
      return InvalidModule::Flaw::kRejected;
  }
}

}  // namespace

JitLog JitLogOf(unsigned count, const CUjit_option* options, void* const* values) {
  JitLog errors, information;
  if (options == nullptr || values == nullptr || count > 256) return errors;
  for (unsigned i = 0; i < count; ++i) {
    switch (options[i]) {
      case CU_JIT_ERROR_LOG_BUFFER:
        errors.buffer = static_cast<const char*>(values[i]);
        break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        errors.bytes = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(values[i]));
        break;
      case CU_JIT_INFO_LOG_BUFFER:
        information.buffer = static_cast<const char*>(values[i]);
        break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        information.bytes = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(values[i]));
        break;
      default:
        break;
    }
  }
  return errors.buffer != nullptr && errors.bytes != 0 ? errors : information;
}

ModuleImage ImageAt(CuCall& call, const void* address, uint64_t bytes) {
  return ReadModuleImage(MemoryImageAt(call, address, bytes));
}

ModuleImage ImageInFile(const char* path) {
  const int saved = errno;
  ModuleImage image = ReadModuleImage(FileImage(path));
  errno = saved;
  return image;
}

bool IsImageFailure(CUresult code) {
  switch (code) {
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_PTX:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
    case CUDA_ERROR_JIT_COMPILATION_DISABLED:
    case CUDA_ERROR_INVALID_SOURCE:
    case CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND:
    case CUDA_ERROR_SHARED_OBJECT_INIT_FAILED:
#if CUDA_VERSION >= 12010
    case CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC:
#endif
      return true;
    default:
      return false;
  }
}

void ExplainFailedModule(CuCall& call, CUresult code, const FailedModule& failed) {
  const ModuleImage& image = *failed.image;
  const Target target = FindTarget();
  InvalidModule invalid;
  invalid.module = failed.module;
  invalid.tried = failed.tried;
  invalid.flaw = FlawOf(image, target, code);
  invalid.name = failed.name;
  invalid.image = ImageText(image);
  invalid.damage = image.damage;
  invalid.is_ptx = image.form == ModuleImage::Form::kPtx;
  invalid.has_ptx = HasPtx(image);
  invalid.arch = target.arch;
  if (target.arch != 0) invalid.capability = Dotted(target.arch);
  invalid.driver = DriverText(target);
  invalid.log = TextOf(failed.log);
  if (invalid.log.empty() && failed.address != nullptr && HasPtx(image) &&
      (code == CUDA_ERROR_INVALID_PTX || code == CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND))
    invalid.log = CompilerLog(failed.address);
  rules::OnInvalidModule(invalid, call);
}

void AddJitLog(CuCall& call, const JitLog& log) {
  const std::string text = TextOf(log);
  if (!text.empty()) call.FailureFact(absl::StrCat("the compiler reports: ", text));
}

}  // namespace gpusan::cuda
