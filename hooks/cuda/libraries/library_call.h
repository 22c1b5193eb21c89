// One call of a library above the driver (cuBLAS, cuFFT, NCCL, ...) whose accesses a row of
// libraries/*.def describes.
//
// The accesses are recorded as one command of the call's stream, before the library enqueues
// anything: a wait inside the call covers them. The effect of a row adds only accesses that the
// library certainly makes, and none if they are unknown. The launches of the library
// then hold the memory (kernels/library_scope.h). Accesses on a captured stream are those of the
// graph's nodes (captured_uses.h); groups on captured streams record nothing.
//
// A call of the host (MPI) has no stream: its accesses are compared with pending commands. They are
// not recorded, except the reads of a request and the writes of a request that receives
// (requests.h).
//
// A call object belongs to one thread.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "hooks/common/base/bound_function.h"
#include "hooks/common/sites/modules.h"
#include "hooks/cuda/call/call.h"
#include "hooks/cuda/kernels/library_scope.h"
#include "hooks/cuda/libraries/operands.h"
#include "hooks/cuda/libraries/requests.h"
#include "hooks/cuda/streams/stream_command.h"
#include "tracker/base/spin_lock.h"
#include "tracker/model/region.h"

namespace gpusan::cuda {

struct LibraryAccess {
  uintptr_t address = 0;
  Region region;  // from `address` on
  bool read = false;
  bool write = false;
  bool sure = true;      // false: the interface allows the access
  bool content = false;  // the results depend on what the memory holds
  Operand operand = Operand::kNone;
};

class Sibling;
struct CapturedUses;

class LibraryCall {
 public:
  static constexpr uint32_t kMostAccesses = 8;

  // `real`: the library's function.
  LibraryCall(Tracker& tracker, const CuInfo& info, const void* real, const void* return_address,
              const void* frame_address)
      : fast_(tracker, info, return_address, frame_address, AttachPath::kPreload), real_(real) {}
  // A call whose site is captured already.
  LibraryCall(const FastCall& fast, const void* real) : fast_(fast), real_(real) {}
  ~LibraryCall() { LeaveScope(); }
  LibraryCall(const LibraryCall&) = delete;
  LibraryCall& operator=(const LibraryCall&) = delete;

  // True if the calling thread is in a library call that recorded accesses. Calls that a library
  // makes of another library are part of the outer call.
  static bool Inside() { return library_scope != 0; }

  // --- for the effects of rows

  const void* real() const { return real_; }
  void EnqueuesTo(const void* stream) {
    stream_ = static_cast<CUstream>(const_cast<void*>(stream));
  }
  // As EnqueuesTo, with the stream that the library's function `get_stream` returns for its handle.
  // Returns false, without a stream, if the handle is nullptr or the function fails or is missing.
  bool EnqueuesToStreamOf(void* handle, Sibling& get_stream);
  const void* stream() const { return stream_; }
  // Drops the accesses that were added.
  void Forget() { count_ = 0; }
  // False for memory that CUDA does not know.
  bool KnowsAddress(const void* pointer) const {
    return fast_.tracker().objects().addresses().span().Holds(reinterpret_cast<uintptr_t>(pointer));
  }
  // The host itself accesses the memory, in the call or later.
  void AccessesFromHost() { from_host_ = true; }
  // The operation continues after the call.
  void BecomesRequest() { is_request_ = true; }
  bool is_request() const { return is_request_; }
  // The program must not access what a request writes before the request is complete.
  void KeepsWrites() { keeps_writes_ = true; }
  // The call makes a persistent request, which starts this operation later.
  void Prepares(const PersistentMessage& message) { prepared_ = message; }
  // Adds a request that this call begins too. `handle`: as of KeepRequest.
  LibraryCall& AddRequest(uintptr_t handle);
  // Adds accesses. NULL pointers and empty regions add nothing. At most kMostAccesses are kept.
  void Reads(Operand operand, const void* pointer, const Region& region) {
    Add(operand, pointer, region, true, false);
  }
  void MayRead(Operand operand, const void* pointer, uint64_t bytes) {
    Add(operand, pointer, Region::Linear(0, bytes), true, false, false);
  }
  void Writes(Operand operand, const void* pointer, const Region& region) {
    Add(operand, pointer, region, false, true);
  }
  void Updates(Operand operand, const void* pointer, const Region& region) {
    Add(operand, pointer, region, true, true);
  }
  void Reads(Operand operand, const void* pointer, uint64_t bytes) {
    Reads(operand, pointer, Region::Linear(0, bytes));
  }
  void Writes(Operand operand, const void* pointer, uint64_t bytes) {
    Writes(operand, pointer, Region::Linear(0, bytes));
  }
  void Updates(Operand operand, const void* pointer, uint64_t bytes) {
    Updates(operand, pointer, Region::Linear(0, bytes));
  }
  // The results depend on the content of all memory that the accesses added so far read.
  void Computes() {
    for (LibraryAccess& access : absl::MakeSpan(accesses_, count_)) access.content = access.read;
  }
  // Moves the accesses of this call into a new element of `group`: the library enqueues the work of
  // a group when the group ends. TakeGroup makes them accesses of the call that ends the group. The
  // call orders the work of the streams: what they have before it, its accesses, and what follows.
  void PostponeTo(std::vector<std::unique_ptr<LibraryCall>>& group);
  void TakeGroup(std::vector<std::unique_ptr<LibraryCall>> group,
                 std::vector<const void*> streams) {
    group_ = std::move(group);
    joined_ = std::move(streams);
  }

