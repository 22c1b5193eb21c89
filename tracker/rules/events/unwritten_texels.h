// Rule event: a command keeps the content of texels that nothing has written, in a subresource of
// which other texels are written.
#pragma once

#include <cstdint>

#include "tracker/calls/call.h"
#include "tracker/objects/resource.h"

namespace gpusan::rules {

struct UnwrittenTexels {
  const Resource* image = nullptr;  // never nullptr
  uint32_t mip = 0, layer = 0;
  uint32_t origin[3] = {0, 0, 0}, extent[3] = {0, 0, 0};  // of some of the texels
};

void OnUnwrittenTexels(const UnwrittenTexels& texels, Call& call);

}  // namespace gpusan::rules
