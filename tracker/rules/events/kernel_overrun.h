// Rule event: the code of a kernel, or a function of a library, accesses bytes outside of the
// memory of an argument.
#pragma once

#include <cstdint>
#include <string>

#include "tracker/calls/call.h"
#include "tracker/objects/kernel.h"
#include "tracker/objects/resource.h"

namespace gpusan::rules {

struct KernelOverrun {
  const Kernel* kernel = nullptr;      // nullptr: the call is of a function of a library
  uint32_t argument = 0;               // index; of a kernel
  const Resource* resource = nullptr;  // never nullptr; the pointer points into it
  uint64_t offset = 0;                 // of the pointer in the resource [bytes]
  // From the pointer, each byte of [first, last) is accessed; some of them are not in the resource.
  int64_t first = 0, last = 0;
  bool gaps = false;  // only the first and the last byte are known to be accessed
  const char* verb = "reads";
  std::string size;  // of the launch of a kernel, as words
  // Set if the launch was recorded earlier and runs now.
  const CallInfo* recorder = nullptr;
  SiteId recorded_at = kUnknownSite;
  const char* operand = "";  // the name of the parameter; of a function of a library
};

void OnKernelOverrun(const KernelOverrun& overrun, Call& call);

}  // namespace gpusan::rules
