// The option protect_maps for OpenCL: protects the pages of mapped regions whose map command is
// pending, and those of coarse-grained shared memory that pending commands use
// (hooks/host/page_guard.h), so that accesses of the CPU to them are seen.
//
// Only on CPU devices, whose drivers use the pages as the program does: by instructions of their
// own threads, whose accesses remove the protection and are not reported. Other drivers may hand
// the pages to the kernel, which would fail on protected ones. Thread-safe.
#pragma once

#include "hooks/opencl/call/call.h"
#include "tracker/calls/operation.h"
#include "tracker/objects/kernel.h"

namespace gpusan::opencl {

namespace map_guards_internal {
extern bool on;
}
inline bool GuardsMaps() { return map_guards_internal::on; }
// Not thread-safe: call it before the first intercepted call.
void GuardMaps();

// The functions below do nothing unless GuardMaps was called.

// Removes the protection of the mapped region at `pointer`, and protects it until the map command
// is complete if the map does not block. The region has `bytes` bytes without gaps; 0: not known,
// or there are gaps. Call it after the real call has enqueued the command.
void GuardPendingMap(ClCall& call, const Command& command, const Transfer& transfer,
                     const void* pointer, uint64_t bytes);
// Protects the coarse-grained shared memory that the command uses, after the real call.
void GuardShared(ClCall& call, const Command& command, const Transfer& transfer);
void GuardShared(ClCall& call, const Queue& queue, Epoch epoch, const Kernel& kernel);
// Removes the guards of memory that the program frees or unmaps. Call it before the real call.
void DropMapGuards(const Resource& memory);
// Call it before a call that may free memory of any object.
void DropAllMapGuards();
// Reports the accesses since the last time, and removes the guards of complete commands.
void SettleMapGuards(Tracker& tracker);

}  // namespace gpusan::opencl
