// Rule event: the host block behind a pointer argument is too short for what the call reads or
// writes there, apart from transfers.
#pragma once

#include <cstdint>
#include <string>

#include "tracker/calls/call.h"
#include "tracker/memory/host_memory.h"

namespace gpusan::rules {

struct HostArgument {
  enum class Fault : uint8_t {
    kUnterminated,  // a string without a length, and without a NUL character in the block
    kShortResult,   // the call writes `needed` bytes of `result`
  };
  Fault fault = Fault::kUnterminated;
  std::string argument;    // "strings[0]"
  HostBlock block;         // contains the pointer
  uint64_t available = 0;  // bytes of the block after the pointer
  uint64_t needed = 0;
  const char* result = "";
  std::string why, fix;  // each without a period
};

void OnHostArgument(const HostArgument& use, Call& call);

}  // namespace gpusan::rules
