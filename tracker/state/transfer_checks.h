// The checks of the arguments of a transfer.
#pragma once

#include <cstdint>

#include "tracker/calls/call.h"
#include "tracker/calls/operation.h"
#include "tracker/host/host_side.h"
#include "tracker/state/pointers.h"

namespace gpusan {

// When the arguments of a transfer are checked.
enum class CheckTime : uint8_t {
  kBeforeReturn,  // before the call returns to the program: the host blocks are those of the call
  kAnyTime,       // possibly later: blocks that are too small to be recorded may be other ones
};

// Finds the host blocks of the transfer, and runs the rules. Thread-safe.
void CheckTransferArguments(HostSide& host_side, Pointers& pointers, Call& call, Transfer& transfer,
                            CheckTime time);

}  // namespace gpusan
