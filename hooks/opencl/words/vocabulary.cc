// The words of OpenCL: names, formats, and the clauses that the rules cite.
#include "hooks/opencl/words/vocabulary.h"

#include <string_view>

#include "hooks/opencl/words/formats.h"
#include "hooks/opencl/words/handle_words.h"
#include "hooks/opencl/words/names.h"
#include "tracker/calls/call.h"
#include "tracker/calls/vocabulary.h"
#include "tracker/objects/given_names.h"
#include "tracker/objects/resource.h"

namespace gpusan::opencl {
namespace {

class OpenClVocabulary final : public Vocabulary {
 public:
  const char* Cite(gpusan::Clause clause) const override {
    static constexpr const char* kTexts[] = {
#define GPUSAN_CLAUSE(clause, opencl, cuda, vulkan, ...) opencl,
#include "tracker/clauses.def"
#undef GPUSAN_CLAUSE
    };
    return kTexts[static_cast<int>(clause)];
  }

  std::string Flags(const Resource& resource) const override {
    return resource.kind == ObjectKind::kSvm ? SvmFlagsText(resource.native_flags)
                                             : MemFlagsText(resource.native_flags);
  }

  std::string Format(const ImageInfo& image) const override {
    return FormatText({static_cast<cl_channel_order>(image.native_order),
                       static_cast<cl_channel_type>(image.native_data_type)});
  }

  std::string FittingType(const ImageInfo& image, uint64_t texel_bytes) const override {
    return FittingTypes(static_cast<cl_channel_order>(image.native_order), texel_bytes,
                        static_cast<cl_channel_type>(image.native_data_type));
  }

  std::string CodeName(int64_t code) const override { return ErrorText(static_cast<cl_int>(code)); }

  const char* ReleaseCall(ObjectKind kind) const override {
    static constexpr KindText kCalls[] = {
        {ObjectKind::kContext, "clReleaseContext"},
        {ObjectKind::kQueue, "clReleaseCommandQueue"},
        {ObjectKind::kSampler, "clReleaseSampler"},
        {ObjectKind::kDevice, "clReleaseDevice"},
        {ObjectKind::kProgram, "clReleaseProgram"},
        {ObjectKind::kKernel, "clReleaseKernel"},
        {ObjectKind::kEvent, "clReleaseEvent"},
        {ObjectKind::kUserEvent, "clReleaseEvent"},
        {ObjectKind::kCommandBuffer, "clReleaseCommandBufferKHR"},
        {ObjectKind::kSemaphore, "clReleaseSemaphoreKHR"},
        {ObjectKind::kSvm, "clSVMFree"},
    };
    return TextOfKind(kind, kCalls, "clReleaseMemObject");
  }

  bool Retains(ObjectKind kind) const override { return kind != ObjectKind::kSvm; }
  std::string ObjectName(const Object& object) const override { return GivenName(object); }
  const char* KindNameOf(const Object& object) const override {
    if (object.kind == ObjectKind::kDevice) return "sub-device";  // root devices are no objects
    return IsBlock(object) ? "block" : KindName(object.kind);
  }

  const char* ReleaseCallOf(const Object& object) const override {
    if (IsBlock(object)) return "gpusan_block_free";
    const std::string_view creator = object.creator != nullptr ? object.creator->name : "";
    if (object.kind == ObjectKind::kSvm && creator == "clSVMAllocARM") return "clSVMFreeARM";
    if (object.kind == ObjectKind::kSvm && creator != "clSVMAlloc") return "clMemFreeINTEL";
    return ReleaseCall(object.kind);
  }

  const char* WaitCalls() const override { return "clFinish or clWaitForEvents"; }
  const char* RecordedOrderFix() const override {
    return "record the later command with the sync point of the earlier one in its "
           "sync_point_wait_list";
  }

  const char* FaultFinder() const override {
    return "call clFinish after each launch to find the one that faults; gpusan run --guard finds "
           "small overruns";
  }

  bool NamesNothing(uintptr_t handle) const override { return NamesNoObject(handle); }
};

}  // namespace

const Vocabulary& Words() {
  static const OpenClVocabulary* const words = new OpenClVocabulary;
  return *words;
}

}  // namespace gpusan::opencl
