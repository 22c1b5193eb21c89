// The fake driver's order: what CUDA promises in every mode, and what the modes make of the rest.
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "driver_fixture.h"

namespace {

constexpr size_t kCount = 64;
constexpr size_t kBytes = kCount * 4;

}  // namespace

TEST_CASE_METHOD(Driver, "one stream runs in the order of submission") {
  CUstream stream = Stream();
  CUdeviceptr memory = Memory(kBytes);
  int* result = Pinned<int>(kCount);
  REQUIRE(Launch(KERNEL_FILL, kCount, stream, memory, 3) == CUDA_SUCCESS);
  REQUIRE(cuMemsetD32Async(memory, 5, kCount / 2, stream) == CUDA_SUCCESS);
  REQUIRE(cuMemcpyDtoHAsync(result, memory, kBytes, stream) == CUDA_SUCCESS);
  REQUIRE(Launch(KERNEL_FILL, kCount, stream, memory, 9) == CUDA_SUCCESS);
  REQUIRE(cuStreamSynchronize(stream) == CUDA_SUCCESS);
  CHECK(result[0] == 5);
  CHECK(result[kCount - 1] == 3);
  CHECK(Read<int>(memory, 1)[0] == 9);
}

TEST_CASE_METHOD(Driver, "what nothing orders runs the wrong way round in late order alone") {
  if (TheOrder() != "late" && TheOrder() != "eager") {
    return;
  }
  CUstream first = Stream();
  CUstream second = Stream();
  CUdeviceptr from = Memory(kBytes);
  CUdeviceptr to = Memory(kBytes);
  float* source = Pinned<float>(kCount);
  source[0] = 7;
  REQUIRE(cuMemcpyHtoDAsync(from, source, kBytes, first) == CUDA_SUCCESS);
  REQUIRE(Launch(KERNEL_COPY, kCount, second, from, to) == CUDA_SUCCESS);
  SECTION("when the reader is waited for first") {
    REQUIRE(cuStreamSynchronize(second) == CUDA_SUCCESS);
    REQUIRE(cuStreamSynchronize(first) == CUDA_SUCCESS);
  }
  SECTION("when the writer is waited for first") {
    REQUIRE(cuStreamSynchronize(first) == CUDA_SUCCESS);
    REQUIRE(cuStreamSynchronize(second) == CUDA_SUCCESS);
  }
  CHECK(Read<float>(to, 1)[0] == (Late() ? 0 : 7));
}

TEST_CASE_METHOD(Driver, "an asynchronous download is there once it was waited for") {
  CUstream stream = Stream();
  CUstream other = Stream();
  CUdeviceptr memory = Memory(kBytes);
  int* result = Pinned<int>(kCount);
  REQUIRE(cuMemsetD32Async(memory, 5, kCount, stream) == CUDA_SUCCESS);
  REQUIRE(cuMemcpyDtoHAsync(result, memory, kBytes, stream) == CUDA_SUCCESS);
  REQUIRE(Launch(KERNEL_NOTHING, 1, other) == CUDA_SUCCESS);
  REQUIRE(cuStreamSynchronize(other) == CUDA_SUCCESS);
  if (Late()) {
    CHECK(result[0] == 0);
  } else if (Eager()) {
    CHECK(result[0] == 5);
  }
  REQUIRE(cuStreamSynchronize(stream) == CUDA_SUCCESS);
  CHECK(result[0] == 5);
}

TEST_CASE_METHOD(Driver, "the bytes of pageable memory are taken when the call is made") {
  CUstream stream = Stream();
  CUdeviceptr memory = Memory(kBytes);
  std::vector<int> source(kCount, 4);
  REQUIRE(cuMemcpyHtoDAsync(memory, source.data(), kBytes, stream) == CUDA_SUCCESS);
  source.assign(kCount, 8);
  REQUIRE(cuStreamSynchronize(stream) == CUDA_SUCCESS);
  CHECK(Read<int>(memory, 1)[0] == 4);
}

