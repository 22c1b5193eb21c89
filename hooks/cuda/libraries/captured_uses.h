// The accesses of a library call whose stream is captured. They belong to the kernel nodes that the
// call adds to the graph (graphs/graph_nodes.h), and happen when the graph runs.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "hooks/cuda/libraries/library_call.h"

namespace gpusan::cuda {

// Written by the thread of the call until `complete` is set, then constant.
struct CapturedUses {
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
  std::vector<LibraryAccess> accesses;
  std::vector<uint64_t> kernels;      // the digest of each kernel node, in the order of the nodes
  std::atomic<bool> complete{false};  // the call has succeeded
};

// The accesses of the calling thread's outermost library call; nullptr: it is in no call on a
// captured stream.
extern __attribute__((tls_model(
    "initial-exec"))) constinit thread_local const std::shared_ptr<CapturedUses>* captured_uses;

}  // namespace gpusan::cuda
