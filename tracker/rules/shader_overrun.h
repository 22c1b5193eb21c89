// Rule event: a shader accesses bytes outside of those that a descriptor covers.
#pragma once

#include <cstdint>
#include <string>

#include "tracker/calls/call.h"
#include "tracker/objects/resource.h"

namespace gpusan::rules {

struct ShaderOverrun {
  const Object* pipeline = nullptr;    // never nullptr
  const Resource* resource = nullptr;  // the buffer of the descriptor; never nullptr
  uint32_t set = 0, binding = 0;
  uint64_t covered = 0;  // the bytes of the descriptor
  // Each byte of [first, last), from the start of the descriptor's range, is accessed; last is
  // greater than `covered`.
  int64_t first = 0, last = 0;
  bool gaps = false;  // only the first and the last byte are known to be accessed
  bool write = false;
  std::string size;  // of the dispatch, as words
  std::string vuid;
};

void OnShaderOverrun(const ShaderOverrun& overrun, Call& call);

}  // namespace gpusan::rules
