// How an API says things: supplied by hooks/, so that rules can speak its language without its
// headers.
#pragma once

#include <cstdint>
#include <string>

#include "tracker/objects/object.h"
#include "tracker/objects/resource.h"

namespace gpusan {

struct ScopedConflict;

// Which paragraph of the specification a rule rests on.
enum class Clause : uint8_t {
  kHostAccessFlag,
  kKernelAccessFlag,
  kUsage,
  kFlagConflict,
  kHostPointerFlag,
  kImageRegion,
  kPitch,
  kAlignment,
  kBufferBounds,
  kHostBlock,
  kReferenceCount,
  kWrongKind,
  kContext,
  kSharedPointer,
  kFreeShared,
  kMapping,
  kUnmap,
  kHostMemoryInUse,
  kDeferredDelete,
  kOrdering,
  kSubBufferOverlap,
  kContentUndefined,
  kAlias,  // two resources have the same memory
  kUserEvent,
  kLeak,
  kDeviceFault,
  kBarrier,
  kLayout,
  kOwnership,
  kPending,
  kMemoryBinding,
  kMemoryMapping,
};

class Vocabulary {
 public:
  // "OpenCL 3.0 §5.3.3"; never empty.
  virtual const char* Cite(Clause clause) const = 0;
  // "CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR"
  virtual std::string Flags(const Resource& resource) const = 0;
  // "CL_RGBA/CL_FLOAT, 16 B a texel"
  virtual std::string Format(const ImageInfo& image) const = 0;
  // The element type that would make a texel `texel_bytes` big with the same channels,
  // "CL_UNORM_INT8 or CL_UNSIGNED_INT8"; empty if there is none.
  virtual std::string FittingType(const ImageInfo& image, uint64_t texel_bytes) const = 0;
  // "CL_INVALID_VALUE"
  virtual std::string CodeName(int64_t code) const = 0;
  // What the API calls a handle of this kind: "cl_mem".
  virtual const char* HandleType(ObjectKind kind) const = 0;
  // How to release or wait in this API: "clReleaseMemObject", "clFinish or clWaitForEvents".
  virtual const char* ReleaseCall(ObjectKind kind) const = 0;
  // The same for an object, whose creating call may have a counterpart of its own.
  virtual const char* ReleaseCallOf(const Object& object) const { return ReleaseCall(object.kind); }
  virtual const char* WaitCalls() const = 0;
  // What a kind of object is called: "stream".
  virtual const char* KindName(ObjectKind kind) const { return ObjectKindName(kind); }
  // The same for an object, where creating calls tell kinds apart.
  virtual const char* KindNameOf(const Object& object) const { return KindName(object.kind); }
  // How to find the command behind a fault of the device.
  virtual const char* FaultFinder() const { return "wait behind each command to see which faults"; }
  // What a launch counts: "work items".
  virtual const char* WorkItems() const { return "work items"; }
  // What could order two commands, beside the host: "common stream or event".
  virtual const char* Orderings() const { return "common in-order queue, event or barrier"; }
  // Whether objects are counted: released as often as they were made and retained.
  virtual bool CountsReferences() const { return true; }
  // Whether a host copy of at most 8 bytes may touch memory that a running kernel polls or counts
  // in.
  virtual bool KernelsShareWordsWithHost() const { return false; }
  // Whether objects of kind kUserEvent are of type Event.
  virtual bool HasUserEvents() const { return true; }
  // Whether programs leave objects that hold no memory to the end of the process.
  virtual bool LeavesObjectsToExit() const { return false; }
  // Whether the objects of a context can still be released after a fault of the device.
  virtual bool ReleasesAfterFault() const { return false; }
  // Names of what scopes are made of: "VK_PIPELINE_STAGE_2_COPY_BIT".
  virtual std::string Stages(uint64_t) const { return ""; }
  virtual std::string Accesses(uint64_t) const { return ""; }
  virtual std::string LayoutName(uint32_t) const { return ""; }
  // The barrier that would order the two, as a call of the API.
  virtual std::string BarrierFix(const Resource&, const ScopedConflict&) const { return ""; }
  // What the program calls an object; empty where it gave it no name.
  virtual std::string ObjectName(const Object&) const { return ""; }
  // Where the program says a command is: "shadow pass"; empty for kNoLabel and what is forgotten.
  virtual std::string LabelName(LabelId) const { return ""; }
  // The same behind what the command is called: " in label 'shadow pass'".
  virtual std::string CommandLabel(LabelId) const { return ""; }
  // The barrier that would make what was written so visible to the host.
  virtual std::string HostBarrierFix(uint64_t /*stages*/, uint64_t /*access*/) const { return ""; }
  // How to put `later` behind `earlier`, two entry points.
  virtual std::string OrderFix(const char* earlier, const char* later) const;

 protected:
  ~Vocabulary() = default;  // nobody owns one by its base: they are there for ever
};

}  // namespace gpusan
