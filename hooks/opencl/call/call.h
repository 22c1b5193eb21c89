// What wrappers and handlers share: the call with its attach path, and the handler types of the
// rows.
#pragma once

#include <CL/cl_icd.h>

#include "hooks/opencl/call/attach_path.h"
#include "tracker/calls/call.h"
#include "tracker/tracker.h"

namespace gpusan::opencl {

// A call of the program with its attach path, by which a handler can call other entry points of the
// same driver. Belongs to the calling thread.
class ClCall : public Call {
 public:
  ClCall(Tracker& tracker, const CallInfo& info, const void* return_address,
         const void* frame_address, AttachPath path);

  // Returns the real function of another entry point on the same attach path (GPUSAN_NEXT), nullptr
  // where the driver has none.
  template <typename Function>
  Function Next(Function cl_icd_dispatch::*member, const char* name) const {
    cl_icd_dispatch& table = real_functions[path_];
    if (table.*member == nullptr) table.*member = reinterpret_cast<Function>(FindNext(name));
    return table.*member;
  }

  AttachPath path() const { return path_; }

  // Ends a handler: reports the findings of the call, and explains a failure that no finding
  // explains. Returns `code`.
  cl_int Done(cl_int code) {
    if (code == CL_SUCCESS && !has_findings()) [[likely]]
      return code;
    return DoneSlow(code);
  }
  // Done for calls that return an object and pass the code by pointer. The handler has stored
  // `code` there already.
  template <typename Handle>
  Handle Done(Handle handle, cl_int code) {
    Done(code);
    return handle;
  }

  // Sets the size of the requested allocation. `too_large`: no device has room for it, whatever
  // error code the call returns.
  void Requested(uint64_t bytes, bool too_large = false) {
    requested_bytes_ = bytes;
    too_large_ = too_large;
  }

 private:
  [[gnu::noinline]] cl_int DoneSlow(cl_int code);
  void* FindNext(const char* name) const;

  AttachPath path_;
  uint64_t requested_bytes_ = 0;
  bool too_large_ = false;
};

// The type of a handler: the entry point's, preceded by the call and the real function.
template <typename Function>
struct HandlerType;
template <typename Result, typename... Arguments>
struct HandlerType<Result(CL_API_CALL*)(Arguments...)> {
  using Type = Result(ClCall& call, Result(CL_API_CALL* next)(Arguments...), Arguments...);
};

#define GPUSAN_CL_HANDLED(name) HandlerType<cl_api_##name>::Type Handle_##name;
#define GPUSAN_CL_PASS(name, reason)
#include "hooks/opencl/entry_points.def"
#undef GPUSAN_CL_HANDLED
#undef GPUSAN_CL_PASS

#define GPUSAN_NEXT(call, name) (call).Next(&cl_icd_dispatch::name, #name)

inline uintptr_t HandleOf(const void* handle) { return reinterpret_cast<uintptr_t>(handle); }

}  // namespace gpusan::opencl
