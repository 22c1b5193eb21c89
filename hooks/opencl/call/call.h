// What wrappers and handlers share: the call with its door, and the types made from the rows.
#pragma once

#include <CL/cl_icd.h>

#include "hooks/opencl/dispatch/interposition.h"
#include "tracker/call.h"
#include "tracker/tracker.h"

namespace gpusan::opencl {

// A call with the door it came through, so that a handler can ask the driver more.
class ClCall : public Call {
 public:
  ClCall(Tracker& tracker, const CallInfo& info, const void* return_address,
         const void* frame_address, Door door);

  // The real function of another entry point behind the same door (GPUSAN_NEXT); nullptr where the
  // driver has none.
  template <typename Function>
  Function Next(Function cl_icd_dispatch::*member, const char* name) const {
    cl_icd_dispatch& table = NextTable();
    if (table.*member == nullptr) table.*member = reinterpret_cast<Function>(FindNext(name));
    return table.*member;
  }

  Door door() const { return door_; }

  // The end of every handler: reports what was found, and explains a failure that nothing else
  // explains.
  cl_int Done(cl_int code) {
    if (code == CL_SUCCESS && !has_findings()) [[likely]]
      return code;
    return DoneSlow(code);
  }
  // Done for calls that return an object and give the code by pointer. `code` has been stored there
  // already.
  template <typename Handle>
  Handle Done(Handle handle, cl_int code) {
    Done(code);
    return handle;
  }

  // `too_large`: the device has no room for it, whatever the code says.
  void Requested(uint64_t bytes, bool too_large = false) {
    requested_bytes_ = bytes;
    too_large_ = too_large;
  }

 private:
  [[gnu::noinline]] cl_int DoneSlow(cl_int code);
  cl_icd_dispatch& NextTable() const;
  void* FindNext(const char* name) const;

  Door door_;
  uint64_t requested_bytes_ = 0;
  bool too_large_ = false;
};

// The type of a handler: the entry point's, with the call and the real function in front.
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

const Hooks& CurrentHooks();
// The tracker for a call of the program that came through `door`, and counts the call; nullptr:
// pass it on unwatched.
Tracker* Admit(Door door);
const Vocabulary& Words();

}  // namespace gpusan::opencl
