// Copies within one buffer or image whose regions overlap.
#include "hooks/vulkan/transfers/copy_overlaps.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/objects/sync_objects.h"

namespace gpusan::vulkan {
namespace {

// "VkCopyBufferInfo2" for vkCmdCopyBuffer2, otherwise the name of the command.
std::string SubjectOf(std::string_view command) {
  if (command.ends_with("KHR")) command.remove_suffix(3);
  if (!command.ends_with("2")) return std::string(command);
  constexpr std::string_view kPrefix = "vkCmd";
  return absl::StrCat(
      "Vk", std::string(command.substr(kPrefix.size(), command.size() - kPrefix.size() - 1)),
      "Info2");
}

std::string PartText(const Extent& part, size_t region) {
  const std::string name = absl::StrCat("pRegions[", region, "]");
  if (part.is_image) return name;
  return absl::StrCat("bytes ", part.region.offset, " to ", part.region.end() - 1, " (", name, ")");
}

}  // namespace

void CheckOverlaps(VkCall& call, const Resource& resource, const std::vector<CopiedPart>& parts,
                   const char* number) {
  constexpr size_t kMostCompared = 256;
  const size_t count = std::min(parts.size(), kMostCompared);
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = 0; j < count; ++j) {
      const Extent &read = parts[i].read, &written = parts[j].written;
      if (!Overlaps(read, written)) continue;
      return ReportSync(call, resource, rules::SyncStateUse::Fault::kRegionsOverlap,
                        absl::StrCat("the source of ", PartText(read, i),
                                     " and the destination of ", PartText(written, j)),
                        absl::StrCat(SubjectOf(call.info().name), "-pRegions-", number));
    }
  }
}

}  // namespace gpusan::vulkan
