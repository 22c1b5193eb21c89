// The fingerprint inside one process: equal for the same defect at the same call site.
#pragma once

#include <cstdint>
#include <string_view>

#include "report/record/frame_source.h"

namespace gpusan {

// FNV-1a over 64 bits: written into files, so it must stay the same on every platform and in every
// version.
class Fingerprint {
 public:
  void Add(std::string_view text);
  void Add(uint64_t number);

  // Adds the base name of the loaded file and the offset in it; of a function without a file the
  // base name of its source file, its name and the position. Of a frame without a file the address
  // is not added.
  void Add(const RecordFrame& frame, const FrameSource& source);

  uint64_t value() const { return hash_; }

 private:
  void AddByte(unsigned char byte) { hash_ = (hash_ ^ byte) * 0x100000001b3u; }

  uint64_t hash_ = 0xcbf29ce484222325u;
};

}  // namespace gpusan
