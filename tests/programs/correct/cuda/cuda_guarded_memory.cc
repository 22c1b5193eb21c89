// A program that asks all about its memory, and uses it up to its last byte. Guard zones change no answer and no result.
// OPTION --guard
#include <cstring>
#include <vector>

#include "common/cuda.h"

// The answers about memory of `bytes` bytes at `data`.
static void CheckAnswers(CUdeviceptr data, size_t bytes) {
  for (const size_t offset : {size_t{0}, bytes / 2, bytes - 1}) {
    CUdeviceptr base = 0, start = 0;
    size_t size = 0, range = 0;
    OK(cuMemGetAddressRange(&base, &size, data + offset));
    CHECK(base == data && size == bytes);
    OK(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, data + offset));
    OK(cuPointerGetAttribute(&range, CU_POINTER_ATTRIBUTE_RANGE_SIZE, data + offset));
    CHECK(start == data && range == bytes);
    CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_RANGE_SIZE, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR};
    start = range = 0;
    void* values[] = {&range, &start};
    OK(cuPointerGetAttributes(2, attributes, values, data + offset));
    CHECK(start == data && range == bytes);
  }
  CHECK(data % 256 == 0);
}

static void UseMemory(CUdeviceptr data, size_t bytes) {
  std::vector<unsigned char> there(bytes), back(bytes);
  for (size_t i = 0; i < bytes; ++i) there[i] = static_cast<unsigned char>(i * 5 + 1);
  OK(cuMemcpyHtoD(data, there.data(), bytes));
  OK(cuMemcpyDtoH(back.data(), data, bytes));
  CHECK(there == back);
  OK(cuMemsetD8(data + bytes - 1, 77, 1));
  OK(cuMemcpyDtoH(back.data(), data, bytes));
  CHECK(back[bytes - 1] == 77 && (bytes == 1 || back[0] == 1));
}

int main() {
  Open();
  CUstream stream = NewStream();
  for (const size_t bytes : {size_t{1}, size_t{1000}, size_t{5000}, size_t{3} << 20}) {
    CUdeviceptr data;
    OK(cuMemAlloc(&data, bytes));
    CheckAnswers(data, bytes);
    UseMemory(data, bytes);
    OK(cuMemFree(data));

    OK(cuMemAllocManaged(&data, bytes, CU_MEM_ATTACH_GLOBAL));
    CheckAnswers(data, bytes);
    UseMemory(data, bytes);
    OK(cuMemFree(data));

    OK(cuMemAllocAsync(&data, bytes, stream));
    OK(cuStreamSynchronize(stream));
    CheckAnswers(data, bytes);
    UseMemory(data, bytes);
    OK(cuMemFreeAsync(data, stream));
    OK(cuStreamSynchronize(stream));

    void* block;
    OK(cuMemHostAlloc(&block, bytes, 0));
    CHECK(reinterpret_cast<size_t>(block) % 4096 == 0);
    memset(block, 3, bytes);
    OK(cuMemFreeHost(block));
    OK(cuMemAllocHost(&block, bytes));
    memset(block, 4, bytes);
    OK(cuMemFreeHost(block));
  }
  CUdeviceptr rows;
  size_t pitch;
  OK(cuMemAllocPitch(&rows, &pitch, 300, 20, 4));
  CHECK(pitch >= 300);
  UseMemory(rows, pitch * 20);
  OK(cuMemFree(rows));

  CUfunction add = Kernel(KERNEL_ADD);
  constexpr int kCount = 256;
  std::vector<float> ones(kCount, 1.0f), sums(kCount);
  CUdeviceptr a = NewMemory(kCount * 4), b = NewMemory(kCount * 4), out = NewMemory(kCount * 4);
  OK(cuMemcpyHtoD(a, ones.data(), kCount * 4));
  OK(cuMemcpyHtoD(b, ones.data(), kCount * 4));
  int count = kCount;
  void* arguments[] = {&a, &b, &out, &count};
  OK(cuLaunchKernel(add, 1, 1, 1, kCount, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuMemcpyDtoH(sums.data(), out, kCount * 4));
  for (float sum : sums) CHECK(sum == 2.0f);
  Close(a, b, out, stream);
}