TEST_CASE_METHOD(Driver, "the legacy stream and blocking streams wait for each other") {
  CUstream blocking = Stream(CU_STREAM_DEFAULT);
  CUdeviceptr memory = Memory(kBytes);
  CUdeviceptr copy = Memory(kBytes);
  REQUIRE(cuMemsetD32Async(memory, 1, kCount, blocking) == CUDA_SUCCESS);
  REQUIRE(Launch(KERNEL_COPY, kCount, CU_STREAM_LEGACY, memory, copy) == CUDA_SUCCESS);
  REQUIRE(cuMemsetD32Async(copy, 6, 1, blocking) == CUDA_SUCCESS);
  REQUIRE(cuStreamSynchronize(nullptr) == CUDA_SUCCESS);
  const std::vector<int> values = Read<int>(copy, 2);
  CHECK(values[0] == 6);
  CHECK(values[1] == 1);
}

TEST_CASE_METHOD(Driver, "a non-blocking stream does not wait for the legacy stream") {
  if (!Late()) {
    return;
  }
  CUstream stream = Stream(CU_STREAM_NON_BLOCKING);
  CUdeviceptr memory = Memory(kBytes);
  CUdeviceptr copy = Memory(kBytes);
  REQUIRE(cuMemsetD32Async(memory, 1, kCount, nullptr) == CUDA_SUCCESS);
  REQUIRE(Launch(KERNEL_COPY, kCount, stream, memory, copy) == CUDA_SUCCESS);
  CHECK(Read<int>(copy, 1)[0] == 0);
}

TEST_CASE_METHOD(Driver,
                 "the per-thread default stream is the thread's own and joins the legacy one") {
  CUdeviceptr memory = Memory(kBytes);
  CUdeviceptr copy = Memory(kBytes);
  unsigned long long here = 0;
  unsigned long long there = 0;
  REQUIRE(cuStreamGetId(CU_STREAM_PER_THREAD, &here) == CUDA_SUCCESS);
  std::thread([&] {
    cuCtxSetCurrent(context);
    cuStreamGetId(CU_STREAM_PER_THREAD, &there);
  }).join();
  CHECK(here != there);
  REQUIRE(cuMemsetD32Async(memory, 1, kCount, CU_STREAM_PER_THREAD) == CUDA_SUCCESS);
  REQUIRE(Launch(KERNEL_COPY, kCount, CU_STREAM_LEGACY, memory, copy) == CUDA_SUCCESS);
  CHECK(Read<int>(copy, 1)[0] == 1);
}

TEST_CASE_METHOD(Driver, "a wait binds to the record that the event has at the call") {
  CUstream first = Stream();
  CUstream second = Stream();
  CUevent event = Event();
  CUdeviceptr memory = Memory(kBytes);
  CUdeviceptr copy = Memory(kBytes);
  REQUIRE(cuMemsetD32Async(memory, 1, kCount, first) == CUDA_SUCCESS);
  REQUIRE(cuEventRecord(event, first) == CUDA_SUCCESS);
  REQUIRE(cuStreamWaitEvent(second, event, 0) == CUDA_SUCCESS);
  REQUIRE(Launch(KERNEL_COPY, kCount, second, memory, copy) == CUDA_SUCCESS);
  REQUIRE(cuEventRecord(event, second) == CUDA_SUCCESS);
  REQUIRE(cuEventSynchronize(event) == CUDA_SUCCESS);
  CHECK(cuEventQuery(event) == CUDA_SUCCESS);
  CHECK(Read<int>(copy, 1)[0] == 1);
}

TEST_CASE_METHOD(Driver, "an event that was never recorded is complete and no wait") {
  CUevent event = Event();
  CUstream stream = Stream();
  CHECK(cuEventQuery(event) == CUDA_SUCCESS);
  CHECK(cuEventSynchronize(event) == CUDA_SUCCESS);
  CHECK(cuStreamWaitEvent(stream, event, 0) == CUDA_SUCCESS);
  CHECK(cuStreamSynchronize(stream) == CUDA_SUCCESS);
}

