// CUDA's names for objects and calls, and the documentation that the rules cite.
#include "tracker/calls/vocabulary.h"

#include <string_view>

#include "hooks/cuda/call/call.h"
#include "hooks/cuda/memory/formats.h"

namespace gpusan::cuda {
namespace {

class CudaVocabulary final : public Vocabulary {
 public:
  const char* Cite(gpusan::Clause clause) const override {
    switch (clause) {
      case gpusan::Clause::kImageRegion:
        return "CUDA driver API, CUDA_MEMCPY3D: the range must lie in the array";
      case gpusan::Clause::kUsage:
        return "CUDA driver API, cuArray3DCreate and cuSurfObjectCreate";
      case gpusan::Clause::kPitch:
        return "CUDA driver API, CUDA_MEMCPY2D: pitches";
      case gpusan::Clause::kAlignment:
        return "CUDA driver API, alignment of addresses and array elements";
      case gpusan::Clause::kBufferBounds:
        return "CUDA driver API, memory management: the range must lie in one allocation";
      case gpusan::Clause::kHostBlock:
        return "CUDA driver API, memory management: host pointers";
      case gpusan::Clause::kSharedPointer:
        return "CUDA driver API, unified addressing";
      case gpusan::Clause::kFreeShared:
        return "CUDA driver API, cuMemFree, cuMemFreeHost and cuMemHostUnregister";
      case gpusan::Clause::kHostMemoryInUse:
        return "CUDA driver API, api-sync-behavior, and cuMemHostRegister";
      case gpusan::Clause::kOrdering:
        return "CUDA driver API, stream-sync-behavior and cuStreamWaitEvent";
      case gpusan::Clause::kContentUndefined:
        return "CUDA driver API, cuMemAlloc: the memory is not cleared";
      case gpusan::Clause::kDeviceFault:
        return "CUDA driver API, CUresult";
      case gpusan::Clause::kReferenceCount:
        return "CUDA driver API, module, stream, event and graph management";
      case gpusan::Clause::kContext:
        return "CUDA driver API, cuEventRecord, cuLaunchKernel and cuCtxEnablePeerAccess";
      case gpusan::Clause::kWrongKind:
        return "CUDA driver API, CUresult: CUDA_ERROR_INVALID_HANDLE";
      case gpusan::Clause::kLeak:
        return "CUDA driver API, memory management";
      default:
        return "CUDA driver API";
    }
  }

  std::string Flags(const Resource& resource) const override { return Hex(resource.native_flags); }
  std::string Format(const ImageInfo& image) const override { return FormatText(image); }
  std::string FittingType(const ImageInfo& image, uint64_t texel_bytes) const override {
    return FittingFormats(image, texel_bytes);
  }

  std::string CodeName(int64_t code) const override {
    const char* name = nullptr;
    const auto ask = GPUSAN_CU_REAL(cuGetErrorName);
    if (ask == nullptr || ask(static_cast<CUresult>(code), &name) != CUDA_SUCCESS || !name)
      return absl::StrCat("CUresult ", code);
    return name;
  }

  const char* HandleType(ObjectKind) const override { return "CUdeviceptr"; }
  const char* ReleaseCall(ObjectKind kind) const override {
    switch (kind) {
      case ObjectKind::kContext:
        return "cuCtxDestroy";
      case ObjectKind::kQueue:
        return "cuStreamDestroy";
      case ObjectKind::kRecordedEvent:
        return "cuEventDestroy";
      case ObjectKind::kPinned:
        return "cuMemFreeHost or cuMemHostUnregister";
      case ObjectKind::kImage:
        return "cuArrayDestroy";
      case ObjectKind::kMipmap:
        return "cuMipmappedArrayDestroy";
      case ObjectKind::kProgram:
        return "cuModuleUnload";
      case ObjectKind::kTexture:
        return "cuTexObjectDestroy";
      case ObjectKind::kSurface:
        return "cuSurfObjectDestroy";
      case ObjectKind::kGraph:
        return "cuGraphDestroy";
      case ObjectKind::kGraphExec:
        return "cuGraphExecDestroy";
      case ObjectKind::kMemoryPool:
        return "cuMemPoolDestroy";
      case ObjectKind::kPhysicalMemory:
        return "cuMemRelease";
      case ObjectKind::kMappedMemory:
        return "cuMemUnmap";
      case ObjectKind::kReservation:
        return "cuMemAddressFree";
      case ObjectKind::kExternalMemory:
        return "cuDestroyExternalMemory";
      case ObjectKind::kExternalSemaphore:
        return "cuDestroyExternalSemaphore";
      default:
        return "cuMemFree";
    }
  }

  const char* WaitCalls() const override {
    return "cuStreamSynchronize, cuEventSynchronize or cuCtxSynchronize";
  }

  const char* KindName(ObjectKind kind) const override {
    switch (kind) {
      case ObjectKind::kQueue:
        return "stream";
      case ObjectKind::kImage:
        return "array";
      case ObjectKind::kProgram:
        return "module";
      default:
        return ObjectKindName(kind);
    }
  }
  // Modules, libraries and linkers are one kind of object; the call that created an object
  // distinguishes them.
  const char* KindNameOf(const Object& object) const override {
    if (object.kind == ObjectKind::kProgram && object.creator != nullptr) {
      const std::string_view creator = object.creator->name;
      if (creator.substr(0, 13) == "cuLibraryLoad") return "library";
      if (creator.substr(0, 12) == "cuLinkCreate") return "linker";
    }
    return KindName(object.kind);
  }
  const char* ReleaseCallOf(const Object& object) const override {
    const std::string_view name = KindNameOf(object);
    if (name == "library") return "cuLibraryUnload";
    if (name == "linker") return "cuLinkDestroy";
    if (object.kind == ObjectKind::kKernel) return "cuModuleUnload or cuLibraryUnload";
    return ReleaseCall(object.kind);
  }
  bool KernelsShareWordsWithHost() const override { return true; }
  bool LeavesObjectsToExit() const override { return true; }
  const char* FaultFinder() const override {
    return "CUDA_LAUNCH_BLOCKING=1 makes the launch itself fail, compute-sanitizer names the "
           "access";
  }
  const char* WorkItems() const override { return "threads"; }
  const char* Orderings() const override { return "common stream, event or legacy stream"; }
  std::string OrderFix(const char* earlier, const char* later) const override {
    return absl::StrCat("record an event behind ", earlier,
                        " in its stream (cuEventRecord) and let the stream of ", later,
                        " wait for it (cuStreamWaitEvent), or wait on the host between them (",
                        WaitCalls(), ")");
  }
};

}  // namespace

const Vocabulary& Words() {
  static const CudaVocabulary* const words = new CudaVocabulary;
  return *words;
}

}  // namespace gpusan::cuda
