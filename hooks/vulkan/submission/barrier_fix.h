// The change to the program that orders two conflicting accesses of a queue.
#pragma once

#include <string>
#include <string_view>

#include "tracker/objects/resource.h"
#include "tracker/scopes/scoped_history.h"

namespace gpusan::vulkan {

// Whether the call acquires an image. In a conflict, this call represents the read of the image by
// the presentation engine.
inline bool Acquires(std::string_view call) { return call.starts_with("vkAcquireNextImage"); }

// The fix of a missing-barrier: a wait for a semaphore, a dependency of the render pass, or a
// barrier.
std::string BarrierFix(const Resource& resource, const ScopedConflict& conflict);

}  // namespace gpusan::vulkan