TEST_CASE_METHOD(Driver, "a program that polls gets on in every order") {
  CUstream stream = Stream();
  CUevent event = Event();
  CUdeviceptr memory = Memory(kBytes);
  REQUIRE(cuMemsetD32Async(memory, 1, kCount, stream) == CUDA_SUCCESS);
  REQUIRE(cuEventRecord(event, stream) == CUDA_SUCCESS);
  if (Late()) {
    CHECK(cuEventQuery(event) == CUDA_ERROR_NOT_READY);
  }
  CUresult result = CUDA_ERROR_NOT_READY;
  while (result == CUDA_ERROR_NOT_READY) {
    result = cuEventQuery(event);
  }
  CHECK(result == CUDA_SUCCESS);
  while ((result = cuStreamQuery(stream)) == CUDA_ERROR_NOT_READY) {
  }
  CHECK(result == CUDA_SUCCESS);
}

TEST_CASE_METHOD(Driver, "elapsed time lies between two recorded events") {
  CUstream stream = Stream();
  CUevent start = nullptr;
  CUevent end = nullptr;
  float milliseconds = -1;
  REQUIRE(cuEventCreate(&start, 0) == CUDA_SUCCESS);
  REQUIRE(cuEventCreate(&end, 0) == CUDA_SUCCESS);
  CHECK(cuEventElapsedTime(&milliseconds, start, end) == CUDA_ERROR_INVALID_HANDLE);
  REQUIRE(cuEventRecord(start, stream) == CUDA_SUCCESS);
  REQUIRE(Launch(KERNEL_NOTHING, 1, stream) == CUDA_SUCCESS);
  REQUIRE(cuEventRecord(end, stream) == CUDA_SUCCESS);
  REQUIRE(cuEventSynchronize(end) == CUDA_SUCCESS);
  CHECK(cuEventElapsedTime(&milliseconds, start, end) == CUDA_SUCCESS);
  CHECK(milliseconds >= 0);
}

namespace {

struct HostWork {
  int* value = nullptr;
  int seen = -1;
  CUresult called = CUDA_SUCCESS;
  bool other_thread = false;
  std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> done{false};
};

void ReadValue(void* data) {
  auto* work = static_cast<HostWork*>(data);
  CUdeviceptr memory = 0;
  work->seen = *work->value;
  work->called = cuMemAlloc(&memory, 16);
  work->other_thread = std::this_thread::get_id() != work->caller;
  work->done = true;
}

}  // namespace

TEST_CASE_METHOD(
    Driver,
    "a host function runs after earlier work, on another thread, and may not call the driver") {
  CUstream stream = Stream();
  CUdeviceptr memory = Memory(kBytes);
  HostWork work;
  work.value = Pinned<int>(1);
  REQUIRE(cuMemsetD32Async(memory, 5, 1, stream) == CUDA_SUCCESS);
  REQUIRE(cuMemcpyDtoHAsync(work.value, memory, 4, stream) == CUDA_SUCCESS);
  REQUIRE(cuLaunchHostFunc(stream, ReadValue, &work) == CUDA_SUCCESS);
  REQUIRE(cuStreamSynchronize(stream) == CUDA_SUCCESS);
  CHECK(work.seen == 5);
  CHECK(work.called == CUDA_ERROR_NOT_PERMITTED);
  CHECK(work.other_thread);
}

TEST_CASE_METHOD(Driver,
                 "a host function runs at last when the program waits for it by other means") {
  CUstream stream = Stream();
  HostWork work;
  work.value = Pinned<int>(1);
  REQUIRE(cuLaunchHostFunc(stream, ReadValue, &work) == CUDA_SUCCESS);
  while (!work.done) {
    std::this_thread::yield();
  }
  CHECK(work.seen == 0);
}

TEST_CASE_METHOD(Driver, "a callback gets its stream and the status") {
  CUstream stream = Stream();
  struct Seen {
    CUstream stream = nullptr;
    CUresult status = CUDA_ERROR_UNKNOWN;
  } seen;
  auto callback = [](CUstream called, CUresult status, void* data) {
    *static_cast<Seen*>(data) = {called, status};
  };
  REQUIRE(cuStreamAddCallback(stream, callback, &seen, 0) == CUDA_SUCCESS);
  REQUIRE(cuStreamSynchronize(stream) == CUDA_SUCCESS);
  CHECK(seen.stream == stream);
  CHECK(seen.status == CUDA_SUCCESS);
}

