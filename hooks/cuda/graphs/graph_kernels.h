// Kernel nodes of graphs: a copy of their arguments, resolved when the graph runs, as those of a
// direct launch are.
#pragma once

#include <cuda.h>

#include <vector>

#include "hooks/cuda/graphs/graph_nodes.h"
#include "hooks/cuda/kernels/launches.h"

namespace gpusan::cuda {

// Value type. Guarded by the executable graph's lock (graphs.h).
class KernelNode {
 public:
  // Copies what the parameters point to: memory of the driver, or of the program during the call.
  void Set(CuCall& call, const CUDA_KERNEL_NODE_PARAMS& params);
  // True if the parameter is a pointer according to the function's name.
  bool IsPointer(uint32_t parameter) const {
    return parameter < function_->parameters.size() &&
           function_->parameters[parameter].type.kind == ParameterKind::kPointer;
  }
  // A number that differs for nodes with different functions, launch sizes or arguments.
  uint64_t Digest() const;
  // The kernel for findings; nullptr: unknown.
  const Kernel* kernel() const { return function_ != nullptr ? function_->kernel : nullptr; }
  // The kernel if its module is unloaded; otherwise nullptr.
  const Kernel* unloaded() const {
    const Kernel* kernel = loaded_.get();
    return kernel != nullptr && !kernel->live() ? kernel : nullptr;
  }
  // As LaunchArguments::Collect, for a launch that `origin` recorded. `own`: memory that exists
  // only during launches of the graph; addresses in it may have no resource.
  void Collect(CuCall& call, const NodeOrigin& origin, absl::Span<const AddressRange> own,
               LaunchArguments* arguments) const;

 private:
  Function* function_ = nullptr;
  WeakRef<const Kernel> loaded_;
  LaunchShape shape_;
  std::vector<unsigned char> packed_;
};

}  // namespace gpusan::cuda
