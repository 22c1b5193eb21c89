// libcupti.so of the driver that notifies a subscriber: the functions of CUPTI that gpusan calls.
// With GPUSAN_FAKE_CUPTI=taken another tool is subscribed already.
#include <cupti.h>
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

namespace {

template <typename Function>
Function* OfDriver(const char* name) {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  return driver != nullptr ? reinterpret_cast<Function*>(dlsym(driver, name)) : nullptr;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

CUptiResult CUPTIAPI cuptiSubscribe(CUpti_SubscriberHandle* handle, CUpti_CallbackFunc callback,
                                    void* data) {
  const char* state = std::getenv("GPUSAN_FAKE_CUPTI");
  const auto subscribe = OfDriver<bool(CUpti_CallbackFunc, void*)>("notifying_subscribe");
  if (subscribe == nullptr) return CUPTI_ERROR_NOT_INITIALIZED;
  if ((state != nullptr && std::strcmp(state, "taken") == 0) || !subscribe(callback, data))
    return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  *handle = nullptr;
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiEnableCallback(uint32_t on, CUpti_SubscriberHandle,
                                         CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  const auto enable = OfDriver<void(CUpti_CallbackId, bool)>("notifying_enable");
  if (enable == nullptr || domain != CUPTI_CB_DOMAIN_DRIVER_API)
    return CUPTI_ERROR_INVALID_PARAMETER;
  enable(id, on != 0);
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiGetResultString(CUptiResult, const char** text) {
  *text = "a reason";
  return CUPTI_SUCCESS;
}

}  // extern "C"
#pragma GCC visibility pop
