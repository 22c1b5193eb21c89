// Handlers that create memory objects: buffers, sub-buffers, images, pipes, objects shared with
// graphics APIs.
#pragma once

#include "hooks/opencl/call/callbacks.h"
#include "hooks/opencl/objects/use_objects.h"
#include "hooks/opencl/words/extension_types.h"

namespace gpusan::opencl::handlers {

// The base of the handlers that create a memory object: their Before fills `creation_` and calls
// Begin.
class MemoryHandler {
 public:
  void After(ClCall& call, cl_mem memory);

 protected:
  // Checks the creation. `imports`: the object may have contents that others wrote.
  void Begin(ClCall& call, cl_context context, cl_mem_flags flags, bool imports = false);
  // The whole Before of a buffer.
  void BeginBuffer(ClCall& call, cl_context context, cl_mem_flags flags, size_t size,
                   const void* host_ptr, bool imports = false);

  Creation creation_;
  const cl_image_format* format_ = nullptr;  // of the program, during the call; nullptr: no image
  cl_mem_object_type type_ = 0;              // of the image

 private:
  // Explains why the creation failed.
  void Explain(ClCall& call);
  // What the program created.
  ResourceSpec SpecOf(cl_mem memory) const;

  Object* context_ = nullptr;
  bool imports_ = false;
};

struct clCreateBuffer : MemoryHandler {
  BeforeOf<cl_api_clCreateBuffer> Before;
};

struct clCreateBufferWithProperties : MemoryHandler {
  BeforeOf<cl_api_clCreateBufferWithProperties> Before;
};

struct clCreateBufferNV : MemoryHandler {
  BeforeOf<clCreateBufferNV_fn> Before;
};

struct clCreateSubBuffer : MemoryHandler {
  BeforeOf<cl_api_clCreateSubBuffer> Before;
  void After(ClCall& call, cl_mem memory);
};

struct clCreatePipe : MemoryHandler {
  BeforeOf<cl_api_clCreatePipe> Before;
};

// The base of the handlers that create an image.
class ImageHandler : public MemoryHandler {
 protected:
  void BeginImage(ClCall& call, cl_context context, cl_mem_flags flags,
                  const cl_image_format* format, const cl_image_desc* desc, const void* host_ptr,
                  bool imports = false);

 private:
  // Gives the one reason of a failure that the description of the image shows.
  void GiveReason(ClCall& call, const cl_image_format* format, const cl_image_desc& desc) const;

  ImageInfo image_;
};

struct clCreateImage : ImageHandler {
  BeforeOf<cl_api_clCreateImage> Before;
};

struct clCreateImageWithProperties : ImageHandler {
  BeforeOf<cl_api_clCreateImageWithProperties> Before;
};

struct clCreateImage2D : ImageHandler {
  BeforeOf<cl_api_clCreateImage2D> Before;
};

struct clCreateImage3D : ImageHandler {
  BeforeOf<cl_api_clCreateImage3D> Before;
};

struct clSetMemObjectDestructorCallback {
  void Before(ClCall& call, cl_mem memory, MemoryDestructor& notify, void*& user_data);
  void After(ClCall& call, cl_int code);

 private:
  WrappedCallback<MemoryDestructor> wrapped_;
  Resource* resource_ = nullptr;
};

struct clSetContentSizeBufferPoCL {
  BeforeOf<clSetContentSizeBufferPoCL_fn> Before;
};

// --- shared with OpenGL, EGL and others

// The base of the handlers that create a memory object from one of another API. Its contents, its
// size and the accesses of the other API are not visible: it counts as imported, and only its
// lifetime is checked.
class SharedMemoryHandler {
 public:
  void After(ClCall& call, cl_mem memory);

 protected:
  void Begin(ClCall& call, ObjectKind kind, cl_context context, cl_mem_flags flags);

 private:
  ObjectKind kind_ = ObjectKind::kBuffer;
  Object* context_ = nullptr;
  cl_mem_flags flags_ = 0;
};

// The same, for calls that begin with the context and the flags.
template <ObjectKind kind>
class SharedMemory : public SharedMemoryHandler {
 public:
  template <typename... Arguments>
  void Before(ClCall& call, cl_context context, cl_mem_flags flags, Arguments...) {
    Begin(call, kind, context, flags);
  }
};

#ifdef cl_arm_import_memory
struct clImportMemoryARM : SharedMemory<ObjectKind::kBuffer> {};
#endif

struct clCreateFromGLBuffer : SharedMemory<ObjectKind::kBuffer> {};

struct clCreateFromGLTexture : SharedMemory<ObjectKind::kImage> {};

struct clCreateFromGLTexture2D : SharedMemory<ObjectKind::kImage> {};

struct clCreateFromGLTexture3D : SharedMemory<ObjectKind::kImage> {};

struct clCreateFromGLRenderbuffer : SharedMemory<ObjectKind::kImage> {};

struct clCreateFromEGLImageKHR : SharedMemoryHandler {
  BeforeOf<cl_api_clCreateFromEGLImageKHR> Before;
};

}  // namespace gpusan::opencl::handlers
