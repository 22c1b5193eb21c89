// CUDA's names for objects and calls, and the documentation that the rules cite.
#include "tracker/calls/vocabulary.h"

#include <string_view>

#include "hooks/cuda/arrays/formats.h"
#include "hooks/cuda/call/call.h"
#include "tracker/objects/given_names.h"

namespace gpusan::cuda {
namespace {

// Whether the accesses of the call are completed by a synchronization of its window, not by a
// request.
bool IsOneSided(std::string_view call) {
  for (const std::string_view name : {"MPI_Put", "MPI_Get", "MPI_Accumulate", "MPI_Get_accumulate",
                                      "MPI_Fetch_and_op", "MPI_Compare_and_swap"}) {
    if (call == name) return true;
  }
  return false;
}

class CudaVocabulary final : public Vocabulary {
 public:
  const char* Cite(gpusan::Clause clause) const override {
    static constexpr const char* kTexts[] = {
#define GPUSAN_CLAUSE(clause, opencl, cuda, vulkan, ...) cuda,
#include "tracker/clauses.def"
#undef GPUSAN_CLAUSE
    };
    return kTexts[static_cast<int>(clause)];
  }

  std::string Flags(const Resource& resource) const override {
    if (!resource.has(kKernelReadOnly)) return Hex(resource.native_flags);
    if (resource.has(kKernelWriteOnly)) return "CU_MEM_ACCESS_FLAGS_PROT_NONE";
    return resource.kind == ObjectKind::kMappedMemory ? "CU_MEM_ACCESS_FLAGS_PROT_READ"
                                                      : "CU_MEMHOSTREGISTER_READ_ONLY";
  }
  std::string Format(const ImageInfo& image) const override { return FormatText(image); }
  std::string FittingType(const ImageInfo& image, uint64_t texel_bytes) const override {
    return FittingFormats(image, texel_bytes);
  }

  std::string CodeName(int64_t code) const override {
    const char* name = nullptr;
    const auto query = GPUSAN_CU_REAL(cuGetErrorName);
    if (query == nullptr || query(static_cast<CUresult>(code), &name) != CUDA_SUCCESS || !name)
      return absl::StrCat("CUresult ", code);
    return name;
  }

  std::string ObjectName(const Object& object) const override {
    std::string name = GivenName(object);
    // The handle of the legacy stream is derived from that of its context (streams/contexts.cc).
    if (name.empty() && object.kind == ObjectKind::kQueue && object.context != nullptr &&
        object.handle == (object.context->handle | 1))
      name = "default";
    return name;
  }

  const char* ReleaseCall(ObjectKind kind) const override {
    static constexpr KindText kCalls[] = {
        {ObjectKind::kContext, "cuCtxDestroy"},
        {ObjectKind::kQueue, "cuStreamDestroy"},
        {ObjectKind::kRecordedEvent, "cuEventDestroy"},
        {ObjectKind::kPinned, "cuMemFreeHost or cuMemHostUnregister"},
        {ObjectKind::kImage, "cuArrayDestroy"},
        {ObjectKind::kMipmap, "cuMipmappedArrayDestroy"},
        {ObjectKind::kProgram, "cuModuleUnload"},
        {ObjectKind::kTexture, "cuTexObjectDestroy"},
        {ObjectKind::kSurface, "cuSurfObjectDestroy"},
        {ObjectKind::kGraph, "cuGraphDestroy"},
        {ObjectKind::kGraphExec, "cuGraphExecDestroy"},
        {ObjectKind::kMemoryPool, "cuMemPoolDestroy"},
        {ObjectKind::kPhysicalMemory, "cuMemRelease"},
        {ObjectKind::kMappedMemory, "cuMemUnmap"},
        {ObjectKind::kReservation, "cuMemAddressFree"},
        {ObjectKind::kExternalMemory, "cuDestroyExternalMemory"},
        {ObjectKind::kExternalSemaphore, "cuDestroyExternalSemaphore"},
        {ObjectKind::kUserObject, "cuUserObjectRelease"},
    };
    return TextOfKind(kind, kCalls, "cuMemFree");
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
    return IsBlock(object) ? "block" : KindName(object.kind);
  }
  const char* ReleaseCallOf(const Object& object) const override {
    if (IsBlock(object)) return "gpusan_block_free";
    const std::string_view name = KindNameOf(object);
    if (name == "library") return "cuLibraryUnload";
    if (name == "linker") return "cuLinkDestroy";
    if (object.kind == ObjectKind::kKernel) return "cuModuleUnload or cuLibraryUnload";
    if (object.kind == ObjectKind::kPinned && object.creator != nullptr) {
      const std::string_view creator = object.creator->name;
      if (creator.starts_with("cuMemHostRegister")) return "cuMemHostUnregister";
      if (creator.starts_with("cuMemAllocHost") || creator.starts_with("cuMemHostAlloc"))
        return "cuMemFreeHost";
      if (creator.find("Async") != std::string_view::npos) return "cuMemFreeAsync";
    }
    return ReleaseCall(object.kind);
  }
  bool Retains(ObjectKind kind) const override {
    return kind == ObjectKind::kContext || kind == ObjectKind::kUserObject;
  }
  bool KernelsShareWordsWithHost() const override { return true; }
  bool LeavesObjectsToExit() const override { return true; }
  const char* FaultFinder() const override {
    return "set CUDA_LAUNCH_BLOCKING=1 to find the launch that faults; compute-sanitizer names the "
           "access";
  }
  const char* WorkItems() const override { return "threads"; }
  const char* Orderings() const override { return "common stream, event or legacy stream"; }
  std::string OrderFix(const char* earlier, const char* later) const override {
    if (IsOneSided(earlier)) {
      return absl::StrCat("complete ", earlier, " before ", later,
                          " (MPI_Win_fence, MPI_Win_flush or one of their kind)");
    }
    if (std::string_view(earlier).starts_with("MPI_")) {
      return absl::StrCat("complete the request of ", earlier, " before ", later,
                          " (MPI_Wait, MPI_Test or one of their kind)");
    }
    if (std::string_view(later).starts_with("MPI_")) {
      return absl::StrCat("wait on the host for ", earlier, " before ", later, " (", WaitCalls(),
                          "): MPI knows no streams");
    }
    return absl::StrCat("record an event after ", earlier,
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
