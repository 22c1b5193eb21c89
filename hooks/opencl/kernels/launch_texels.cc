// Kernels that read or write an image by a function for other formats, or outside of the image.
#include "hooks/opencl/kernels/launch_texels.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "hooks/opencl/kernels/launch_samplers.h"
#include "hooks/opencl/kernels/launch_sizes.h"
#include "hooks/opencl/words/formats.h"
#include "tracker/calls/sure_access.h"
#include "tracker/calls/texel_overruns.h"
#include "tracker/rules/faults/faulty_call.h"

namespace gpusan::opencl {
namespace {

using rules::CallFault;

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

// The access to the image of argument `index` has another type than its texels.
void Report(ClCall& call, const Kernel& kernel, uint32_t index, const Resource& image,
            const SummaryAccess& wrong, TexelType right) {
  const bool write = wrong.kind == SummaryAccess::Kind::kWrite;
  rules::OnFaultyCall({write ? CallFault::kWritesOtherType : CallFault::kReadsOtherType,
                       {{"argument", uint64_t{index}},
                        {"function", FunctionFor(*TexelTypeOf(wrong), write)},
                        {"fitting", FunctionFor(right, write)},
                        {"kernel", kernel.name}},
                       &image,
                       &kernel},
                      call);
}

std::string AxisOf(const TexelRange& range) { return std::string(1, "xyz"[range.dimension]); }

// A write outside of the image is undefined. A read without a sampler is one with
// CLK_ADDRESS_NONE, whose result is undefined there.
void ReportOverrun(ClCall& call, const Kernel& kernel, const TexelOverrun& overrun,
                   const std::string& size) {
  const TexelRange& range = overrun.range;
  rules::OnFaultyCall({range.write ? CallFault::kWritesOutside : CallFault::kReadsOutside,
                       {{"argument", uint64_t{range.argument}},
                        {"kernel", kernel.name},
                        {"launch_size", size},
                        {"axis", AxisOf(range)},
                        {"coordinate", std::to_string(overrun.coordinate())},
                        {"function", FunctionFor(range.type, range.write)},
                        {"extent", overrun.extent()},
                        {"last", overrun.extent() - 1}},
                       overrun.image,
                       &kernel},
                      call);
}

void ReportUnwritten(ClCall& call, const Kernel& kernel, const UnwrittenTexels& unwritten) {
  const Resource& image = *unwritten.image;
  uint64_t written;
  {
    std::lock_guard lock(image.lock);
    written = image.init.WrittenBytes(image.bytes);
  }
  rules::OnFaultyCall({CallFault::kReadsUnwritten,
                       {{"argument", uint64_t{unwritten.range.argument}},
                        {"kernel", kernel.name},
                        {"axis", AxisOf(unwritten.range)},
                        {"last", unwritten.range.last},
                        {"begin", unwritten.begin},
                        {"written_bytes", written},
                        {"resource_bytes", image.bytes}},
                       &image,
                       &kernel},
                      call);
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
