// Reads PTX, and expresses what its kernels access by the parameters of OpenCL kernels.
#include "hooks/cuda/kernels/opencl_summaries.h"

#include <algorithm>
#include <string>
#include <utility>

#include "hooks/cuda/kernels/kernel_uses.h"
#include "hooks/cuda/ptx/ptx_access.h"

namespace gpusan::cuda {
namespace {

bool IsConstant(const SummaryFormula& formula) {
  return std::all_of(formula.begin(), formula.end(),
                     [](const SummaryTerm& term) { return term.symbols[0] == kNoSymbol; });
}

bool AreConstant(const std::vector<SummaryFit>& fits) {
  return std::all_of(fits.begin(), fits.end(),
                     [](const SummaryFit& fit) { return IsConstant(fit.value); });
}

// Leaves out what depends on the launch.
SummaryAccess WithoutLaunch(const SummaryAccess& access) {
  const bool same_guards =
      AreConstant(access.fits) &&
      std::all_of(access.guards.begin(), access.guards.end(),
                  [](const SummaryGuard& guard) { return IsConstant(guard.value); });
  const bool same_bytes = IsConstant(access.offset) && AreConstant(access.offset_fits);
  if (same_guards && same_bytes) return access;
  SummaryAccess vague;
  vague.kind = access.kind;
  vague.guarded = access.guarded && same_guards;
  if (same_guards) {
    vague.guards = access.guards;
    vague.fits = access.fits;
  }
  return vague;
}

ParameterSummary WithoutLaunch(const ParameterSummary& parameter) {
  ParameterSummary all;
  all.known = true;
  for (const SummaryAccess& access : parameter.accesses)
    all.accesses.push_back(WithoutLaunch(access));
  return all;
}

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
  const KernelUses uses(access, offsets, sizes);
  if (uses.writes_elsewhere()) return false;
  const size_t count = offsets.size();
  summary->name = named.name;
  summary->parameters.resize(uses.has_updates() ? 2 * count : count);
  for (ParameterSummary& parameter : summary->parameters) parameter.known = true;
  for (const KernelUses::Pointer& pointer : uses.pointers()) {
    const size_t index = pointer.word.parameter;
    if (pointer.view != ViewKind::kNone) return false;  // which texels is not known
    if (pointer.word.offset != 0 || sizes[index] != pointer.word.bytes) return false;
    summary->parameters[index] = WithoutLaunch(pointer.summary);
    if (uses.has_updates()) summary->parameters[count + index] = WithoutLaunch(pointer.updates);
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
