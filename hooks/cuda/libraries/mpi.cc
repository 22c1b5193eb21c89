// The effects of MPI.
#include "hooks/cuda/libraries/mpi.h"

#include <algorithm>
#include <utility>

namespace gpusan::cuda::mpi {
namespace {

constinit Sibling g_size("MPI_Type_size");
constinit Sibling g_extent("MPI_Type_get_extent");
constinit Sibling g_ranks("MPI_Comm_size");
constinit Sibling g_rank("MPI_Comm_rank");
constinit Sibling g_is_inter("MPI_Comm_test_inter");
constinit Sibling g_open_mpi("ompi_mpi_comm_world");
constinit Sibling g_no_operation("ompi_mpi_op_no_op");

bool IsKnown(const LibraryCall& call, const void* pointer) { return call.KnowsAddress(pointer); }

// Returns the bytes of the buffer; 0: not known.
uint64_t BytesOf(LibraryCall& call, const Buffer& buffer) {
  auto* size_of = g_size.Of<int(void*, int*)>(call.real());
  auto* extent_of = g_extent.Of<int(void*, intptr_t*, intptr_t*)>(call.real());
  int size = 0;
  intptr_t origin = 0, extent = 0;
  if (buffer.count <= 0 || size_of == nullptr || extent_of == nullptr ||
      size_of(buffer.type, &size) != 0 || extent_of(buffer.type, &origin, &extent) != 0 ||
      origin != 0 || size <= 0 || extent != size)
    return 0;
  return static_cast<uint64_t>(buffer.count) * static_cast<uint64_t>(size);
}

void AddRead(LibraryCall& call, const Buffer& buffer, uint64_t times = 1) {
  if (!IsKnown(call, buffer.pointer)) return;
  call.AccessesFromHost();
  call.Reads(buffer.operand, buffer.pointer, SaturatingMultiply(BytesOf(call, buffer), times));
}

void AddWrite(LibraryCall& call, const Buffer& buffer, uint64_t times = 1) {
  if (!IsKnown(call, buffer.pointer)) return;
  call.AccessesFromHost();
  call.Writes(buffer.operand, buffer.pointer, SaturatingMultiply(BytesOf(call, buffer), times));
}

// Calls `add(start, count)` for the elements of all ranks, once for adjacent parts.
template <typename Add>
void ForEachRun(const Parts& parts, uint64_t ranks, Add add) {
  if (!parts.counts || !parts.starts) return;
  int64_t start = 0, count = 0;
  for (uint64_t rank = 0; rank < ranks; ++rank) {
    if (parts.counts[rank] <= 0) continue;
    if (count != 0 && parts.starts[rank] != start + count) add(start, std::exchange(count, 0));
    if (count == 0) start = parts.starts[rank];
    count += parts.counts[rank];
  }
  if (count != 0) add(start, count);
}

// Calls `add(region)` for the bytes of all ranks.
template <typename Add>
void ForEachRegion(LibraryCall& call, const Parts& parts, uint64_t ranks, Add add) {
  if (!IsKnown(call, parts.pointer)) return;
  const uint64_t bytes = BytesOf(call, {Operand::kNone, parts.pointer, 1, parts.type});
  ForEachRun(parts, ranks, [&](int64_t start, int64_t count) {
    if (bytes == 0 || start < 0) return;
    call.AccessesFromHost();
    add(Region::Linear(static_cast<uint64_t>(start) * bytes, static_cast<uint64_t>(count) * bytes));
  });
}

void AddRead(LibraryCall& call, const Parts& parts, uint64_t ranks) {
  ForEachRegion(call, parts, ranks, [&](const Region& region) {
    call.Reads(Operand::kSendbuf, parts.pointer, region);
  });
}

void AddWrite(LibraryCall& call, const Parts& parts, uint64_t ranks) {
  ForEachRegion(call, parts, ranks, [&](const Region& region) {
    call.Writes(Operand::kRecvbuf, parts.pointer, region);
  });
}

bool IsOpenMpi(const LibraryCall& call) { return g_open_mpi.Of<void>(call.real()) != nullptr; }

// The program may free the type of the buffer before it starts the request.
void Prepare(LibraryCall& call, const Buffer& buffer, int peer, bool send) {
  const uint64_t bytes = peer >= 0 && IsOpenMpi(call) ? BytesOf(call, buffer) : 0;
  if (bytes != 0) call.Prepares({reinterpret_cast<uintptr_t>(buffer.pointer), bytes, send});
}

// Returns a property of the communicator; -1 if it is not known.
int Query(LibraryCall& call, Sibling& sibling, void* communicator) {
  auto* get = sibling.Of<int(void*, int*)>(call.real());
  int answer = -1;
  return get != nullptr && get(communicator, &answer) == 0 ? answer : -1;
}

// Returns the number of ranks of a communicator of one group; 0 for others.
uint64_t RanksOf(LibraryCall& call, void* communicator) {
  const int ranks = Query(call, g_ranks, communicator);
  return ranks > 0 && Query(call, g_is_inter, communicator) == 0 ? static_cast<uint64_t>(ranks) : 0;
}

// `send`, `receive`: a Buffer with the count of one rank, or Parts. `parts`: whether the send
// buffer has one part for each rank.
template <typename Send, typename Receive>
void ExchangeAll(LibraryCall& call, const Send& send, const Receive& receive, bool parts,
                 void* communicator) {
  // In place, which MPI_IN_PLACE says instead of an address, the own part is not written.
  if (!IsKnown(call, send.pointer)) return;
  const uint64_t ranks = RanksOf(call, communicator);
  if (ranks < 2) return;
  AddRead(call, send, parts ? ranks : 1);
  AddWrite(call, receive, ranks);
}

// `receive`: a Buffer with the count of one rank, or Parts.
template <typename Receive>
void GatherInto(LibraryCall& call, const Buffer& send, const Receive& receive, int root,
                void* communicator) {
  // In place, the own part is not written.
  if (!IsKnown(call, send.pointer) || root < 0) return;
  const uint64_t ranks = RanksOf(call, communicator);
  if (ranks < 2) return;
  AddRead(call, send);
  if (Query(call, g_rank, communicator) == root) AddWrite(call, receive, ranks);
}

// `send`: as `receive` of GatherInto.
template <typename Send>
void ScatterFrom(LibraryCall& call, const Send& send, const Buffer& receive, int root,
                 void* communicator) {
  if (!IsKnown(call, receive.pointer) || root < 0) return;
  const uint64_t ranks = RanksOf(call, communicator);
  if (ranks < 2) return;
  if (Query(call, g_rank, communicator) == root) AddRead(call, send, ranks);
  AddWrite(call, receive);
}

}  // namespace

void Begins(LibraryCall& call) {
  if (IsOpenMpi(call)) call.BecomesRequest();
}

void PrepareSend(LibraryCall& call, const Buffer& buffer, int peer) {
  Prepare(call, buffer, peer, true);
}

void PrepareReceive(LibraryCall& call, const Buffer& buffer, int peer) {
  Prepare(call, buffer, peer, false);
}

void Start(LibraryCall& call, int count, void* const* requests) {
  for (int i = 0; requests != nullptr && i < count; ++i) {
    const auto handle = reinterpret_cast<uintptr_t>(requests[i]);
    PersistentMessage message;
    if (!FindPersistent(handle, &message)) continue;
    const auto* buffer = reinterpret_cast<const void*>(message.address);
    if (!IsKnown(call, buffer)) continue;
    LibraryCall& one = call.AddRequest(handle);
    one.BecomesRequest();
    one.AccessesFromHost();
    if (message.send) {
      one.Reads(Operand::kBuf, buffer, message.bytes);
    } else {
      one.KeepsWrites();
      one.Writes(Operand::kBuf, buffer, message.bytes);
    }
  }
}

void Exchange(LibraryCall& call, const Buffer& sent, const Buffer& received, int peer,
              void* operation) {
  if (operation != g_no_operation.Of<void>(call.real())) Send(call, sent, peer);
  Receive(call, received, peer);
}

void Send(LibraryCall& call, const Buffer& buffer, int peer) {
  if (peer >= 0) AddRead(call, buffer);
}

void Receive(LibraryCall& call, const Buffer& buffer, int peer) {
  if (peer < 0 || buffer.count <= 0) return;
  // The message may be shorter than the buffer, but a request has the whole buffer (MPI 4.1
  // §3.7.2).
  call.KeepsWrites();
  AddWrite(call,
           {buffer.operand, buffer.pointer, call.is_request() ? buffer.count : 1, buffer.type});
}

void Broadcast(LibraryCall& call, const Buffer& buffer, int root, void* communicator) {
  if (!IsKnown(call, buffer.pointer) || root < 0 || RanksOf(call, communicator) < 2) return;
  const int rank = Query(call, g_rank, communicator);
  if (rank == root) {
    AddRead(call, buffer);
  } else if (rank >= 0) {
    AddWrite(call, buffer);
  }
}

void SendAndReplace(LibraryCall& call, const Buffer& buffer, int to, int from) {
  Send(call, buffer, to);
  Receive(call, buffer, from);
}

void AllReduce(LibraryCall& call, const void* send, const void* receive, int count, void* type,
               void* communicator) {
  if (!IsKnown(call, send) && !IsKnown(call, receive)) return;
  if (RanksOf(call, communicator) < 2) return;
  AddRead(call, {Operand::kSendbuf, send, count, type});
  AddWrite(call, {Operand::kRecvbuf, receive, count, type});
}

void ExclusiveScan(LibraryCall& call, const void* send, const void* receive, int count, void* type,
                   void* communicator) {
  if (!IsKnown(call, send) && !IsKnown(call, receive)) return;
  if (RanksOf(call, communicator) < 2) return;
  AddRead(call, {Operand::kSendbuf, send, count, type});
  if (Query(call, g_rank, communicator) > 0)
    AddWrite(call, {Operand::kRecvbuf, receive, count, type});
}

void Reduce(LibraryCall& call, const void* send, const void* receive, int count, void* type,
            int root, void* communicator) {
  if ((!IsKnown(call, send) && !IsKnown(call, receive)) || root < 0 ||
      RanksOf(call, communicator) < 2)
    return;
  AddRead(call, {Operand::kSendbuf, send, count, type});
  if (Query(call, g_rank, communicator) == root)
    AddWrite(call, {Operand::kRecvbuf, receive, count, type});
}

void AllGather(LibraryCall& call, const Buffer& send, const Buffer& receive, bool parts,
               void* communicator) {
  ExchangeAll(call, send, receive, parts, communicator);
}

void AllGather(LibraryCall& call, const Buffer& send, const Parts& receive, void* communicator) {
  ExchangeAll(call, send, receive, false, communicator);
}

void AllToAll(LibraryCall& call, const Parts& send, const Parts& receive, void* communicator) {
  ExchangeAll(call, send, receive, true, communicator);
}

void Gather(LibraryCall& call, const Buffer& send, const Buffer& receive, int root,
            void* communicator) {
  GatherInto(call, send, receive, root, communicator);
}

void Gather(LibraryCall& call, const Buffer& send, const Parts& receive, int root,
            void* communicator) {
  GatherInto(call, send, receive, root, communicator);
}

void Scatter(LibraryCall& call, const Buffer& send, const Buffer& receive, int root,
             void* communicator) {
  ScatterFrom(call, send, receive, root, communicator);
}

void Scatter(LibraryCall& call, const Parts& send, const Buffer& receive, int root,
             void* communicator) {
  ScatterFrom(call, send, receive, root, communicator);
}

void ReduceScatter(LibraryCall& call, const void* send, const void* receive, const int* counts,
                   void* type, void* communicator) {
  if (!IsKnown(call, send) || counts == nullptr) return;
  const uint64_t ranks = RanksOf(call, communicator);
  const int rank = Query(call, g_rank, communicator);
  if (ranks < 2 || rank < 0) return;
  uint64_t elements = 0;
  for (uint64_t i = 0; i < ranks; ++i) elements += static_cast<uint64_t>(std::max(counts[i], 0));
  AddRead(call, {Operand::kSendbuf, send, 1, type}, elements);
  AddWrite(call, {Operand::kRecvbuf, receive, counts[rank], type});
}

void ReduceScatter(LibraryCall& call, const void* send, const void* receive, int count, void* type,
                   void* communicator) {
  if (!IsKnown(call, send)) return;
  const uint64_t ranks = RanksOf(call, communicator);
  if (ranks < 2) return;
  AddRead(call, {Operand::kSendbuf, send, count, type}, ranks);
  AddWrite(call, {Operand::kRecvbuf, receive, count, type});
}

}  // namespace gpusan::cuda::mpi
