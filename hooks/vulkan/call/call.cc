// One intercepted Vulkan call, as its handler sees it.
#include "hooks/vulkan/call/call.h"

#include "tracker/rules/events/null_argument.h"

namespace gpusan::vulkan {

constinit CallCounter intercepted_calls;

void ReportNullHandle(VkCall& call, ObjectKind kind, const char* argument) {
  // A creation that failed explains the null handle.
  const size_t before = call.finding_count();
  call.tracker().objects().Use(call, kind, 0, argument);
  if (call.finding_count() == before) rules::OnNullArgument({"", argument, true}, call);
}

void VkCall::Close() {
  EmitNow();
  DeliverFindings();
}

void VkCall::DeliverFindings() {
  if (scope_ == nullptr) return;
  Instance* instance = scope_->instance;
  Deliver(&instance->messengers);
}

void VkCall::BeforeRealSlow() {
  if (!may_crash() && !has_error()) return;
  EmitNow();
  if (HasUndelivered()) DeliverFindings();
}

void VkCall::DoneSlow(VkResult code) {
  Finish(code);
  if (code == VK_ERROR_DEVICE_LOST && scope_ != nullptr && scope_ != scope_->instance) {
    OnDeviceLost(*this);
    return Finish(code);
  }
  if (code >= VK_SUCCESS || explained()) return;
  Failure failure;
  failure.code = code;
  failure.facts = FailureFacts();
  failure.requested_bytes = requested_bytes_;
  failure.out_of_memory =
      code == VK_ERROR_OUT_OF_DEVICE_MEMORY || code == VK_ERROR_OUT_OF_HOST_MEMORY;
  // Codes that programs probe for: formats, extensions and pool sizes may be unavailable.
  failure.tolerated = code == VK_ERROR_FORMAT_NOT_SUPPORTED || code == VK_ERROR_OUT_OF_DATE_KHR ||
                      code == VK_ERROR_OUT_OF_POOL_MEMORY || code == VK_ERROR_FRAGMENTED_POOL ||
                      code == VK_ERROR_EXTENSION_NOT_PRESENT ||
                      code == VK_ERROR_LAYER_NOT_PRESENT || code == VK_ERROR_FEATURE_NOT_PRESENT ||
                      code == VK_ERROR_INCOMPATIBLE_DRIVER;
  tracker().ReportFailure(*this, failure);
}

}  // namespace gpusan::vulkan
