// The bases of all handlers that retain or release an object.
#pragma once

#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

// The base of a handler that retains an object: its Before calls Find.
class RetainHandler {
 public:
  void After(ClCall& call, cl_int code) {
    if (code == CL_SUCCESS && object_ != nullptr) call.tracker().objects().Retain(call, object_);
  }

 protected:
  void Find(ClCall& call, const void* handle, KindMask kinds, const char* argument) {
    object_ = call.tracker().objects().Use(call, HandleOf(handle), kinds, argument);
  }

 private:
  Object* object_ = nullptr;
};

// The base of a handler that releases an object: its Before calls Release. The release is applied
// before the real call, because the driver may reuse the handle at once, and is undone if the call
// fails.
class ReleaseHandler {
 public:
  void After(ClCall& call, cl_int code) {
    if (code != CL_SUCCESS && object_ != nullptr) call.tracker().objects().UndoRelease(object_);
  }

 protected:
  void Release(ClCall& call, const void* handle, KindMask kinds, const char* argument) {
    object_ = call.tracker().objects().UseForRelease(call, HandleOf(handle), kinds, argument);
    if (object_ == nullptr) return;
    CheckOrder(call);
    call.tracker().objects().Release(call, object_);
  }

  // The same. Returns the shadow object if this was its last reference, otherwise nullptr.
  const Object* ReleaseLast(ClCall& call, const void* handle, KindMask kinds,
                            const char* argument) {
    object_ = call.tracker().objects().UseForRelease(call, HandleOf(handle), kinds, argument);
    if (object_ == nullptr) return nullptr;
    const WeakRef<Object> same(object_);
    call.tracker().objects().Release(call, object_);
    return same.get() == nullptr || !object_->live() ? object_ : nullptr;
  }

 private:
  void CheckOrder(ClCall& call) {
    if (call.tracker().ordering().MayHaveUnsetEvents()) [[unlikely]]
      call.tracker().CheckReleaseOrder(call, *object_);
  }

  Object* object_ = nullptr;
};

}  // namespace gpusan::opencl
