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
    kSourceString,   // of a program: has no length, and the block has no NUL character
    kProgramBinary,  // the call writes a binary of `needed` bytes
    kQueryValue,     // the call writes a value of `needed` bytes
  };
  Fault fault = Fault::kSourceString;
  std::string argument;    // "strings[0]"
  HostBlock block;         // contains the pointer
  uint64_t available = 0;  // bytes of the block after the pointer
  uint64_t needed = 0;
};

void OnHostArgument(const HostArgument& use, Call& call);

}  // namespace gpusan::rules
