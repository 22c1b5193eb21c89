// The effects of NCCL.
#include "hooks/cuda/libraries/nccl.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "hooks/common/base/process_state.h"
#include "hooks/cuda/call/thread_id.h"
#include "hooks/cuda/streams/contexts.h"
#include "tracker/base/spin_lock.h"

namespace gpusan::cuda::nccl {
namespace {

constinit Sibling g_count("ncclCommCount");
constinit Sibling g_rank("ncclCommUserRank");
constinit Sibling g_device("ncclCommCuDevice");

// The open groups of a thread.
struct Group {
  int depth = 0;
  bool known = true;  // the streams of all calls
  std::vector<const void*> streams;
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
int Query(LibraryCall& call, Sibling& sibling, void* communicator) {
  auto* get = sibling.Of<int(void*, int*)>(call.real());
  int answer = -1;
  if (communicator == nullptr || get == nullptr || get(communicator, &answer) != 0) return -1;
  return answer;
}

// Whether the default streams of the current context are those that the communicator uses.
bool UsesCurrentContext(LibraryCall& call, void* communicator) {
  const Context* current = KnownCurrent();
  return current != nullptr && current->primary && current->device >= 0 &&
         current->device == Query(call, g_device, communicator);
}

// Called for every call, also for those without accesses.
void Finish(LibraryCall& call, void* communicator, void* stream) {
  call.EnqueuesTo(stream);
  Groups& groups = g_groups.Get();
  groups.lock.lock();
  const auto found = groups.open.find(ThreadId());
  Group* const group = found != groups.open.end() ? &found->second : nullptr;
  groups.lock.unlock();
  const bool is_default = reinterpret_cast<uintptr_t>(stream) <= 2;
  if (group == nullptr) {
    if (is_default && !UsesCurrentContext(call, communicator)) call.Forget();
    return;
  }
  // No other thread changes or removes the group. When the group ends, another context may be
  // current.
  if (is_default) {
    group->known = false;
    return call.Forget();
  }
  if (std::find(group->streams.begin(), group->streams.end(), stream) == group->streams.end())
    group->streams.push_back(stream);
  call.PostponeTo(group->calls);
}

// The transfers of a group with one communicator run concurrently. A rank may send to itself in
// place.
void RunBesideOthers(LibraryCall& call, int peer, void* communicator) {
  const int rank = Query(call, g_rank, communicator);
  if (rank >= 0 && rank != peer) call.RunsBesideGroup(communicator);
}

// A part of `bytes` from each rank. In place, the own part is not written.
void WriteParts(LibraryCall& call, const void* send, const void* receive, uint64_t bytes,
                int ranks) {
  const auto* parts = static_cast<const char*>(receive);
  const auto own = static_cast<uint64_t>(static_cast<const char*>(send) - parts);
  const uint64_t all = SaturatingMultiply(bytes, static_cast<uint64_t>(ranks));
  if (ranks > 1 && own < all) {
    call.Writes(Operand::kRecvbuff, receive, own);
    call.Writes(Operand::kRecvbuff, parts + own + bytes, all > own + bytes ? all - own - bytes : 0);
  } else {
    call.Writes(Operand::kRecvbuff, receive, all);
  }
}

}  // namespace

void AllReduce(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
               void* communicator, void* stream) {
  const uint64_t bytes = BytesOf(count, type);
  // One rank in place has nothing to do.
  if (send != receive || Query(call, g_count, communicator) > 1) {
    call.Reads(Operand::kSendbuff, send, bytes);
    call.Writes(Operand::kRecvbuff, receive, bytes);
  }
  Finish(call, communicator, stream);
}

void Reduce(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
            int root, void* communicator, void* stream) {
  const uint64_t bytes = BytesOf(count, type);
  if (send != receive || Query(call, g_count, communicator) > 1) {
    call.Reads(Operand::kSendbuff, send, bytes);
    if (Query(call, g_rank, communicator) == root) call.Writes(Operand::kRecvbuff, receive, bytes);
  }
  Finish(call, communicator, stream);
}

void Broadcast(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
               int root, void* communicator, void* stream, Operand of_send, Operand of_receive) {
  const int rank = Query(call, g_rank, communicator);
  if (rank >= 0 && (send != receive || Query(call, g_count, communicator) > 1)) {
    const uint64_t bytes = BytesOf(count, type);
    if (rank == root) call.Reads(of_send, send, bytes);
    if (rank != root || send != receive) call.Writes(of_receive, receive, bytes);
  }
  Finish(call, communicator, stream);
}

void AllGather(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
               void* communicator, void* stream) {
  const int ranks = Query(call, g_count, communicator);
  if (ranks > 1 || (ranks == 1 && send != receive)) {
    const uint64_t bytes = BytesOf(count, type);
    call.Reads(Operand::kSendbuff, send, bytes);
    WriteParts(call, send, receive, bytes, ranks);
  }
  Finish(call, communicator, stream);
}

void Gather(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
            int root, void* communicator, void* stream) {
  const int ranks = Query(call, g_count, communicator);
  if (ranks > 1 || (ranks == 1 && send != receive)) {
    const uint64_t bytes = BytesOf(count, type);
    call.Reads(Operand::kSendbuff, send, bytes);
    if (Query(call, g_rank, communicator) == root) WriteParts(call, send, receive, bytes, ranks);
  }
  Finish(call, communicator, stream);
}

void Scatter(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
             int root, void* communicator, void* stream) {
  const int ranks = Query(call, g_count, communicator), rank = Query(call, g_rank, communicator);
  const uint64_t bytes = BytesOf(count, type);
  // In place, the root has its part already.
  const bool in_place =
      rank == root &&
      reinterpret_cast<uintptr_t>(send) + SaturatingMultiply(bytes, static_cast<uint64_t>(root)) ==
          reinterpret_cast<uintptr_t>(receive);
  if (ranks > 1 || (ranks == 1 && !in_place)) {
    if (rank == root)
      call.Reads(Operand::kSendbuff, send, SaturatingMultiply(bytes, static_cast<uint64_t>(ranks)));
    if (rank >= 0 && !in_place) call.Writes(Operand::kRecvbuff, receive, bytes);
  }
  Finish(call, communicator, stream);
}

void AllToAll(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
              void* communicator, void* stream) {
  if (const int ranks = Query(call, g_count, communicator); ranks > 0) {
    const uint64_t bytes = SaturatingMultiply(BytesOf(count, type), static_cast<uint64_t>(ranks));
    call.Reads(Operand::kSendbuff, send, bytes);
    call.Writes(Operand::kRecvbuff, receive, bytes);
  }
  Finish(call, communicator, stream);
}

void ReduceScatter(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
                   void* communicator, void* stream) {
  const int ranks = Query(call, g_count, communicator);
  if (ranks > 1 || (ranks == 1 && send != receive)) {
    const uint64_t bytes = BytesOf(count, type);
    call.Reads(Operand::kSendbuff, send, SaturatingMultiply(bytes, static_cast<uint64_t>(ranks)));
    call.Writes(Operand::kRecvbuff, receive, bytes);
  }
  Finish(call, communicator, stream);
}

void Send(LibraryCall& call, const void* send, size_t count, int type, int peer, void* communicator,
          void* stream) {
  call.Reads(Operand::kSendbuff, send, BytesOf(count, type));
  RunBesideOthers(call, peer, communicator);
  Finish(call, communicator, stream);
}

void Receive(LibraryCall& call, const void* receive, size_t count, int type, int peer,
             void* communicator, void* stream) {
  call.Writes(Operand::kRecvbuff, receive, BytesOf(count, type));
  RunBesideOthers(call, peer, communicator);
  Finish(call, communicator, stream);
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
  // All streams of a group wait for each other before its kernels start, and for the kernels.
  Group& group = found->second;
  if (group.known) call.TakeGroup(std::move(group.calls), std::move(group.streams));
  groups.open.erase(found);
}

void GroupIsDropped() {
  Groups& groups = g_groups.Get();
  std::lock_guard lock(groups.lock);
  const auto found = groups.open.find(ThreadId());
  if (found != groups.open.end() && --found->second.depth == 0) groups.open.erase(found);
}

}  // namespace gpusan::cuda::nccl
