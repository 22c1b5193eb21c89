// The effects of the rows of mpi.def: messages and collectives of MPI whose buffers are memory that
// CUDA knows. MPI has no streams: commands that use a buffer must be complete when the program
// passes it to MPI.
// A request uses its buffer until it is complete (requests.h).
#pragma once

#include "hooks/cuda/libraries/library_call.h"

namespace gpusan::cuda::mpi {

inline constexpr int kError = 16;

// A buffer of a call. `type`: an MPI_Datatype; a type with gaps or an origin leaves the buffer out.
struct Buffer {
  const void* pointer;
  int count;
  void* type;
};

// The call begins a request. Followed for Open MPI, whose requests are pointers.
void Begins(LibraryCall& call);
// `peer`: a rank. MPI_PROC_NULL and the wildcards are negative: then nothing is known.
void Send(LibraryCall& call, const Buffer& buffer, int peer);
void Receive(LibraryCall& call, const Buffer& buffer, int peer);
void Broadcast(LibraryCall& call, const Buffer& buffer, int root, void* communicator);
void AllReduce(LibraryCall& call, const void* send, const void* receive, int count, void* type,
               void* communicator);
void Reduce(LibraryCall& call, const void* send, const void* receive, int count, void* type,
            int root, void* communicator);
// Also all to all. The counts are those for one rank. `parts`: whether the send buffer has one part
// for each rank.
void AllGather(LibraryCall& call, const Buffer& send, const Buffer& receive, bool parts,
               void* communicator);

}  // namespace gpusan::cuda::mpi
