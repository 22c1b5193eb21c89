// A driver over another one that tells a subscriber of each call, as NVIDIA's tells CUPTI.
#pragma once

#include <cupti.h>  // has the structs of generated_cuda_meta.h too

#include <cstdint>
#include <cstring>

namespace notifying_driver {

extern const char* const kNames[];  // by slot
extern void* const kFunctions[];    // ours
extern const int kFunctionCount;

// Of functions without arguments.
struct None {};

// The function of the real driver in `slot`.
void* Real(int slot);
// The function of this driver that replaces `real`, or `real` if there is none.
void* ReplacementOf(void* real);
// True if the subscriber enabled callbacks for calls of `id`.
bool IsEnabled(CUpti_CallbackId id);
void CallSubscriber(CUpti_CallbackId id, CUpti_CallbackData* data);
// Loads the tool that CUDA_INJECTION64_PATH names, once.
void LoadTool();

template <typename Params, typename... Arguments>
CUresult Notify(int slot, CUpti_CallbackId id, Arguments... arguments) {
  const auto real = reinterpret_cast<CUresult(CUDAAPI*)(Arguments...)>(Real(slot));
  if (std::strcmp(kNames[slot], "cuInit") == 0) LoadTool();
  Params params{arguments...};
  const bool enabled = IsEnabled(id);
  uint64_t correlation = 0;
  CUpti_CallbackData data = {};
  data.functionName = kNames[slot];
  data.functionParams = sizeof...(arguments) != 0 ? &params : nullptr;
  data.correlationData = &correlation;
  data.callbackSite = CUPTI_API_ENTER;
  if (enabled) CallSubscriber(id, &data);
  // What a subscriber writes into the parameters has no effect.
  CUresult code = real(arguments...);
  if constexpr (requires { params.pfn; }) {
    if (code == CUDA_SUCCESS && params.pfn != nullptr) *params.pfn = ReplacementOf(*params.pfn);
  }
  data.callbackSite = CUPTI_API_EXIT;
  data.functionReturnValue = &code;
  if (enabled) CallSubscriber(id, &data);
  return code;
}

}  // namespace notifying_driver
