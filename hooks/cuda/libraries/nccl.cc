// The effects of NCCL.
#include "hooks/cuda/libraries/nccl.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "hooks/common/process_state.h"
#include "hooks/cuda/call/thread_id.h"
#include "tracker/base/spin_lock.h"

namespace gpusan::cuda::nccl {
namespace {

constinit Sibling g_count("ncclCommCount");
constinit Sibling g_rank("ncclCommUserRank");

// The open groups of a thread.
struct Group {
  int depth = 0;
  std::vector<std::unique_ptr<LibraryCall>> calls;
};
// By thread: thread-local storage of a preloaded library is scarce.
struct Groups {
  SpinLock lock;
  std::map<int32_t, Group> open;
};
constinit ProcessState<Groups> g_groups;
const ForkReset g_reset([] { g_groups.Forget(); });

// ncclDataType_t. Returns 0 for unknown types.
uint64_t BytesOf(size_t count, int type) {
  static constexpr uint8_t kBytes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
  if (type < 0 || static_cast<size_t>(type) >= sizeof(kBytes)) return 0;
  return SaturatingMultiply(count, kBytes[type]);
}

// Returns an answer about the communicator; -1: not known.
int Ask(LibraryCall& call, Sibling& sibling, void* communicator) {
  auto* get = sibling.Of<int(void*, int*)>(call.real());
  int answer = -1;
  if (communicator == nullptr || get == nullptr || get(communicator, &answer) != 0) return -1;
  return answer;
}

void Finish(LibraryCall& call, void* stream) {
  // The default streams are those of the communicator's device, which may not be the current one.
  if (reinterpret_cast<uintptr_t>(stream) <= 2) return call.Forget();
  call.EnqueuesTo(stream);
  Groups& groups = g_groups.Get();
  groups.lock.lock();
  const auto found = groups.open.find(ThreadId());
  Group* const group = found != groups.open.end() ? &found->second : nullptr;
  groups.lock.unlock();
  // No other thread changes or removes the group.
  if (group != nullptr) call.PostponeTo(group->calls);
}

}  // namespace

void AllReduce(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
               void* communicator, void* stream) {
  const uint64_t bytes = BytesOf(count, type);
  // One rank in place has nothing to do.
  if (send == receive && Ask(call, g_count, communicator) <= 1) return;
  call.Reads(send, bytes);
  call.Writes(receive, bytes);
  Finish(call, stream);
}

void Reduce(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
            int root, void* communicator, void* stream) {
  const uint64_t bytes = BytesOf(count, type);
  if (send == receive && Ask(call, g_count, communicator) <= 1) return;
  call.Reads(send, bytes);
  if (Ask(call, g_rank, communicator) == root) call.Writes(receive, bytes);
  Finish(call, stream);
}

void Broadcast(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
               int root, void* communicator, void* stream) {
  const int rank = Ask(call, g_rank, communicator);
  if (rank < 0 || (send == receive && Ask(call, g_count, communicator) <= 1)) return;
  const uint64_t bytes = BytesOf(count, type);
  if (rank == root) call.Reads(send, bytes);
  if (rank != root || send != receive) call.Writes(receive, bytes);
  Finish(call, stream);
}

void AllGather(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
               void* communicator, void* stream) {
  const int ranks = Ask(call, g_count, communicator);
  if (ranks < 1 || (ranks == 1 && send == receive)) return;
  const uint64_t bytes = BytesOf(count, type);
  call.Reads(send, bytes);
  if (ranks > 1) {
    // In place, the own part is not written.
    const auto* parts = static_cast<const char*>(receive);
    const auto own = static_cast<uint64_t>(static_cast<const char*>(send) - parts);
    const uint64_t all = SaturatingMultiply(bytes, static_cast<uint64_t>(ranks));
    if (own < all) {
      call.Writes(receive, own);
      call.Writes(parts + own + bytes, all > own + bytes ? all - own - bytes : 0);
    } else {
      call.Writes(receive, all);
    }
  } else {
    call.Writes(receive, bytes);
  }
  Finish(call, stream);
}

void ReduceScatter(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
                   void* communicator, void* stream) {
  const int ranks = Ask(call, g_count, communicator);
  if (ranks < 1 || (ranks == 1 && send == receive)) return;
  const uint64_t bytes = BytesOf(count, type);
  call.Reads(send, SaturatingMultiply(bytes, static_cast<uint64_t>(ranks)));
  call.Writes(receive, bytes);
  Finish(call, stream);
}

void Send(LibraryCall& call, const void* send, size_t count, int type, void* stream) {
  call.Reads(send, BytesOf(count, type));
  Finish(call, stream);
}

void Receive(LibraryCall& call, const void* receive, size_t count, int type, void* stream) {
  call.Writes(receive, BytesOf(count, type));
  Finish(call, stream);
}

void GroupStarts() {
  Groups& groups = g_groups.Get();
  std::lock_guard lock(groups.lock);
  ++groups.open[ThreadId()].depth;
}

void GroupEnds(LibraryCall& call) {
  Groups& groups = g_groups.Get();
  std::lock_guard lock(groups.lock);
  const auto found = groups.open.find(ThreadId());
  if (found == groups.open.end() || --found->second.depth != 0) return;
  // All streams of a group wait for each other before its kernels start. gpusan does not know that
  // order.
  std::vector<std::unique_ptr<LibraryCall>>& calls = found->second.calls;
  const bool one_stream = std::all_of(calls.begin(), calls.end(), [&](const auto& one) {
    return one->stream() == calls.front()->stream();
  });
  if (one_stream) call.TakeGroup(std::move(calls));
  groups.open.erase(found);
}

}  // namespace gpusan::cuda::nccl
