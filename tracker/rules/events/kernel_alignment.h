// Rule event: the code of a kernel accesses an address that is not a multiple of the access's size.
#pragma once

#include <cstdint>

#include "tracker/calls/call.h"
#include "tracker/objects/kernel.h"
#include "tracker/objects/resource.h"

namespace gpusan::rules {

struct KernelAlignment {
  const Kernel* kernel = nullptr;      // never nullptr
  uint32_t argument = 0;               // index
  const Resource* resource = nullptr;  // never nullptr; the pointer points into it
  uint64_t offset = 0;                 // of the pointer in the resource [bytes]
  uint32_t alignment = 0;              // that all accesses through the pointer need [bytes]
  bool write = false;
  // Set if the launch was recorded earlier and runs now.
  const CallInfo* recorder = nullptr;
  SiteId recorded_at = kUnknownSite;
};

void OnKernelAlignment(const KernelAlignment& use, Call& call);

}  // namespace gpusan::rules
