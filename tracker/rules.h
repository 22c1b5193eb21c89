// Where rules are asked. Each check is a struct in rules/<id>.cc with static functions of the names below, as many as
// it needs; the build puts all of them into one unit whose dispatcher (rules/dispatch.inc) calls exactly those that
// exist. A rule reads shadow state and adds findings to the call; it changes nothing.
#pragma once

#include "tracker/call.h"
#include "tracker/operation.h"

namespace gpusan {
struct FailedCreation;
}  // namespace gpusan

namespace gpusan::rules {

// A use of a handle that is known but not usable.
struct HandleUse {
  const Object* object = nullptr;
  uint32_t expected = 0;  // KindMask
  const char* argument = "";
  bool release = false;         // the call releases it
  const Object* owner = nullptr;  // set: `object` belongs to another context than `owner`
};

// A NULL handle or pointer where a creation failed before.
struct NullUse {
  const char* argument = "";
  ObjectKind kind = ObjectKind::kNone;
  const FailedCreation* failed = nullptr;  // never nullptr
};

// A pointer that should be (part of) a shared allocation, or that is freed as one.
struct PointerUse {
  uintptr_t address = 0;
  uint64_t bytes = 0;
  const char* argument = "";
  const Resource* resource = nullptr;  // that contains it, live or released; nullptr: none known
  uint64_t offset = 0;
  bool free = false;
  bool block_known = false;
  HostBlock block;  // when it is ordinary host memory
};

// Host memory that goes away.
struct HostFree {
  HostBlock block;
  const Access* pending = nullptr;    // a command that still uses it
  const Resource* pinned = nullptr;   // a live object that lives in it
  const Resource* shared = nullptr;   // the block is really a shared allocation
};

struct MappingUse {
  const Resource* resource = nullptr;
  const void* pointer = nullptr;     // unmap of a pointer that is not mapped
  const Mapping* mapping = nullptr;  // device work on this mapping
  bool kernel = false;
  bool writes = false;
  bool unsure = false;  // whether it writes, on which all depends, cannot be seen
};

// Released memory that commands still hold, summed over the releases at one site.
struct Deferral {
  const Resource* resource = nullptr;
  const Access* pending = nullptr;
  uint64_t site_bytes = 0;
  uint64_t site_count = 0;
  uint64_t peak_bytes = 0;
};

void OnCreate(const Creation& creation, Call& call);
void OnTransfer(const Transfer& transfer, Call& call);
void OnLaunch(const Launch& launch, Call& call);
void OnHandleUse(const HandleUse& use, Call& call);
void OnNullUse(const NullUse& use, Call& call);
void OnPointerUse(const PointerUse& use, Call& call);
void OnConflict(const Conflict& conflict, Call& call);
void OnHostFree(const HostFree& free, Call& call);
void OnMappingUse(const MappingUse& use, Call& call);
// The last reference of an object goes away; commands may be pending.
void OnRelease(const Object& object, Call& call);
void OnDeferral(const Deferral& deferral, Call& call);
void OnFailure(const Failure& failure, Call& call);
void OnLeftover(const Leftover& leftover, Call& call);

}  // namespace gpusan::rules
