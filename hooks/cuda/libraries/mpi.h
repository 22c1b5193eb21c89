// The effects of the rows of mpi.def: messages and collectives of MPI whose buffers are memory that
// CUDA knows. MPI has no streams: commands that use a buffer must be complete when the program
// passes it to MPI.
// A request uses its buffer until it is complete (requests.h). An access to a window uses its
// buffer until the program has synchronized the window; its request has the handle of the window.
#pragma once

#include "hooks/cuda/libraries/library_call.h"

namespace gpusan::cuda::mpi {

inline constexpr int kError = 16;

// A buffer of a call. `type`: an MPI_Datatype; a type with gaps or an origin leaves the buffer out.
struct Buffer {
  Operand operand;
  const void* pointer;
  int count;
  void* type;
};

// A buffer with one part for each rank: `counts[rank]` elements from element `starts[rank]` on.
struct Parts {
  const void* pointer;
  const int* counts;
  const int* starts;
  void* type;
};

// The call begins a request. Followed for Open MPI, whose requests are pointers.
void Begins(LibraryCall& call);
// The call makes a persistent request. Followed as Begins.
void PrepareSend(LibraryCall& call, const Buffer& buffer, int peer);
void PrepareReceive(LibraryCall& call, const Buffer& buffer, int peer);
// The call begins the operations of persistent requests.
void Start(LibraryCall& call, int count, void* const* requests);
// The call returns what the window had, and changes the window by `sent` unless the operation is
// MPI_NO_OP.
void Exchange(LibraryCall& call, const Buffer& sent, const Buffer& received, int peer,
              void* operation);
// `peer`: a rank. MPI_PROC_NULL and the wildcards are negative: then nothing is known.
void Send(LibraryCall& call, const Buffer& buffer, int peer);
void Receive(LibraryCall& call, const Buffer& buffer, int peer);
void Broadcast(LibraryCall& call, const Buffer& buffer, int root, void* communicator);
// The buffer is sent, and then holds the received message.
void SendAndReplace(LibraryCall& call, const Buffer& buffer, int to, int from);
// Also MPI_Scan.
void AllReduce(LibraryCall& call, const void* send, const void* receive, int count, void* type,
               void* communicator);
// As MPI_Scan, but the first rank receives nothing.
void ExclusiveScan(LibraryCall& call, const void* send, const void* receive, int count, void* type,
                   void* communicator);
void Reduce(LibraryCall& call, const void* send, const void* receive, int count, void* type,
            int root, void* communicator);
// Also all to all. The counts are those for one rank. `parts`: whether the send buffer has one part
// for each rank.
void AllGather(LibraryCall& call, const Buffer& send, const Buffer& receive, bool parts,
               void* communicator);
void AllGather(LibraryCall& call, const Buffer& send, const Parts& receive, void* communicator);
void AllToAll(LibraryCall& call, const Parts& send, const Parts& receive, void* communicator);
// The count of the received buffer is that for one rank.
void Gather(LibraryCall& call, const Buffer& send, const Buffer& receive, int root,
            void* communicator);
void Gather(LibraryCall& call, const Buffer& send, const Parts& receive, int root,
            void* communicator);
// The count of the sent buffer is that for one rank.
void Scatter(LibraryCall& call, const Buffer& send, const Buffer& receive, int root,
             void* communicator);
void Scatter(LibraryCall& call, const Parts& send, const Buffer& receive, int root,
             void* communicator);
// Each rank receives `counts[rank]` elements of the result; with the second form `count` elements.
void ReduceScatter(LibraryCall& call, const void* send, const void* receive, const int* counts,
                   void* type, void* communicator);
void ReduceScatter(LibraryCall& call, const void* send, const void* receive, int count, void* type,
                   void* communicator);

}  // namespace gpusan::cuda::mpi
