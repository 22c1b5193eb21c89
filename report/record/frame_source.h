// What the record writer needs to know about call stacks: a small interface, so that report/ knows
// no hook.
#pragma once

#include <cstdint>
#include <string_view>

#include "tracker/model/ids.h"

namespace gpusan {

// A return address as file virtual address in a loaded file. Module 0: no file known, `offset` is
// the absolute address.
struct RecordFrame {
  uint32_t module = 0;
  uint64_t offset = 0;
};

// A loaded file. The views stay valid for the life of the process. `build_id` is lower-case hex,
// may be empty.
struct RecordModule {
  std::string_view path;
  std::string_view build_id;
};

inline constexpr int kMaxRecordFrames = 64;

// Thread-safe.
class FrameSource {
 public:
  virtual ~FrameSource() = default;

  // The frames of a site, innermost first. Returns the number written (<= capacity); 0 for
  // kUnknownSite.
  virtual int Frames(SiteId site, RecordFrame* frames, int capacity) const = 0;

  // False for 0 or an unknown id.
  virtual bool Module(uint32_t id, RecordModule* module) const = 0;
};

}  // namespace gpusan
