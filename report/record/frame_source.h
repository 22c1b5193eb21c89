// The interface through which the record writer reads call stacks. It keeps report/ independent of
// the hooks.
#pragma once

#include <cstdint>
#include <string_view>

#include "tracker/model/ids.h"

namespace gpusan {

// A return address as a virtual address of a loaded file. Module 0: the file is not known, and
// `offset` is the absolute address.
struct RecordFrame {
  uint32_t module = 0;
  uint64_t offset = 0;
};

// A loaded file. The views stay valid until the process ends. `build_id` is lower-case hexadecimal
// and may be empty.
struct RecordModule {
  std::string_view path;
  std::string_view build_id;
};

inline constexpr int kMaxRecordFrames = 64;

// Thread-safe.
class FrameSource {
 public:
  virtual ~FrameSource() = default;

  // Stores the frames of a call site, innermost first. Returns their number (<= capacity); 0 for
  // kUnknownSite.
  virtual int Frames(SiteId site, RecordFrame* frames, int capacity) const = 0;

  // Returns false for 0 and for unknown ids; *module is unchanged then.
  virtual bool Module(uint32_t id, RecordModule* module) const = 0;
};

}  // namespace gpusan
