// The call with its attach path, and the types of handlers' members, for wrappers and handlers.
#pragma once

#include "hooks/opencl/words/dispatch_table.h"

#include "hooks/common/handler.h"
#include "hooks/common/retried_failures.h"
#include "hooks/opencl/call/attach_path.h"
#include "hooks/opencl/words/vocabulary.h"
#include "tracker/calls/call.h"
#include "tracker/tracker.h"

namespace gpusan::opencl {

// The start of an intercepted call: the parts from which a ClCall is made. Cheap to construct.
struct ClCallStart {
  Tracker& tracker;
  const CallInfo& info;
  const void* return_address;
  const void* frame_address;
  AttachPath path;
  // The variable for the error code if the function returns an object and passes the code by
  // pointer (errcode_ret); otherwise nullptr. Set also if the program passes NULL.
  cl_int* code = nullptr;
};

// A call of the program with its attach path, by which a handler can call other entry points of the
// same driver. Belongs to the calling thread.
class ClCall : public Call {
 public:
  explicit ClCall(const ClCallStart& start)
      : Call(start.tracker, start.info, Words(), start.return_address, start.frame_address),
        path_(start.path),
        code_(start.code) {}

  // Returns the real function of another entry point on the same attach path (GPUSAN_NEXT), nullptr
  // where the driver has none.
  template <typename Function>
  Function Next(Function cl_icd_dispatch::*member, const char* name) const {
    cl_icd_dispatch& table = real_functions[path_];
    if (table.*member == nullptr) {
      const auto offset = static_cast<size_t>(reinterpret_cast<const char*>(&(table.*member)) -
                                              reinterpret_cast<const char*>(&table));
      SetRealFunction(path_, offset, FindNext(name));
    }
    return table.*member;
  }

  AttachPath path() const { return path_; }

  // Returns the code of a function that returns an object and passes the code by pointer.
  // CL_SUCCESS before the real call, and for functions without such a parameter.
  cl_int code() const { return code_ != nullptr ? *code_ : CL_SUCCESS; }

  // Returns whether the call must not reach the driver (Hooks::shield): an argument names no usable
  // object, and the call has a finding about it.
  bool Refused() const;
  // The code of a call that Refused(), as the API defines it for the argument. SetRefusal also
  // stores it where a function that returns an object passes its code.
  cl_int RefusalCode() const;
  void SetRefusal() {
    if (code_ != nullptr) *code_ = RefusalCode();
  }

  // States that a failure of the call is not a finding: the program probes.
  void IgnoreFailure() { failure_ignored_ = true; }

  // The wrapper ends a call with one of the following functions: it reports the findings of the
  // call, and explains a failure that no finding explains.
  void Done(cl_int code) {
    if (code == CL_SUCCESS && !has_findings() && !AnyKeptFailure()) [[likely]]
      return;
    DoneSlow(code);
  }
  // For a function that returns an object.
  void Done(const void* object) { Done(object != nullptr ? CL_SUCCESS : code()); }
  // For a function that returns nothing.
  void Done() { Finish(CL_SUCCESS); }

  // Sets the size of the requested allocation. `too_large`: no device has room for it, whatever
  // error code the call returns.
  void Requested(uint64_t bytes, bool too_large = false) {
    requested_bytes_ = bytes;
    too_large_ = too_large;
  }

 private:
  [[gnu::noinline]] void DoneSlow(cl_int code);
  // Returns the clauses that may explain `code`; a single one if the reason is known.
  std::string Clauses(cl_int code) const;
  void* FindNext(const char* name) const;

  AttachPath path_;
  cl_int* code_;
  uint64_t requested_bytes_ = 0;
  bool too_large_ = false;
  bool failure_ignored_ = false;
};

// The types of the members of a handler (HandlerTypes).
//
//   BeforeOf<cl_api_clFinish> Before;  // void Before(ClCall& call, cl_command_queue queue);
template <typename Function>
using BeforeOf = typename HandlerTypes<ClCall, Function>::Before;
template <typename Function>
using AfterOf = typename HandlerTypes<ClCall, Function>::After;

#define GPUSAN_NEXT(call, name) (call).Next(&cl_icd_dispatch::name, #name)

inline uintptr_t HandleOf(const void* handle) { return reinterpret_cast<uintptr_t>(handle); }

}  // namespace gpusan::opencl
