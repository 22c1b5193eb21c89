// Handlers of mapped regions of buffers and images.
#pragma once

#include "hooks/opencl/commands/enqueue.h"

namespace gpusan::opencl {

// A map command: the base of the handlers of all kinds of memory.
class EnqueueMap : public EnqueueTransfer {
 public:
  // `known`: gpusan tracks the mapped side.
  void BeginMap(ClCall& call, const Side& side, bool known, cl_bool blocking, cl_map_flags flags);
  // `pointer`: the mapped memory. `host_bytes`: its size; 0: not known, or shared memory.
  void EndMap(ClCall& call, cl_int code, void* pointer, uint64_t host_bytes);
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
  void After(ClCall& call, void* pointer);
};

struct clEnqueueMapImage : EnqueueMap {
  BeforeOf<cl_api_clEnqueueMapImage> Before;
  AfterOf<cl_api_clEnqueueMapImage> After;
};

struct clEnqueueUnmapMemObject : EnqueueUnmap {
  BeforeOf<cl_api_clEnqueueUnmapMemObject> Before;
};

}  // namespace handlers
}  // namespace gpusan::opencl
