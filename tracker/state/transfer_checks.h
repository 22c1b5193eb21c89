// The checks of the arguments of a transfer.
#pragma once

#include "tracker/calls/call.h"
#include "tracker/calls/operation.h"
#include "tracker/state/host_side.h"
#include "tracker/state/pointers.h"

namespace gpusan {

// Thread-safe.
class TransferChecks {
 public:
  TransferChecks(HostSide& host_side, Pointers& pointers)
      : host_side_(host_side), pointers_(pointers) {}

  // Finds the host blocks of the transfer and runs the rules.
  void Check(Call& call, Transfer& transfer) { Check(call, transfer, false); }
  // As above, before the call returns to the program. Then also blocks that are too small to be
  // recorded are those of the call.
  void CheckAtOnce(Call& call, Transfer& transfer) { Check(call, transfer, true); }

 private:
  void Check(Call& call, Transfer& transfer, bool at_once);

  HostSide& host_side_;
  Pointers& pointers_;
};

}  // namespace gpusan
