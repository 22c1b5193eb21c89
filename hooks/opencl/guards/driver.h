// The driver's functions behind the guarded ones, and gpusan's own queue for reading guard zones.
#pragma once

#include "hooks/common/guard_zones.h"
#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

enum GuardedKind : uint32_t { kGuardedBuffer, kGuardedSvm };

// The table of the driver's functions on `path` that guards replace.
cl_icd_dispatch& DriverTable(AttachPath path);
// Returns the symbol `name` of the driver on `path`; nullptr if there is none.
void* FindDriverFunction(AttachPath path, const char* name);

template <typename Function>
Function DriverFunction(AttachPath path, Function cl_icd_dispatch::*member, const char* name) {
  cl_icd_dispatch& table = DriverTable(path);
  if (table.*member == nullptr)
    table.*member = reinterpret_cast<Function>(FindDriverFunction(path, name));
  return table.*member;
}
#define GPUSAN_DRIVER(path, name) DriverFunction(path, &cl_icd_dispatch::name, #name)

// The guarded memory of the process. Thread-safe.
GuardTable& Guards();

// Returns the only device of the context; nullptr if it has several.
cl_device_id OnlyDevice(AttachPath path, cl_context context);

// Returns gpusan's own in-order queue of the context; nullptr if there is none. The queue holds a
// reference to the context: DropOwnQueue releases it before the program can observe that.
cl_command_queue OwnQueue(AttachPath path, cl_context context);
void DropOwnQueue(AttachPath path, cl_context context);

// Return the sizes of the zones before and behind a block [bytes]. The size of the zone before it
// is a multiple of `alignment`, and at least the option `guard`.
uint64_t FrontBytes(uint64_t alignment);
uint64_t BackBytes();

// Read or write `bytes` bytes at `offset` from the start of the zone before a block, and wait.
// Return false if the driver rejects the command.
bool ReadWhole(AttachPath path, cl_command_queue queue, const GuardedBlock& block, uint64_t offset,
               uint64_t bytes, void* to);
bool WriteWhole(AttachPath path, cl_command_queue queue, const GuardedBlock& block, uint64_t offset,
                uint64_t bytes, const void* from);
// Fills both zones.
bool FillZones(AttachPath path, cl_command_queue queue, const GuardedBlock& block);

}  // namespace gpusan::opencl
