// Rule event: a shader accesses bytes outside of those that a descriptor covers, or outside of a
// buffer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tracker/calls/call.h"
#include "tracker/objects/resource.h"

namespace gpusan::rules {

struct ShaderOverrun {
  const Object* pipeline = nullptr;    // never nullptr
  const Resource* resource = nullptr;  // the buffer of the descriptor; never nullptr
  uint32_t set = 0, binding = 0;
  // The shader knows the buffer by its address in the push constants, and not by a descriptor:
  // where it stands there, and the byte of the buffer that it names.
  std::optional<uint64_t> push_offset;
  uint64_t address_offset = 0;
  uint64_t covered = 0;  // the bytes of the descriptor, or of the buffer from the address on
  // Each byte of [first, last), from the start of the descriptor's range or the address on, is
  // accessed; last is greater than `covered`.
  int64_t first = 0, last = 0;
  bool gaps = false;  // only the first and the last byte are known to be accessed
  bool write = false;
  std::string size;  // of the dispatch or draw, as words
  bool of_draw = false;
  std::string vuid;
};

void OnShaderOverrun(const ShaderOverrun& overrun, Call& call);

}  // namespace gpusan::rules
