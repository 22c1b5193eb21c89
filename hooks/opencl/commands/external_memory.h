// Handlers of commands on memory that other APIs and processes share: acquisitions, releases, and
// the generation of mipmaps.
#pragma once

#include "hooks/opencl/commands/enqueue.h"
#include "hooks/opencl/words/extension_types.h"

namespace gpusan::opencl::handlers {

// The base of the handlers of memory that counts as written, because gpusan cannot see the writes
// of the other API or process.
class ExternalMemoryHandler : public Enqueue {
 public:
  void Before(ClCall& call, cl_command_queue queue, cl_uint num_objects, const cl_mem* objects,
              cl_uint count, const cl_event* list, cl_event* event);
};

#ifdef cl_khr_external_memory
struct clEnqueueAcquireExternalMemObjectsKHR : ExternalMemoryHandler {};
struct clEnqueueReleaseExternalMemObjectsKHR : ExternalMemoryHandler {};
#endif
#ifdef cl_img_use_gralloc_ptr
struct clEnqueueAcquireGrallocObjectsIMG : ExternalMemoryHandler {};
struct clEnqueueReleaseGrallocObjectsIMG : ExternalMemoryHandler {};
#endif

#ifdef cl_img_generate_mipmap
struct clEnqueueGenerateMipmapIMG : Enqueue {
  BeforeOf<clEnqueueGenerateMipmapIMG_fn> Before;
};
#endif

// The base of the handlers of memory shared with OpenGL and EGL. The objects are imported: gpusan
// follows no bytes of them.
class GraphicsMemoryHandler : public Enqueue {
 public:
  void Before(ClCall& call, cl_command_queue queue, cl_uint num_objects, const cl_mem* objects,
              cl_uint count, const cl_event* list, cl_event* event);
};

struct clEnqueueAcquireGLObjects : GraphicsMemoryHandler {};
struct clEnqueueReleaseGLObjects : GraphicsMemoryHandler {};
struct clEnqueueAcquireEGLObjectsKHR : GraphicsMemoryHandler {};
struct clEnqueueReleaseEGLObjectsKHR : GraphicsMemoryHandler {};

}  // namespace gpusan::opencl::handlers
