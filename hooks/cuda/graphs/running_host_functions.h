// The host functions and callbacks of streams that run now, by thread. Thread-safe.
#pragma once

#include "tracker/model/ids.h"

namespace gpusan::cuda {

// Marks the calling thread while it runs a host function that a call at the site enqueued
// (kUnknownSite: a node of a graph).
class RunningHostFunction {
 public:
  explicit RunningHostFunction(SiteId enqueued);
  ~RunningHostFunction();
  RunningHostFunction(const RunningHostFunction&) = delete;
  RunningHostFunction& operator=(const RunningHostFunction&) = delete;
};

// True if the calling thread runs a host function; `*enqueued` is then its site.
bool RunsHostFunction(SiteId* enqueued);

}  // namespace gpusan::cuda