  // The call may run at the same time as the other calls of its group with the same communicator
  // for which this function was called.
  void RunsBesideGroup(const void* communicator) { beside_group_ = communicator; }

  // --- for the wrapper, inside of a ReentryGuard

  void Begin();
  void End(bool succeeded);
  // As End, for a call that began a request, or made a persistent one. `request`: to its handle.
  void EndRequest(bool succeeded, const void* request);

 private:
  void Add(Operand operand, const void* pointer, const Region& region, bool reads, bool writes,
           bool sure = true);
  void LeaveScope();
  void KeepCaptured();
  void BeginOne();
  void EndOne(bool succeeded);
  bool Defer(Stream* stream);
  void CheckHost();
  bool JoinStreams();
  // Reports two calls of the group that access the same bytes at the same time.
  void CheckGroup();
  void ReportPair(LibraryCall& one, const LibraryAccess& first, LibraryCall& other,
                  const LibraryAccess& second);

  FastCall fast_;
  const void* real_;
  CUstream stream_ = nullptr;
  uint32_t count_ = 0;
  LibraryAccess accesses_[kMostAccesses];
  bool from_host_ = false;
  bool is_request_ = false;
  bool keeps_writes_ = false;
  const void* beside_group_ = nullptr;         // communicator; see RunsBesideGroup
  uintptr_t request_ = 0;                      // the handle, if the call was added by AddRequest
  std::optional<PersistentMessage> prepared_;  // set: the call makes a persistent request
  bool deferred_ = false;
  bool outermost_ = false;
  Stream* used_ = nullptr;      // of a call that was not deferred
  std::optional<CuCall> call_;  // as above
  Command command_;             // as above, or the accesses of a request
  std::shared_ptr<CapturedUses> captured_;
  std::vector<std::unique_ptr<LibraryCall>> group_;
  std::vector<const void*> joined_;
};

// The library that contains the function: a number that no other loaded file has. Takes no lock.
inline uintptr_t LibraryOf(const void* function) {
  return ResolveFrame(reinterpret_cast<uintptr_t>(function)).module;
}

// A function of the library whose row is called, by name: getters that the effects of rows use.
// Thread-safe.
class Sibling {
 public:
  constexpr explicit Sibling(const char* name) : name_(name) {}
  // Returns the function in the library that contains `real`, or in its dependencies; nullptr:
  // there is none.
  template <typename Function>
  Function* Of(const void* real) {
    return reinterpret_cast<Function*>(Find(real));
  }

 private:
  void* Find(const void* real);

  struct Found {
    uintptr_t key = 0;  // 0: empty
    void* function = nullptr;
  };
  static constexpr size_t kCallers = 16;
  static constexpr size_t kLibraries = 4;

  const char* const name_;
  SpinLock lock_;                       // of all changes
  std::atomic<uint32_t> epoch_{0};      // module_epoch at the look-ups
  BoundFunction of_callers_[kCallers];  // by `real`: to find its library takes longer
  Found of_libraries_[kLibraries];
};

}  // namespace gpusan::cuda
