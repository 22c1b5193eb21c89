// Programs write a part of their memory, and the rest is not used or does not matter.
#include <initializer_list>

#include "common/cuda.h"

// Buffers are filled to a half, a quarter, an eighth or a sixteenth, by an upload from a block of
// the same capacity or by calls that count wide values, and are downloaded as a whole.
static void CapacityFilledInPart() {
  static int16_t data[2048], result[2048];
  data[0] = 7;
  CUdeviceptr words = NewMemory(4096), rows;
  for (int parts = 2; parts <= 16; parts *= 2) {
    const CUdeviceptr part = NewMemory(sizeof data);
    OK(cuMemcpyHtoD(part, data, sizeof data / parts));
    OK(cuMemcpyDtoH(result, part, sizeof data));
    CHECK(result[0] == 7);
    OK(cuMemFree(part));
  }
  OK(cuMemsetD32(words, 3, 256));
  OK(cuMemcpyDtoH(result, words, 4096));
  CHECK(result[0] == 3);
  OK(cuMemFree(words));
  words = NewMemory(4096);
  OK(cuMemsetD16(words, 4, 1024));
  OK(cuMemcpyDtoH(result, words, 4096));
  CHECK(result[0] == 4);
  size_t pitch;
  OK(cuMemAllocPitch(&rows, &pitch, 400, 8, 4));
  OK(cuMemsetD2D32(rows, pitch, 5, 25, 8));
  CUDA_MEMCPY2D back = {};
  back.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  back.srcDevice = rows;
  back.srcPitch = pitch;
  back.dstMemoryType = CU_MEMORYTYPE_HOST;
  back.dstHost = result;
  back.dstPitch = 400;
  back.WidthInBytes = 400;
  back.Height = 8;
  OK(cuMemcpy2D(&back));
  CHECK(result[0] == 5);
  Release(rows, words);
}

// Programs download the written part of an allocation that is larger, or all of it after every part
// was written, or whole rows with their padding.
static void DownloadsOfWrittenParts() {
  static char data[4096], result[1 << 16];
  CUdeviceptr capacity = NewMemory(4096), quarters = NewMemory(4096), odd = NewMemory(3000);
  OK(cuMemcpyHtoD(capacity, data, 1024));
  OK(cuMemcpyDtoH(result, capacity, 1024));
  for (int i = 0; i < 4; ++i) OK(cuMemsetD8(quarters + i * 1024, i, 1024));
  OK(cuMemcpyDtoH(result, quarters, 4096));
  OK(cuMemcpyHtoD(odd, data, 2000));
  OK(cuMemcpyDtoH(result, odd, 2500));
  CUdeviceptr image;
  size_t pitch;
  OK(cuMemAllocPitch(&image, &pitch, 256, 16, 4));
  OK(cuMemsetD2D8(image, pitch, 0, 256, 16));
  if (pitch * 16 <= sizeof(result)) OK(cuMemcpyDtoH(result, image, pitch * 16));
  Release(image, odd, quarters, capacity);
}

// Kernels of which only the parameters are known read whole buffers: the unwritten bytes are the
// padding of rows or of the last block, or a count in device memory keeps the kernel from them.
// limited(const float* in, const int* count, float* out): where i < *count, out[i] = in[i]
static const char kLimited[] = R"(
.version 7.0
.target sm_75
.address_size 64

.visible .entry _Z7limitedPKfPKiPf(.param .u64 in, .param .u64 count, .param .u64 out)
{
  .reg .pred %p;
  .reg .b32 %r<5>;
  .reg .b64 %a<5>;
  .reg .f32 %f;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  ld.param.u64 %a0, [count];
  ld.u32 %r4, [%a0];
  setp.ge.s32 %p, %r3, %r4;
  @%p ret;
  ld.param.u64 %a1, [in];
  ld.param.u64 %a2, [out];
  mul.wide.u32 %a3, %r3, 4;
  add.u64 %a4, %a1, %a3;
  ld.f32 %f, [%a4];
  add.u64 %a4, %a2, %a3;
  st.f32 [%a4], %f;
  ret;
}
)";

