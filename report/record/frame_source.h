// The interface through which the record writer reads call stacks. It keeps report/ independent of
// the hooks.
#pragma once

#include <cstdint>
#include <string_view>

#include "tracker/model/ids.h"

namespace gpusan {

// A return address as a virtual address of a loaded file. Module 0: the file is not known, and
// `offset` is the absolute address. A module of kFirstFunctionId or above is a function that
// belongs to no loaded file, of an interpreter or of a compiler inside the process: then `offset`
// is SourceOffset(line, column), or CodeOffset(bytes from the start of the function's code).
struct RecordFrame {
  uint32_t module = 0;
  uint64_t offset = 0;
};

inline constexpr uint32_t kFirstFunctionId = uint32_t{1} << 31;
constexpr bool IsFunctionId(uint32_t module) { return module >= kFirstFunctionId; }
constexpr uint64_t SourceOffset(uint32_t line, uint32_t column) {
  return uint64_t{column} << 32 | line;
}
constexpr uint64_t CodeOffset(uint64_t bytes) { return uint64_t{1} << 63 | bytes; }
constexpr bool IsCodeOffset(uint64_t offset) { return offset >> 63 != 0; }
constexpr uint64_t CodeBytes(uint64_t offset) { return offset & ~(uint64_t{1} << 63); }
constexpr uint32_t SourceLine(uint64_t offset) { return static_cast<uint32_t>(offset); }
constexpr uint32_t SourceColumn(uint64_t offset) { return static_cast<uint32_t>(offset >> 32); }

// A loaded file, or a function that belongs to none. The views stay valid until the process ends.
struct RecordModule {
  std::string_view path;      // of the loaded file, or the source file of the function or empty
  std::string_view build_id;  // lower-case hexadecimal; may be empty
  std::string_view function;  // empty: a loaded file
  std::string_view language;  // of the function
  int first_line = 0;         // of the function; 0: not known
};

inline constexpr int kMaxRecordFrames = 64;  // functions of an interpreter precede the others

// Thread-safe.
class FrameSource {
 public:
  virtual ~FrameSource() = default;

  // Looks up the names of functions in the call site that a compiler inside the process created.
  // Frames uses these names. Precondition: the caller holds no lock. May take locks of the loader
  // and of the compiler's runtime.
  virtual void FindNames(SiteId) const {}

  // Stores the frames of a call site, innermost first. Returns their number (<= capacity); 0 for
  // kUnknownSite.
  virtual int Frames(SiteId site, RecordFrame* frames, int capacity) const = 0;

  // Returns false for 0 and for unknown ids; *module is unchanged then.
  virtual bool Module(uint32_t id, RecordModule* module) const = 0;
};

}  // namespace gpusan