TEST_CASE_METHOD(Driver, "a stream waits for a value that another stream or the program writes") {
  CUstream waiter = Stream();
  CUstream writer = Stream();
  CUdeviceptr flag = Memory(8);
  CUdeviceptr memory = Memory(kBytes);
  REQUIRE(cuStreamWaitValue32(waiter, flag, 3, CU_STREAM_WAIT_VALUE_GEQ) == CUDA_SUCCESS);
  REQUIRE(cuMemsetD32Async(memory, 2, 1, waiter) == CUDA_SUCCESS);
  REQUIRE(cuMemsetD32Async(memory, 1, 1, writer) == CUDA_SUCCESS);
  REQUIRE(cuStreamWriteValue32(writer, flag, 4, 0) == CUDA_SUCCESS);
  REQUIRE(cuStreamSynchronize(waiter) == CUDA_SUCCESS);
  CHECK(Read<int>(memory, 1)[0] == 2);

  int* host_flag = Pinned<int>(2);
  const auto address = reinterpret_cast<CUdeviceptr>(host_flag);
  REQUIRE(cuStreamWaitValue64(waiter, address, 1, CU_STREAM_WAIT_VALUE_EQ) == CUDA_SUCCESS);
  __atomic_store_n(host_flag, 1, __ATOMIC_RELEASE);
  CHECK(cuStreamSynchronize(waiter) == CUDA_SUCCESS);
}

TEST_CASE_METHOD(Driver, "a context's event stands for all of its streams") {
  CUstream first = Stream();
  CUstream second = Stream();
  CUdeviceptr memory = Memory(kBytes);
  CUevent event = Event();
  REQUIRE(cuMemsetD32Async(memory, 1, 1, first) == CUDA_SUCCESS);
  REQUIRE(cuMemsetD32Async(memory + 4, 2, 1, second) == CUDA_SUCCESS);
  REQUIRE(cuCtxRecordEvent(context, event) == CUDA_SUCCESS);
  REQUIRE(cuEventSynchronize(event) == CUDA_SUCCESS);
  CHECK(cuStreamQuery(first) == CUDA_SUCCESS);
  CHECK(cuStreamQuery(second) == CUDA_SUCCESS);
}

TEST_CASE_METHOD(Driver, "work of a destroyed stream is done all the same") {
  CUdeviceptr memory = Memory(kBytes);
  CUstream stream = Stream();
  REQUIRE(cuMemsetD32Async(memory, 1, 1, stream) == CUDA_SUCCESS);
  REQUIRE(cuStreamDestroy(stream) == CUDA_SUCCESS);
  CHECK(Read<int>(memory, 1)[0] == 1);
}

// In a process of its own: no context can be made there afterwards.
TEST_CASE_METHOD(Driver, "after a fault every call of the context returns it", "[.fault]") {
  CUstream stream = Stream();
  CUdeviceptr memory = Memory(kBytes);
  CUdeviceptr nobody = 0x10;
  int64_t index = 0;
  REQUIRE(Launch(KERNEL_POKE, 1, stream, nobody, index) == CUDA_SUCCESS);
  CHECK(cuStreamSynchronize(stream) == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(cuMemAlloc(&memory, 16) == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(cuMemsetD8(memory, 0, 1) == CUDA_ERROR_ILLEGAL_ADDRESS);
  CUcontext another = nullptr;
  CHECK(cuCtxCreate(&another, nullptr, 0, device) == CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_CASE_METHOD(Driver, "the program cannot touch device memory, and can touch managed memory") {
  CUdeviceptr memory = Memory(kBytes);
  char byte = 0;
  iovec here = {&byte, 1};
  iovec there = {reinterpret_cast<void*>(memory), 1};
  CHECK(process_vm_readv(getpid(), &here, 1, &there, 1, 0) == -1);
  CUdeviceptr managed = 0;
  REQUIRE(cuMemAllocManaged(&managed, kBytes, CU_MEM_ATTACH_GLOBAL) == CUDA_SUCCESS);
  *reinterpret_cast<float*>(managed) = 4;
  REQUIRE(Launch(KERNEL_TWICE, 1, nullptr, managed) == CUDA_SUCCESS);
  REQUIRE(cuCtxSynchronize() == CUDA_SUCCESS);
  CHECK(*reinterpret_cast<float*>(managed) == 8);
}
