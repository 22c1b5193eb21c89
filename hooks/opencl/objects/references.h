// The bodies of all handlers that retain or release an object.
#pragma once

#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

template <typename Handle>
cl_int RetainHandle(ClCall& call, cl_int(CL_API_CALL* next)(Handle), Handle handle, KindMask kinds,
                    const char* argument) {
  Object* object = call.tracker().Use(call, HandleOf(handle), kinds, argument);
  call.BeforeReal();
  const cl_int code = next(handle);
  if (code == CL_SUCCESS && object != nullptr) call.tracker().Retain(call, object);
  return call.Done(code);
}

// Applies the release before the real call, because the driver may reuse the handle at once, and
// undoes it if the call fails. Calls `released(object)` before the real call if this was the last
// reference.
template <typename Handle, typename Released>
cl_int ReleaseHandle(ClCall& call, cl_int(CL_API_CALL* next)(Handle), Handle handle, KindMask kinds,
                     const char* argument, Released released) {
  Object* object = call.tracker().UseForRelease(call, HandleOf(handle), kinds, argument);
  if (object != nullptr) {
    const WeakRef<Object> same(object);
    call.tracker().Release(call, object);
    if (same.get() == nullptr || !object->live()) released(object);
  }
  call.BeforeReal();
  const cl_int code = next(handle);
  if (code != CL_SUCCESS && object != nullptr) call.tracker().UndoRelease(object);
  return call.Done(code);
}

}  // namespace gpusan::opencl
