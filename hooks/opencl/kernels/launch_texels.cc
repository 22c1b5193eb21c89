// Kernels that read or write an image by a function for other formats, or outside of the image.
#include "hooks/opencl/kernels/launch_texels.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hooks/opencl/kernels/launch_samplers.h"
#include "hooks/opencl/kernels/launch_sizes.h"
#include "hooks/opencl/words/formats.h"
#include "tracker/calls/sure_access.h"
#include "tracker/calls/texel_overruns.h"

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

// Returns an access of another type that surely happens. Returns nullptr if there is none, and if
// there is also an access of the right type: the kernel may choose between the results.
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

// A write outside of the image is undefined. A read without a sampler is one with
// CLK_ADDRESS_NONE, whose result is undefined there.
void ReportOverrun(ClCall& call, const Kernel& kernel, const TexelOverrun& overrun,
                   const std::string& size) {
  const TexelRange& range = overrun.range;
  const char* const function = FunctionFor(range.type, range.write);
  const char coordinate = "xyz"[range.dimension];
  call.Add(RuleId::kKernelArgumentOutOfBounds)
      .Severe(range.write ? Severity::kError : Severity::kWarning)
      .What(absl::StrCat(ObjectText(kernel, call.words()), ", launched with ", size, ", ",
                         range.write ? "writes" : "reads", " a texel outside of ",
                         ObjectText(*overrun.image, call.words()), " through argument ",
                         range.argument, ": its ", std::string(1, coordinate), " coordinate is ",
                         overrun.coordinate()))
      .Why(absl::StrCat("the ", std::string(1, coordinate), " coordinate of ", function,
                        " must be from 0 to ", overrun.extent() - 1, "; otherwise the ",
                        range.write ? "behavior" : "result of a read without a sampler",
                        " is undefined (OpenCL C 3.0 §6.15.15)"))
      .Fix(range.write
               ? "return before the call in work-items outside of the image, or launch one "
                 "work-item for each texel"
               : "read with a sampler that has CLK_ADDRESS_CLAMP or CLK_ADDRESS_CLAMP_TO_EDGE, or "
                 "keep the coordinates inside of the image")
      .CreatedBy(*overrun.image)
      .About(*overrun.image)
      .About(kernel)
      .Fact("argument", uint64_t{range.argument})
      .Fact("kernel", kernel.name)
      .Fact("launch_size", size)
      .Fact("coordinate", std::to_string(overrun.coordinate()))
      .Fact("extent", overrun.extent());
}

void ReportUnwritten(ClCall& call, const Kernel& kernel, const UnwrittenTexels& unwritten) {
  const Resource& image = *unwritten.image;
  const TexelRange& range = unwritten.range;
  const char coordinate = "xyz"[range.dimension];
  uint64_t written;
  {
    std::lock_guard lock(image.lock);
    written = image.init.WrittenBytes(image.bytes);
  }
  call.Add(RuleId::kPartiallyInitialized)
      .Severe(Severity::kWarning)
      .What(absl::StrCat(ObjectText(kernel, call.words()), " reads texels up to the ",
                         std::string(1, coordinate), " coordinate ", range.last, " of ",
                         ObjectText(image, call.words()), " through argument ", range.argument,
                         ", but nothing has written those from ", unwritten.begin, " on"))
      .Why(absl::StrCat("the content of texels that nothing wrote is undefined (",
                        call.words().Cite(Clause::kContentUndefined), ")"))
      .Fix("write the whole image before the launch, or launch over the written part only")
      .CreatedBy(image)
      .About(image)
      .About(kernel)
      .Fact("argument", uint64_t{range.argument})
      .Fact("kernel", kernel.name)
      .Fact("written_bytes", written)
      .Fact("resource_bytes", image.bytes);
}

}  // namespace

void CheckUnwrittenTexels(ClCall& call, Kernel& kernel, const LaunchShape& shape) {
  if (call.has_findings()) return;
  for (const UnwrittenTexels& unwritten : FindUnwrittenTexels(kernel, shape)) {
    Resource& image = *kernel.arguments[unwritten.range.argument].resource.get();
    if (image.unwritten_reported || image.failed_write_call() != nullptr || image.has(kImported) ||
        call.shadow().MayHoldUnseenWrites(image))
      continue;
    image.unwritten_reported = true;
    ReportUnwritten(call, kernel, unwritten);
  }
}

void CheckTexels(ClCall& call, Kernel& kernel, const LaunchShape& shape, const LaunchSizes& sizes) {
  if (kernel.summary == nullptr) return;
  bool any = false;
  const std::vector<ParameterSummary>& parameters = kernel.summary->parameters;
  for (uint32_t i = 0; i < kernel.arguments.size() && i < parameters.size(); ++i) {
    const Resource* image = ImageOfTexels(kernel, i);
    if (image == nullptr) continue;
    any = true;
    const std::optional<TexelType> right = TexelTypeOf(image->image->native_data_type);
    const SummaryAccess* wrong =
        right ? FindWrong(kernel, shape, parameters[i].accesses, *right) : nullptr;
    if (wrong != nullptr) Report(call, kernel, i, *image, *wrong, *right);
  }
  if (!any) return;
  if (!call.has_findings()) CheckSamplers(call, kernel, shape);
  for (const TexelOverrun& overrun : FindTexelOverruns(kernel, shape))
    ReportOverrun(call, kernel, overrun, SizeText(sizes));
}

}  // namespace gpusan::opencl
