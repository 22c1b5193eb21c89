// Reads PTX, and expresses what its kernels access by the parameters of OpenCL kernels.
#include "hooks/cuda/summaries/opencl_summaries.h"

#include <string>
#include <utility>

#include "hooks/cuda/ptx/ptx_access.h"
#include "hooks/cuda/summaries/kernel_uses.h"

namespace gpusan::cuda {
namespace {

// Returns false if the summary of the kernel would not be complete.
bool Summarize(const PtxModule& module, const PtxModule::Kernel& named, KernelSummary* summary) {
  const PtxKernel kernel = ReadPtxKernel(module, named);
  const KernelAccess access = Summarize(module, kernel);
  if (!access.known()) return false;
  std::vector<uint32_t> offsets, sizes;
  for (const PtxKernel::Parameter& parameter : kernel.parameters) {
    offsets.push_back(parameter.offset);
    sizes.push_back(parameter.size);
  }
  const KernelUses uses(access, offsets, sizes, LaunchRegisters::kOpenCl);
  if (uses.writes_elsewhere()) return false;
  const size_t count = offsets.size();
  summary->name = named.name;
  summary->parameters.resize(uses.has_updates() ? 2 * count : count);
  for (ParameterSummary& parameter : summary->parameters) parameter.known = true;
  for (const KernelUses::Pointer& pointer : uses.pointers()) {
    const size_t index = pointer.word.parameter;
    if (pointer.view != ViewKind::kNone) return false;  // which texels is not known
    if (pointer.word.offset != 0 || sizes[index] != pointer.word.bytes) return false;
    summary->parameters[index] = pointer.summary;
    if (uses.has_updates()) summary->parameters[count + index] = pointer.updates;
  }
  return true;
}

}  // namespace

std::vector<KernelSummary> SummariesOfPtx(std::string_view text) {
  const PtxModule module = ReadPtxModule(text);
  std::vector<KernelSummary> summaries;
  for (const PtxModule::Kernel& kernel : module.kernels) {
    KernelSummary summary;
    if (Summarize(module, kernel, &summary)) summaries.push_back(std::move(summary));
  }
  return summaries;
}

}  // namespace gpusan::cuda