static void PaddingOfKernelInputs() {
  CUfunction copy = Kernel(KERNEL_COPY);
  static float data[1024];
  CUdeviceptr blocks = NewMemory(4096), part = NewMemory(4096), count = NewMemory(4), rows,
              out = NewZeros(4096);
  size_t pitch;
  OK(cuMemAllocPitch(&rows, &pitch, 400, 8, 4));
  CHECK(pitch > 400 && pitch * 8 <= 4096);
  OK(cuMemcpyHtoD(blocks, data, 4000));
  OK(cuMemsetD2D32(rows, pitch, 0, 100, 8));
  void* last_block[] = {&blocks, &out};
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, nullptr, last_block, nullptr));
  void* flat[] = {&rows, &out};
  OK(cuLaunchKernel(copy, (unsigned)pitch / 64, 1, 1, 128, 1, 1, 0, nullptr, flat, nullptr));
  CUmodule module;
  CUfunction limited;
  OK(cuModuleLoadData(&module, kLimited));
  OK(cuModuleGetFunction(&limited, module, "_Z7limitedPKfPKiPf"));
  int n = 256;
  OK(cuMemcpyHtoD(count, &n, 4));
  OK(cuMemcpyHtoD(part, data, 1024));
  void* by_count[] = {&part, &count, &out};
  OK(cuLaunchKernel(limited, 4, 1, 1, 256, 1, 1, 0, nullptr, by_count, nullptr));
  OK(cuCtxSynchronize());
  OK(cuModuleUnload(module));
  Release(out, rows, count, part, blocks);
}

// Rows are filled and the bytes between them are not; later copies take rows and padding in one
// piece, and nobody uses the padding.
static void PaddingOfRows() {
  const size_t width = 100, rows = 16;
  CUdeviceptr image, copy;
  size_t pitch;
  OK(cuMemAllocPitch(&image, &pitch, width, rows, 4));
  OK(cuMemAllocPitch(&copy, &pitch, width, rows, 4));
  CUstream stream = NewStream();
  char *data = NewPinned(width * rows), *result = NewPinned(pitch * rows);
  memset(data, 7, width * rows);
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = width;
  upload.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  upload.dstDevice = image;
  upload.dstPitch = pitch;
  upload.WidthInBytes = width;
  upload.Height = rows;
  for (int round = 0; round < 2; ++round) {
    if (round == 0) {
      OK(cuMemcpy2DAsync(&upload, stream));
    } else {
      OK(cuMemsetD2D8Async(image, pitch, 7, width, rows, stream));
    }
    OK(cuMemcpyDtoDAsync(copy, image, pitch * rows, stream));
    OK(cuMemcpyDtoHAsync(result, copy, pitch * rows, stream));
    OK(cuStreamSynchronize(stream));
    for (size_t row = 0; row < rows; ++row)
      CHECK(result[row * pitch] == 7 && result[row * pitch + width - 1] == 7);
  }
  Release(result, data, stream, copy, image);
}

// Buffers are larger than what is in them: kernels use as much as their launch has threads for, or
// as many elements as they are told.
static void PartsOfACapacity() {
  CUfunction copy = Kernel(KERNEL_COPY), scale = Kernel(KERNEL_SCALE), twice = Kernel(KERNEL_TWICE),
             add = Kernel(KERNEL_ADD);
  static float data[1024], result[1024];
  for (int i = 0; i < 1024; ++i) data[i] = 1;
  CUdeviceptr in = NewMemory(4096), out = NewMemory(4096), sum = NewMemory(4096);
  OK(cuMemcpyHtoD(in, data, 2048));
  void* copied[] = {&in, &out};
  OK(cuLaunchKernel(copy, 2, 1, 1, 256, 1, 1, 0, nullptr, copied, nullptr));
  float factor = 3;
  void* scaled[] = {&out, &factor};
  OK(cuLaunchKernel(scale, 1, 1, 1, 512, 1, 1, 0, nullptr, scaled, nullptr));
  void* doubled[] = {&in};
  OK(cuLaunchKernel(twice, 2, 1, 1, 256, 1, 1, 0, nullptr, doubled, nullptr));
  int n = 512;
  void* added[] = {&in, &out, &sum, &n};
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, added, nullptr));
  OK(cuMemcpyDtoH(result, sum, 2048));
  CHECK(result[511] == 5);
  Release(sum, out, in);
}

// Programs write the part of an allocation that they need and download all of it: a part that has
// the size of its host block, the head of a structure, slots, tiles of pitched rows. A buffer
// grows.
static void PartsOfNewMemory() {
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
}

int main() {
  Open();
  CapacityFilledInPart();
  DownloadsOfWrittenParts();
  PaddingOfKernelInputs();
  PaddingOfRows();
  PartsOfACapacity();
  PartsOfNewMemory();
  Close();
}
