// Kernels that read or write an image by a function for other formats.
#include "hooks/opencl/commands/launch_texels.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hooks/opencl/words/formats.h"
#include "tracker/calls/sure_access.h"
#include "tracker/model/texel_access.h"

namespace gpusan::opencl {
namespace {

const char* FunctionFor(TexelType type, bool write) {
  switch (type) {
    case TexelType::kFloat:
      return write ? "write_imagef" : "read_imagef";
    case TexelType::kSigned:
      return write ? "write_imagei" : "read_imagei";
    case TexelType::kUnsigned:
      return write ? "write_imageui" : "read_imageui";
  }
  return "";
}

// The access of another type that surely happens; nullptr: there is none, or also one of the right
// type, so that the kernel may choose between the results.
const SummaryAccess* FindWrong(const Kernel& kernel, const LaunchShape& shape,
                               const std::vector<SummaryAccess>& texels, TexelType right) {
  const auto is_other = [right](const SummaryAccess& one) {
    const std::optional<TexelType> type = TexelTypeOf(one);
    return type && *type != right;
  };
  if (!std::all_of(texels.begin(), texels.end(), is_other)) return nullptr;
  const auto found = std::find_if(texels.begin(), texels.end(), [&](const SummaryAccess& one) {
    return SurelyExecutes(kernel, shape, one);
  });
  return found != texels.end() ? &*found : nullptr;
}

void Report(ClCall& call, const Kernel& kernel, uint32_t index, const Resource& image,
            const SummaryAccess& wrong, TexelType right) {
  const bool write = wrong.kind == SummaryAccess::Kind::kWrite;
  const char* const function = FunctionFor(*TexelTypeOf(wrong), write);
  const char* const fitting = FunctionFor(right, write);
  call.Add(RuleId::kUsageMissing)
      .What(absl::StrCat(ObjectText(kernel, call.words()), write ? " writes into " : " reads ",
                         ObjectText(image, call.words()), " through argument ", index, " by ",
                         function))
      .Why(absl::StrCat(write ? "the behavior of " : "the values that ", function,
                        write ? " is" : " returns are",
                        " undefined for the channel data type of this image, which is one for ",
                        fitting, " (OpenCL C 3.0 §6.15.15)"))
      .Fix(absl::StrCat("call ", fitting, ", or create the image with another channel data type"))
      .CreatedBy(image)
      .About(image)
      .About(kernel)
      .Fact("argument", uint64_t{index})
      .Fact("kernel", kernel.name);
}

}  // namespace

void CheckTexels(ClCall& call, const Kernel& kernel, const LaunchShape& shape) {
  if (kernel.summary == nullptr) return;
  const std::vector<ParameterSummary>& parameters = kernel.summary->parameters;
  for (uint32_t i = 0; i < kernel.arguments.size() && i < parameters.size(); ++i) {
    const Resource* image = kernel.arguments[i].resource.get();
    if (parameters[i].known || parameters[i].accesses.empty() || image == nullptr ||
        !image->live() || image->image == nullptr)
      continue;
    const std::optional<TexelType> right = TexelTypeOf(image->image->native_data_type);
    const SummaryAccess* wrong =
        right ? FindWrong(kernel, shape, parameters[i].accesses, *right) : nullptr;
    if (wrong != nullptr) Report(call, kernel, i, *image, *wrong, *right);
  }
}

}  // namespace gpusan::opencl
