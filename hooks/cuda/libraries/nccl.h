// The effects of the rows of nccl.def: collectives and point-to-point transfers of NCCL. Between
// ncclGroupStart and ncclGroupEnd of a thread, NCCL only collects calls: their accesses begin when
// the outermost group ends.
#pragma once

#include <cstddef>

#include "hooks/cuda/libraries/library_call.h"

namespace gpusan::cuda::nccl {

inline constexpr int kInternalError = 3;  // ncclInternalError

// `count`: elements of ncclDataType_t `type`, as in NCCL's documentation of each function.
void AllReduce(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
               void* communicator, void* stream);
void Reduce(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
            int root, void* communicator, void* stream);
void Broadcast(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
               int root, void* communicator, void* stream, Operand of_send = Operand::kSendbuff,
               Operand of_receive = Operand::kRecvbuff);
void AllGather(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
               void* communicator, void* stream);
void Gather(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
            int root, void* communicator, void* stream);
void Scatter(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
             int root, void* communicator, void* stream);
void AllToAll(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
              void* communicator, void* stream);
void ReduceScatter(LibraryCall& call, const void* send, const void* receive, size_t count, int type,
                   void* communicator, void* stream);
void Send(LibraryCall& call, const void* send, size_t count, int type, int peer, void* communicator,
          void* stream);
void Receive(LibraryCall& call, const void* receive, size_t count, int type, int peer,
             void* communicator, void* stream);

void GroupStarts();
// Ends the group and drops its calls.
void GroupIsDropped();
void GroupEnds(LibraryCall& call);

}  // namespace gpusan::cuda::nccl
