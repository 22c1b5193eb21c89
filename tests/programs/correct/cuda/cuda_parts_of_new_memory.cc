// Programs write the part of an allocation that they need and download all of it: a part that has
// the size of its host block, the head of a structure, slots, tiles of pitched rows. A buffer
// grows.
#include <initializer_list>

#include "common/cuda.h"

int main() {
  Open();
  static char result[1 << 16];
  char* part = static_cast<char*>(calloc(1, 1024));
  char* room = static_cast<char*>(calloc(1, 6000));
  CUdeviceptr quarter = NewMemory(4096), capacity = NewMemory(8192), list = NewMemory(128),
              slots = NewMemory(4096), grown = NewMemory(8192), chunks = NewMemory(8192);
  OK(cuMemcpyHtoD(quarter, part, 1024));
  OK(cuMemcpyDtoH(result, quarter, 4096));
  OK(cuMemcpyHtoD(capacity, room, 1024));
  OK(cuMemcpyDtoH(result, capacity, 8192));
  OK(cuMemsetD32(list, 0, 1));
  OK(cuMemcpyDtoH(result, list, 128));
  for (int i = 0; i < 2; ++i) OK(cuMemsetD8(slots + i * 1024, 0, 1024));
  OK(cuMemcpyDtoH(result, slots, 4096));
  OK(cuMemcpyDtoD(grown, slots, 4096));
  OK(cuMemcpyDtoH(result, grown, 8192));
  // Halves of chunks, as many bytes as are downloaded.
  for (int i = 0; i < 2; ++i) OK(cuMemsetD8(chunks + i * 1024, 0, 512));
  OK(cuMemcpyDtoH(result, chunks, 1024));
  CUdeviceptr image;
  size_t pitch;
  OK(cuMemAllocPitch(&image, &pitch, 1000, 16, 4));
  // The left columns of the upper rows, then all rows.
  OK(cuMemsetD2D8(image, pitch, 0, 300, 8));
  CUDA_MEMCPY2D back = {};
  back.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  back.srcDevice = image;
  back.srcPitch = pitch;
  back.dstMemoryType = CU_MEMORYTYPE_HOST;
  back.dstHost = result;
  back.dstPitch = 1000;
  back.WidthInBytes = 1000;
  back.Height = 16;
  OK(cuMemcpy2D(&back));
  // Whole rows with their padding, as one block.
  OK(cuMemsetD2D8(image, pitch, 0, 1000, 16));
  if (pitch * 16 <= sizeof(result)) OK(cuMemcpyDtoH(result, image, pitch * 16));
  OK(cuMemFree(image));
  for (CUdeviceptr memory : {quarter, capacity, list, slots, grown, chunks}) OK(cuMemFree(memory));
  free(room);
  free(part);
  Close();
}
