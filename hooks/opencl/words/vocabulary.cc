// The words of OpenCL: names, formats, and the clauses that the rules cite.
#include "hooks/opencl/words/vocabulary.h"

#include <string_view>

#include "hooks/opencl/words/formats.h"
#include "hooks/opencl/words/names.h"
#include "tracker/calls/call.h"
#include "tracker/calls/vocabulary.h"

namespace gpusan::opencl {
namespace {

class OpenClVocabulary final : public Vocabulary {
 public:
  const char* Cite(gpusan::Clause clause) const override {
    switch (clause) {
      case gpusan::Clause::kHostAccessFlag:
        return "OpenCL 3.0 §5.2.1, CL_MEM_HOST_* flags";
      case gpusan::Clause::kKernelAccessFlag:
        return "OpenCL 3.0 §5.2.1, CL_MEM_READ_ONLY and CL_MEM_WRITE_ONLY";
      case gpusan::Clause::kUsage:
      case gpusan::Clause::kFlagConflict:
        return "OpenCL 3.0 §5.2.1, memory flags";
      case gpusan::Clause::kHostPointerFlag:
        return "OpenCL 3.0 §5.2.1, host_ptr";
      case gpusan::Clause::kImageRegion:
        return "OpenCL 3.0 §5.3.3, origin and region";
      case gpusan::Clause::kPitch:
        return "OpenCL 3.0 §5.2.2 and §5.3.3, row and slice pitch";
      case gpusan::Clause::kAlignment:
        return "OpenCL 3.0 §5.2.1 and §5.2.3, alignment of origins and patterns";
      case gpusan::Clause::kBufferBounds:
        return "OpenCL 3.0 §5.2.2, offset and size";
      case gpusan::Clause::kHostBlock:
        return "OpenCL 3.0 §5.2.2 and §5.3.3, ptr and host_ptr";
      case gpusan::Clause::kReferenceCount:
        return "OpenCL 3.0 §5.5.1 (the rule holds for all objects), reference counts";
      case gpusan::Clause::kWrongKind:
        return "OpenCL 3.0 §5, valid objects";
      case gpusan::Clause::kContext:
        return "OpenCL 3.0 §5, CL_INVALID_CONTEXT";
      case gpusan::Clause::kSharedPointer:
      case gpusan::Clause::kFreeShared:
        return "OpenCL 3.0 §5.6.1, shared virtual memory";
      case gpusan::Clause::kMapping:
        return "OpenCL 3.0 §5.5.3, accessing mapped regions";
      case gpusan::Clause::kUnmap:
        return "OpenCL 3.0 §5.5.2, unmapping";
      case gpusan::Clause::kHostMemoryInUse:
        return "OpenCL 3.0 §5.2.1 and §5.2.2, ptr of non-blocking commands and CL_MEM_USE_HOST_PTR";
      case gpusan::Clause::kDeferredDelete:
        return "OpenCL 3.0 §5.5.1, clReleaseMemObject";
      case gpusan::Clause::kOrdering:
        return "OpenCL 3.0 §5.12 and §5.13, order of commands";
      case gpusan::Clause::kSubBufferOverlap:
        return "OpenCL 3.0 §5.2.1, clCreateSubBuffer";
      case gpusan::Clause::kContentUndefined:
        return "OpenCL 3.0 §5.2.1 and §5.3.1, contents of new memory objects";
      case gpusan::Clause::kUserEvent:
        return "OpenCL 3.0 §5.11, user events";
      case gpusan::Clause::kDeviceFault:
        return "OpenCL 3.0 §5.11";
      case gpusan::Clause::kLeak:
        return "OpenCL 3.0 §5.5.1 (the rule holds for all objects), reference counts";
      default:
        break;
    }
    return "OpenCL 3.0";
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

  const char* HandleType(ObjectKind kind) const override {
    switch (kind) {
      case ObjectKind::kContext:
        return "cl_context";
      case ObjectKind::kQueue:
        return "cl_command_queue";
      case ObjectKind::kSampler:
        return "cl_sampler";
      case ObjectKind::kProgram:
        return "cl_program";
      case ObjectKind::kKernel:
        return "cl_kernel";
      case ObjectKind::kEvent:
      case ObjectKind::kUserEvent:
        return "cl_event";
      case ObjectKind::kCommandBuffer:
        return "cl_command_buffer_khr";
      case ObjectKind::kSemaphore:
        return "cl_semaphore_khr";
      case ObjectKind::kSvm:
        return "void *";
      default:
        return "cl_mem";
    }
  }

  const char* ReleaseCall(ObjectKind kind) const override {
    switch (kind) {
      case ObjectKind::kContext:
        return "clReleaseContext";
      case ObjectKind::kQueue:
        return "clReleaseCommandQueue";
      case ObjectKind::kSampler:
        return "clReleaseSampler";
      case ObjectKind::kProgram:
        return "clReleaseProgram";
      case ObjectKind::kKernel:
        return "clReleaseKernel";
      case ObjectKind::kEvent:
      case ObjectKind::kUserEvent:
        return "clReleaseEvent";
      case ObjectKind::kCommandBuffer:
        return "clReleaseCommandBufferKHR";
      case ObjectKind::kSemaphore:
        return "clReleaseSemaphoreKHR";
      case ObjectKind::kSvm:
        return "clSVMFree";
      default:
        return "clReleaseMemObject";
    }
  }

  const char* ReleaseCallOf(const Object& object) const override {
    const std::string_view creator = object.creator != nullptr ? object.creator->name : "";
    if (object.kind == ObjectKind::kSvm && creator == "clSVMAllocARM") return "clSVMFreeARM";
    if (object.kind == ObjectKind::kSvm && creator != "clSVMAlloc") return "clMemFreeINTEL";
    return ReleaseCall(object.kind);
  }

  const char* WaitCalls() const override { return "clFinish or clWaitForEvents"; }
};

}  // namespace

const Vocabulary& Words() {
  static const OpenClVocabulary* const words = new OpenClVocabulary;
  return *words;
}

}  // namespace gpusan::opencl
