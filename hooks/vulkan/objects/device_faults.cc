// Findings about calls that exceed what their device has.
#include "hooks/vulkan/objects/device_faults.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/objects/sync_objects.h"

namespace gpusan::vulkan {

void ReportFeature(VkCall& call, std::string_view given, std::string_view feature,
                   std::string vuid) {
  ReportSync(call, *call.device().object, rules::SyncStateUse::Fault::kFeatureNotEnabled,
             absl::StrCat(std::string(given), ", but the feature ", std::string(feature)),
             std::move(vuid));
}

void ReportLimit(VkCall& call, std::string_view given, std::string_view limit, uint64_t most,
                 std::string vuid) {
  ReportSync(
      call, *call.device().object, rules::SyncStateUse::Fault::kAboveLimit,
      absl::StrCat(std::string(given), ", which exceeds ", std::string(limit), ", ", most, ","),
      std::move(vuid));
}

}  // namespace gpusan::vulkan
