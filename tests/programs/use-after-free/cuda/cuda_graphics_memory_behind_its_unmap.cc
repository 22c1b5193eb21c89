// Defect: Memory of a graphics API is filled by CUDA when it has been unmapped.
// Fix: Memory of a graphics API is filled by CUDA while it is mapped, frame by frame.
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
#ifdef DEFECT
  OK(cuGraphicsMapResources(1, &resource, stream));
  OK(cuGraphicsResourceGetMappedPointer(&memory, &bytes, resource));
  OK(cuMemsetD8Async(memory, 1, bytes, stream));
  // @UNMAPPED
  OK(cuGraphicsUnmapResources(1, &resource, stream));
  // @HERE
  cuMemsetD8Async(memory, 2, bytes, stream);
  OK(cuGraphicsUnregisterResource(resource));
#else
  for (int frame = 0; frame < 4; ++frame) {
    OK(cuGraphicsMapResources(1, &resource, stream));
    // A program may keep the address where it sees that it stays the same.
    if (frame != 2) OK(cuGraphicsResourceGetMappedPointer(&memory, &bytes, resource));
    OK(cuMemsetD8Async(memory, 1, bytes, stream));
    OK(cuGraphicsUnmapResources(1, &resource, stream));
  }
  OK(cuGraphicsUnregisterResource(resource));
  OK(cuStreamSynchronize(stream));
  // Its address may serve for something else.
  CUdeviceptr other = NewZeros(4096);
  OK(cuMemFree(other));
#endif
  Close(stream);
}
