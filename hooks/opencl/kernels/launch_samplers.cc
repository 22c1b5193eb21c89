// Kernels that read images with samplers that the functions do not support.
#include "hooks/opencl/kernels/launch_samplers.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tracker/calls/sure_access.h"
#include "tracker/model/texel_access.h"

namespace gpusan::opencl {
namespace {

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

struct Fault {
  const char* what = nullptr;
  const char* why = nullptr;
  const char* fix = nullptr;
};

// `what` of the result is nullptr if the function supports the sampler.
Fault FaultOf(const TexelAccess& texel, const Sampler& sampler) {
  if (sampler.linear && texel.type != TexelType::kFloat)
    return {"integers with a linear filter",
            "read_imagei and read_imageui support CLK_FILTER_NEAREST only",
            "use a sampler with CLK_FILTER_NEAREST"};
  if (texel.integer_coordinates) {
    constexpr const char* kWhy =
        "a read with integer coordinates requires a sampler with CLK_FILTER_NEAREST, "
        "CLK_NORMALIZED_COORDS_FALSE, and CLK_ADDRESS_CLAMP_TO_EDGE, CLK_ADDRESS_CLAMP or "
        "CLK_ADDRESS_NONE";
    if (sampler.linear)
      return {"at integer coordinates with a linear filter", kWhy,
              "pass coordinates of a floating-point type, or use CLK_FILTER_NEAREST"};
    if (sampler.normalized)
      return {"at integer coordinates with a sampler for normalized coordinates", kWhy,
              "use a sampler with CLK_NORMALIZED_COORDS_FALSE, or pass coordinates from 0 to 1"};
    if (sampler.repeats)
      return {"at integer coordinates with a sampler that repeats the image", kWhy,
              "use a sampler with CLK_ADDRESS_CLAMP_TO_EDGE, or pass normalized coordinates"};
  }
  if (sampler.repeats && !sampler.normalized)
    return {"with a sampler that repeats the image and has no normalized coordinates",
            "CLK_ADDRESS_REPEAT and CLK_ADDRESS_MIRRORED_REPEAT require "
            "CLK_NORMALIZED_COORDS_TRUE",
            "use normalized coordinates, or CLK_ADDRESS_CLAMP_TO_EDGE"};
  return {};
}

// Returns the fault of the read. Fault::what is nullptr if there is no fault, or if the sampler is
// unknown.
Fault FaultOf(ClCall& call, const Kernel& kernel, const TexelAccess& texel) {
  if (texel.sampler_constant) return FaultOf(texel, ConstantSampler(*texel.sampler_constant));
  if (!texel.sampler_parameter) return {};
  const std::optional<Sampler> sampler = QuerySampler(call, kernel, *texel.sampler_parameter);
  return sampler ? FaultOf(texel, *sampler) : Fault{};
}

// The fault of a read that surely happens, if all reads of the parameter have one: a kernel may use
// the results of some reads only.
Fault FindFault(ClCall& call, const Kernel& kernel, const LaunchShape& shape,
                const std::vector<SummaryAccess>& accesses) {
  Fault found;
  for (const SummaryAccess& access : accesses) {
    const std::optional<TexelAccess> texel = TexelAccessOf(access);
    if (!texel || !texel->sampled) return {};
    const Fault fault = FaultOf(call, kernel, *texel);
    if (fault.what == nullptr) return {};
    if (found.what == nullptr && SurelyExecutes(kernel, shape, access)) found = fault;
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
    const Fault fault = FindFault(call, kernel, shape, parameters[i].accesses);
    if (fault.what == nullptr) continue;
    call.Add(RuleId::kUsageMissing)
        .What(absl::StrCat(ObjectText(kernel, call.words()), " reads ",
                           ObjectText(*image, call.words()), " through argument ", i, " ",
                           fault.what))
        .Why(
            absl::StrCat(fault.why, "; otherwise the values are undefined (OpenCL C 3.0 §6.15.15)"))
        .Fix(fault.fix)
        .CreatedBy(*image)
        .About(*image)
        .About(kernel)
        .Fact("argument", uint64_t{i})
        .Fact("kernel", kernel.name);
  }
}

}  // namespace gpusan::opencl
