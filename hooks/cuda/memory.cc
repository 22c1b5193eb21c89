// See the header.
#include "hooks/cuda/memory.h"

namespace gpusan::cuda {

Resource* NewLinear(CuCall& call, ObjectKind kind, uintptr_t address, uint64_t bytes,
                    uint16_t flags, uint64_t native_flags) {
  if (address == 0) return nullptr;
  ResourceSpec spec;
  spec.kind = kind;
  spec.handle = address;
  spec.address = address;
  spec.bytes = bytes;
  spec.flags = flags;
  spec.native_flags = native_flags;
  Context* context = call.current();
  spec.context = context != nullptr ? context->object : nullptr;
  return call.tracker().NewResource(call, spec);
}

void FailedAllocation(CuCall& call, ObjectKind kind, uint64_t bytes, CUresult code) {
  call.tracker().NoteFailedCreation(call, kind, code, bytes);
}

Resource* UseForFree(CuCall& call, uintptr_t address, KindMask kinds, const char* argument) {
  Resource* resource = call.tracker().UseForFree(call, address, argument, kinds);
  return resource;
}

void JoinForFree(CuCall& call) {
  if (Context* context = call.current(); context != nullptr) WaitContext(call, context);
}

}  // namespace gpusan::cuda
