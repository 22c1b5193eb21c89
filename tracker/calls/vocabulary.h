// The terms of an API for the texts of rules. The hooks implement it, so that rules need no API
// headers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tracker/objects/object.h"
#include "tracker/objects/resource.h"

namespace gpusan {

struct ScopeBarrier;
struct ScopedConflict;

// The subject of the specification's paragraph on which a rule rests. The rows of clauses.def.
enum class Clause : uint8_t {
#define GPUSAN_CLAUSE(clause, ...) clause,
#include "tracker/clauses.def"
#undef GPUSAN_CLAUSE
};

class Vocabulary {
 public:
  // Names the paragraph of the specification: "OpenCL 3.0 §5.3.3". Never empty.
  virtual const char* Cite(Clause clause) const = 0;
  // "CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR"
  virtual std::string Flags(const Resource& resource) const = 0;
  // "CL_RGBA/CL_FLOAT, 16 B a texel"
  virtual std::string Format(const ImageInfo& image) const = 0;
  // The element types that give texels of `texel_bytes` bytes with the same channels:
  // "CL_UNORM_INT8 or CL_UNSIGNED_INT8". Empty if there is none.
  virtual std::string FittingType(const ImageInfo& image, uint64_t texel_bytes) const = 0;
  // "CL_INVALID_VALUE"
  virtual std::string CodeName(int64_t code) const = 0;
  // The calls that release an object or wait in this API: "clReleaseMemObject", "clFinish or
  // clWaitForEvents".
  virtual const char* ReleaseCall(ObjectKind kind) const = 0;
  // Like ReleaseCall(), for an object whose creation call may have its own release call.
  virtual const char* ReleaseCallOf(const Object& object) const { return ReleaseCall(object.kind); }
  virtual const char* WaitCalls() const = 0;
  // The API's name for a kind of object: "stream".
  virtual const char* KindName(ObjectKind kind) const { return ObjectKindName(kind); }
  // Like KindName(), for APIs where the name depends on the creation call.
  virtual const char* KindNameOf(const Object& object) const { return KindName(object.kind); }
  // How the user can find the command that caused a device fault.
  virtual const char* FaultFinder() const {
    return "wait after each command to find the one that faults";
  }
  // The unit of the size of a launch: "work items".
  virtual const char* WorkItems() const { return "work items"; }
  // The means, besides host waits, that can order two commands: "common stream or event".
  virtual const char* Orderings() const { return "common in-order queue, event or barrier"; }
  // True if objects have reference counts: the program releases an object once for its creation and
  // once for each retain.
  virtual bool CountsReferences() const { return true; }
  // True if the program can retain an object of this kind. Otherwise it destroys the object once.
  virtual bool Retains(ObjectKind) const { return CountsReferences(); }
  // True if host copies of up to 8 bytes may access memory that a running kernel polls or uses for
  // counters.
  virtual bool KernelsShareWordsWithHost() const { return false; }
  // True if objects of kind kUserEvent are of type Event.
  virtual bool HasUserEvents() const { return true; }
  // True if programs usually do not release objects without memory before the process ends.
  virtual bool LeavesObjectsToExit() const { return false; }
  // True if the program can still release the objects of a context after a device fault.
  virtual bool ReleasesAfterFault() const { return false; }
  // The API's names for stages, accesses and layouts: "VK_PIPELINE_STAGE_2_COPY_BIT". Those of
  // texts may depend on the program, those of facts do not.
  virtual std::string Stages(uint64_t) const { return ""; }
  virtual std::string Accesses(uint64_t) const { return ""; }
  virtual std::string StagesFact(uint64_t) const { return ""; }
  virtual std::string AccessesFact(uint64_t) const { return ""; }
  // The stages of a barrier as a text: "from A to B".
  virtual std::string BarrierStages(const ScopeBarrier&) const { return ""; }
  virtual std::string LayoutName(uint32_t) const { return ""; }
  // The barrier that orders the two accesses, as a call of the API.
  virtual std::string BarrierFix(const Resource&, const ScopedConflict&) const { return ""; }
  // The program's debug name of an object; empty if it has none.
  virtual std::string ObjectName(const Object&) const { return ""; }
  // The program's debug label of a command: "shadow pass". Empty for kNoLabel and for labels that
  // are no longer stored.
  virtual std::string LabelName(LabelId) const { return ""; }
  // The label as a suffix to the name of the command: " in label 'shadow pass'".
  virtual std::string CommandLabel(LabelId) const { return ""; }
  // The barrier that makes writes with these stages and accesses visible to the host.
  virtual std::string HostBarrierFix(uint64_t /*stages*/, uint64_t /*access*/) const { return ""; }
  // True if a handle that names no known object cannot name any object: the driver would access
  // invalid memory. Reads the memory at the handle.
  virtual bool NamesNothing(uintptr_t /*handle*/) const { return false; }
  // The name of a function in the specification's valid usages: that of the core function of which
  // it is an alias.
  virtual std::string_view CoreName(std::string_view function) const { return function; }
  // The valid usage that the handle in an argument of the function breaks. `parent`: its object
  // belongs to another device. Empty: not known, or the API has no valid usages.
  virtual std::string HandleUsage(std::string_view /*function*/, std::string_view /*argument*/,
                                  bool /*parent*/) const {
    return "";
  }
  // The valid usage that objects break which still exist when their owner, an object of this kind,
  // is destroyed. Empty: not known, or the API has no valid usages.
  virtual std::string LeftoverUsage(ObjectKind /*owner*/) const { return ""; }
  // The change that orders `later` after `earlier` (names of entry points).
  virtual std::string OrderFix(const char* earlier, const char* later) const;
  // The change that orders two commands that were recorded together.
  virtual const char* RecordedOrderFix() const {
    return "add a dependency between the two commands";
  }

 protected:
  ~Vocabulary() = default;  // not virtual: instances are static and never deleted
};

}  // namespace gpusan
