// Memory of a graphics API is filled by CUDA when it has been unmapped.
// EXPECT error use-after-free cuMemsetD8Async at HERE
// EXPECT-PARTY release at UNMAPPED
#include <dlfcn.h>

#include "common/cuda.h"

int main() {
  Open();
  CUgraphicsResource resource;
  // Of a header that needs one of OpenGL's. The tests' driver takes a buffer without OpenGL.
  auto* enroll = (CUresult(*)(CUgraphicsResource*, unsigned, unsigned))dlsym(
      RTLD_DEFAULT, "cuGraphicsGLRegisterBuffer");
  NEEDS(enroll != nullptr && enroll(&resource, 4096, 0) == CUDA_SUCCESS);
  CUstream stream = NewStream();
  CUdeviceptr memory;
  size_t bytes;
  OK(cuGraphicsMapResources(1, &resource, stream));
  OK(cuGraphicsResourceGetMappedPointer(&memory, &bytes, resource));
  OK(cuMemsetD8Async(memory, 1, bytes, stream));
  // @UNMAPPED
  OK(cuGraphicsUnmapResources(1, &resource, stream));
  // @HERE
  cuMemsetD8Async(memory, 2, bytes, stream);
  OK(cuGraphicsUnregisterResource(resource));
  OK(cuStreamDestroy(stream));
  Close();
}
