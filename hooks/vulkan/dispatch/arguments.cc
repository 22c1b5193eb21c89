// The finding about a required pointer that is NULL.
#include "hooks/vulkan/dispatch/arguments.h"

#include "tracker/rules/events/null_argument.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {

bool ReportNull(VkCall& call, const char* owner, const char* name) {
  rules::OnNullArgument({owner, name, false}, call);
  return false;
}

void ReportNullHandle(VkCall& call) {
  rules::OnNullArgument({call.info().name, "the first argument", true}, call);
}

}  // namespace gpusan::vulkan
