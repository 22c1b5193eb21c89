// Kernels that read images with samplers that the functions do not support.
#include "hooks/opencl/kernels/launch_samplers.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "tracker/calls/sure_access.h"
#include "tracker/model/texel_access.h"
#include "tracker/rules/faults/faulty_call.h"

namespace gpusan::opencl {
namespace {

using rules::CallFault;

struct Sampler {
  bool normalized = false;
  bool repeats = false;  // CL_ADDRESS_REPEAT or CL_ADDRESS_MIRRORED_REPEAT
  bool linear = false;
};

// The CLK_* values of clang and of SPIR.
Sampler ConstantSampler(uint32_t value) {
  constexpr uint32_t kNormalized = 1, kAddress = 0xe, kRepeat = 6, kMirrored = 8, kLinear = 0x20;
  const uint32_t address = value & kAddress;
  return {(value & kNormalized) != 0, address == kRepeat || address == kMirrored,
          (value & kLinear) != 0};
}

std::optional<Sampler> QuerySampler(ClCall& call, const Kernel& kernel, uint32_t index) {
  const Object* object = index < kernel.samplers.size() ? kernel.samplers[index].get() : nullptr;
  const auto get = GPUSAN_NEXT(call, clGetSamplerInfo);
  if (object == nullptr || !object->live() || get == nullptr) return std::nullopt;
  auto* const sampler = reinterpret_cast<cl_sampler>(object->handle);
  cl_bool normalized = CL_FALSE;
  cl_addressing_mode address = 0;
  cl_filter_mode filter = 0;
  if (get(sampler, CL_SAMPLER_NORMALIZED_COORDS, sizeof(normalized), &normalized, nullptr) !=
          CL_SUCCESS ||
      get(sampler, CL_SAMPLER_ADDRESSING_MODE, sizeof(address), &address, nullptr) != CL_SUCCESS ||
      get(sampler, CL_SAMPLER_FILTER_MODE, sizeof(filter), &filter, nullptr) != CL_SUCCESS)
    return std::nullopt;
  return Sampler{normalized != CL_FALSE,
                 address == CL_ADDRESS_REPEAT || address == CL_ADDRESS_MIRRORED_REPEAT,
                 filter == CL_FILTER_LINEAR};
}

// Returns nullopt if the function supports the sampler.
std::optional<CallFault> FaultOf(const TexelAccess& texel, const Sampler& sampler) {
  if (sampler.linear && texel.type != TexelType::kFloat) return CallFault::kIntegersFiltered;
  if (texel.integer_coordinates) {
    if (sampler.linear) return CallFault::kFilteredAtIntegers;
    if (sampler.normalized) return CallFault::kNormalizedAtIntegers;
    if (sampler.repeats) return CallFault::kRepeatedAtIntegers;
  }
  if (sampler.repeats && !sampler.normalized) return CallFault::kRepeatedUnnormalized;
  return std::nullopt;
}

// Returns the fault of the read; nullopt: none, or the sampler is unknown.
std::optional<CallFault> FaultOf(ClCall& call, const Kernel& kernel, const TexelAccess& texel) {
  if (texel.sampler_constant) return FaultOf(texel, ConstantSampler(*texel.sampler_constant));
  if (!texel.sampler_parameter) return std::nullopt;
  const std::optional<Sampler> sampler = QuerySampler(call, kernel, *texel.sampler_parameter);
  return sampler ? FaultOf(texel, *sampler) : std::nullopt;
}

// The fault of a read that surely happens, if all reads of the parameter have one: a kernel may use
// the results of some reads only.
std::optional<CallFault> FindFault(ClCall& call, const Kernel& kernel, const LaunchShape& shape,
                                   const std::vector<SummaryAccess>& accesses) {
  std::optional<CallFault> found;
  for (const SummaryAccess& access : accesses) {
    const std::optional<TexelAccess> texel = TexelAccessOf(access);
    if (!texel || !texel->sampled) return std::nullopt;
    const std::optional<CallFault> fault = FaultOf(call, kernel, *texel);
    if (!fault) return std::nullopt;
    if (!found && SurelyExecutes(kernel, shape, access)) found = fault;
  }
  return found;
}

}  // namespace

const Resource* ImageOfTexels(const Kernel& kernel, uint32_t index) {
  const ParameterSummary& parameter = kernel.summary->parameters[index];
  const Resource* image = kernel.arguments[index].resource.get();
  const bool accessed = !parameter.known && !parameter.accesses.empty();
  return accessed && image != nullptr && image->live() && image->image != nullptr ? image : nullptr;
}

void CheckSamplers(ClCall& call, const Kernel& kernel, const LaunchShape& shape) {
  const std::vector<ParameterSummary>& parameters = kernel.summary->parameters;
  for (uint32_t i = 0; i < kernel.arguments.size() && i < parameters.size(); ++i) {
    const Resource* image = ImageOfTexels(kernel, i);
    if (image == nullptr) continue;
    const std::optional<CallFault> fault = FindFault(call, kernel, shape, parameters[i].accesses);
    if (!fault) continue;
    rules::OnFaultyCall(
        {*fault, {{"argument", uint64_t{i}}, {"kernel", kernel.name}}, image, &kernel}, call);
  }
}

}  // namespace gpusan::opencl
