// Rule event: a command that copies exceeds a limit of its API, or names what its image lacks.
#pragma once

#include <cstdint>

#include "tracker/calls/call.h"
#include "tracker/objects/resource.h"

namespace gpusan::rules {

struct CopyLimit {
  enum class Fault : uint8_t {
    kUpdateBytes,  // an update of `bytes`, of which `most` are allowed
    kAspect,       // a region names the aspect `aspect`, which the format of the image lacks
  };
  Fault fault = Fault::kUpdateBytes;
  const Resource* resource = nullptr;  // never nullptr
  uint64_t bytes = 0, most = 0;
  const char* aspect = "";
  const char* vuid = "";
};

void OnCopyLimit(const CopyLimit& limit, Call& call);

}  // namespace gpusan::rules
