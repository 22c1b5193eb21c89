// Kernel nodes of graphs: the arguments they were given, kept so that they can be looked at when
// the graph runs, as those of a plain launch are.
#pragma once

#include <cuda.h>

#include <vector>

#include "hooks/cuda/graphs/graph_nodes.h"
#include "hooks/cuda/kernels/launches.h"

namespace gpusan::cuda {

// Value type; the executable graph's lock (graphs.h) guards it.
class KernelNode {
 public:
  // Copies what the parameters hold: they are the driver's, or the program's for the call.
  void Set(CuCall& call, const CUDA_KERNEL_NODE_PARAMS& params);
  // The parameter is a pointer by the function's name.
  bool IsPointer(uint32_t parameter) const {
    return parameter < function_->parameters.size() &&
           function_->parameters[parameter].type.kind == ParameterKind::kPointer;
  }
  // For findings; nullptr: nothing is known of it.
  const Kernel* kernel() const { return function_ != nullptr ? function_->kernel : nullptr; }
  // As LaunchArguments::Collect does for a launch that `origin` recorded. `own`: memory that comes
  // and goes with launches of the graph, and of which nothing is known while it is away.
  void Collect(CuCall& call, const NodeOrigin& origin, absl::Span<const AddressRange> own,
               LaunchArguments* arguments) const;

 private:
  Function* function_ = nullptr;
  LaunchShape shape_;
  std::vector<unsigned char> packed_;
};

}  // namespace gpusan::cuda
