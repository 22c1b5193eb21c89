// Handlers of mapped regions of buffers and images.
#pragma once

#include "hooks/opencl/commands/enqueue.h"

namespace gpusan::opencl {

// A map command: the base of the handlers of all kinds of memory.
class EnqueueMap : public EnqueueTransfer {
 public:
  // `known`: gpusan tracks the mapped side.
  void BeginMap(ClCall& call, const Side& side, bool known, cl_bool blocking, cl_map_flags flags);
  // `pointer`: the mapped memory.
  void EndMap(ClCall& call, cl_int code, void* pointer);
};

// An unmap command. `resource` is nullptr if gpusan does not track the memory.
class EnqueueUnmap : public EnqueueTransfer {
 public:
  void BeginUnmap(ClCall& call, Resource* resource, void* pointer);
  void After(ClCall& call, cl_int code);

 private:
  Resource* resource_ = nullptr;
  Mapping mapping_;
};

namespace handlers {

struct clEnqueueMapBuffer : EnqueueMap {
  BeforeOf<cl_api_clEnqueueMapBuffer> Before;
  void After(ClCall& call, void* pointer) { EndMap(call, call.code(), pointer); }
};

struct clEnqueueMapImage : EnqueueMap {
  BeforeOf<cl_api_clEnqueueMapImage> Before;
  void After(ClCall& call, void* pointer) { EndMap(call, call.code(), pointer); }
};

struct clEnqueueUnmapMemObject : EnqueueUnmap {
  BeforeOf<cl_api_clEnqueueUnmapMemObject> Before;
};

}  // namespace handlers
}  // namespace gpusan::opencl
