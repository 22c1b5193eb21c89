// Kernel nodes of graphs.
#include "hooks/cuda/graphs/graph_kernels.h"

#include <cstring>
#include <functional>
#include <string_view>

namespace gpusan::cuda {

void KernelNode::Set(CuCall& call, const CUDA_KERNEL_NODE_PARAMS& params) {
  function_ = FunctionOf(call, params.func, params.kern);
  loaded_ = WeakRef<const Kernel>(function_->kernel);
  shape_ = {{params.gridDimX, params.gridDimY, params.gridDimZ},
            {params.blockDimX, params.blockDimY, params.blockDimZ},
            params.sharedMemBytes};
  packed_.clear();
  if (params.kernelParams == nullptr) {
    const PackedArguments given(params.extra);
    if (given.begin != nullptr) packed_.assign(given.begin, given.begin + given.bytes);
    return;
  }
  for (size_t i = 0; i < function_->parameters.size(); ++i) {
    const Parameter& parameter = function_->parameters[i];
    const size_t end = size_t{parameter.offset} + parameter.bytes;
    if (packed_.size() < end) packed_.resize(end);
    if (params.kernelParams[i] != nullptr)
      std::memcpy(packed_.data() + parameter.offset, params.kernelParams[i], parameter.bytes);
  }
}

uint64_t KernelNode::Digest() const {
  const auto of = [](const void* bytes, size_t count) {
    return std::hash<std::string_view>()({static_cast<const char*>(bytes), count});
  };
  const uint64_t parts[] = {reinterpret_cast<uintptr_t>(function_),
                            of(shape_.grid, sizeof(shape_.grid)),
                            of(shape_.block, sizeof(shape_.block)), shape_.shared_bytes,
                            of(packed_.data(), packed_.size())};
  return of(parts, sizeof(parts));
}

void KernelNode::Collect(CuCall& call, const NodeOrigin& origin, absl::Span<const AddressRange> own,
                         LaunchArguments* arguments) const {
  size_t bytes = packed_.size();
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, const_cast<unsigned char*>(packed_.data()),
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  arguments->RecordedBy(origin.call, origin.site, own);
  arguments->Collect(call, *function_, shape_, nullptr, extra);
}

}  // namespace gpusan::cuda
