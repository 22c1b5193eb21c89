// Memory, modules, arrays and entry points of the fake driver.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "driver_fixture.h"

namespace {

constexpr size_t kCount = 64;
constexpr size_t kBytes = kCount * 4;

}  // namespace

TEST_CASE_METHOD(Driver, "copies outside an allocation and from nowhere are refused") {
  CUdeviceptr memory = Memory(kBytes);
  std::vector<char> host(2 * kBytes);
  CHECK(cuMemcpyHtoD(memory, host.data(), kBytes + 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemcpyHtoD(memory + 4, host.data(), kBytes) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemcpyDtoH(nullptr, memory, 4) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemcpyDtoH(host.data(), 0, 4) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemsetD8(memory, 0, kBytes + 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemsetD32(memory + 1, 0, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemFree(memory + 4) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemFree(memory) == CUDA_SUCCESS);
  CHECK(cuMemFree(memory) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemcpyHtoD(memory, host.data(), 4) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE_METHOD(Driver, "rectangles and boxes land where their pitches say") {
  constexpr size_t kWidth = 8;
  constexpr size_t kHeight = 3;
  CUdeviceptr memory = 0;
  size_t pitch = 0;
  REQUIRE(cuMemAllocPitch(&memory, &pitch, kWidth, kHeight, 4) == CUDA_SUCCESS);
  REQUIRE(cuMemsetD2D8(memory, pitch, 0, kWidth, kHeight) == CUDA_SUCCESS);
  const char source[] =
      "abcdefgh"
      "ijklmnop"
      "qrstuvwx";
  CUDA_MEMCPY2D up{};
  up.srcMemoryType = CU_MEMORYTYPE_HOST;
  up.srcHost = source;
  up.srcPitch = kWidth;
  up.srcXInBytes = 2;
  up.srcY = 1;
  up.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  up.dstDevice = memory;
  up.dstPitch = pitch;
  up.WidthInBytes = 4;
  up.Height = 2;
  REQUIRE(cuMemcpy2D(&up) == CUDA_SUCCESS);
  char result[kWidth * kHeight] = {};
  CUDA_MEMCPY2D down{};
  down.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  down.srcDevice = memory;
  down.srcPitch = pitch;
  down.dstMemoryType = CU_MEMORYTYPE_HOST;
  down.dstHost = result;
  down.dstPitch = kWidth;
  down.WidthInBytes = kWidth;
  down.Height = kHeight;
  REQUIRE(cuMemcpy2D(&down) == CUDA_SUCCESS);
  CHECK(std::string(result, 4) == "klmn");
  CHECK(std::string(result + kWidth, 4) == "stuv");
  CHECK(result[4] == 0);
  up.Height = 4;
  CHECK(cuMemcpy2D(&up) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE_METHOD(Driver, "arrays keep texels and refuse regions outside") {
  CUDA_ARRAY_DESCRIPTOR description{};
  description.Width = 16;
  description.Height = 4;
  description.Format = CU_AD_FORMAT_FLOAT;
  description.NumChannels = 1;
  CUarray array = nullptr;
  REQUIRE(cuArrayCreate(&array, &description) == CUDA_SUCCESS);
  std::vector<float> texels(64);
  for (size_t i = 0; i < texels.size(); ++i) {
    texels[i] = static_cast<float>(i);
  }
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = texels.data();
  copy.srcPitch = 64;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = 64;
  copy.Height = 4;
  REQUIRE(cuMemcpy2D(&copy) == CUDA_SUCCESS);
  copy.Height = 5;
  CHECK(cuMemcpy2D(&copy) == CUDA_ERROR_INVALID_VALUE);
  float row[2] = {};
  REQUIRE(cuMemcpyAtoH(row, array, 8, 8) == CUDA_SUCCESS);
  CHECK(row[0] == 2);
  CHECK(cuArrayDestroy(array) == CUDA_SUCCESS);
  description.Width = 0;
  CHECK(cuArrayCreate(&array, &description) == CUDA_ERROR_INVALID_VALUE);
  description.Width = 16;
  description.NumChannels = 3;
  CHECK(cuArrayCreate(&array, &description) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE_METHOD(Driver, "a stream takes again what it has freed") {
  CUstream stream = Stream();
  CUdeviceptr first = 0;
  CUdeviceptr second = 0;
  REQUIRE(cuMemAllocAsync(&first, kBytes, stream) == CUDA_SUCCESS);
  REQUIRE(cuMemsetD32Async(first, 1, kCount, stream) == CUDA_SUCCESS);
  REQUIRE(cuMemFreeAsync(first, stream) == CUDA_SUCCESS);
  REQUIRE(cuMemAllocAsync(&second, kBytes, stream) == CUDA_SUCCESS);
  CHECK(first == second);
  REQUIRE(cuMemsetD32Async(second, 2, kCount, stream) == CUDA_SUCCESS);
  REQUIRE(cuStreamSynchronize(stream) == CUDA_SUCCESS);
  CHECK(Read<int>(second, 1)[0] == 2);
  CHECK(cuMemFreeAsync(second, stream) == CUDA_SUCCESS);
  CHECK(cuMemFreeAsync(second, stream) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE_METHOD(Driver, "pointer attributes say what a pointer is") {
  CUdeviceptr memory = Memory(kBytes);
  int* pinned = Pinned<int>(4);
  int local = 0;
  unsigned type = 0;
  CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory + 8) == CUDA_SUCCESS);
  CHECK(type == CU_MEMORYTYPE_DEVICE);
  CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                              reinterpret_cast<CUdeviceptr>(pinned)) == CUDA_SUCCESS);
  CHECK(type == CU_MEMORYTYPE_HOST);
  CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                              reinterpret_cast<CUdeviceptr>(&local)) == CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr base = 0;
  size_t bytes = 0;
  CHECK(cuMemGetAddressRange(&base, &bytes, memory + 8) == CUDA_SUCCESS);
  CHECK(base == memory);
  CHECK(bytes == kBytes);
}

TEST_CASE_METHOD(Driver, "a kernel's parameters have the offsets and sizes of its PTX") {
  CUfunction add = Kernel(KERNEL_ADD);
  const size_t offsets[] = {0, 8, 16, 24};
  const size_t sizes[] = {8, 8, 8, 4};
  size_t offset = 0;
  size_t bytes = 0;
  for (size_t i = 0; i < 4; ++i) {
    REQUIRE(cuFuncGetParamInfo(add, i, &offset, &bytes) == CUDA_SUCCESS);
    CHECK(offset == offsets[i]);
    CHECK(bytes == sizes[i]);
  }
  CHECK(cuFuncGetParamInfo(add, 4, &offset, &bytes) == CUDA_ERROR_INVALID_VALUE);
  REQUIRE(cuFuncGetParamInfo(Kernel(KERNEL_COPY_PAIR), 0, &offset, &bytes) == CUDA_SUCCESS);
  CHECK(bytes == 16);
  const char* name = nullptr;
  REQUIRE(cuFuncGetName(&name, add) == CUDA_SUCCESS);
  CHECK(std::string(name) == KERNEL_ADD);
}

TEST_CASE_METHOD(Driver,
                 "arguments come as pointers or in a packed buffer, and kernels of a library "
                 "launch as they are") {
  CUdeviceptr from = Memory(kBytes);
  CUdeviceptr to = Memory(kBytes);
  REQUIRE(cuMemsetD32(from, 0x3f800000, kCount) == CUDA_SUCCESS);
  struct {
    CUdeviceptr in;
    CUdeviceptr out;
  } packed = {from, to};
  size_t bytes = sizeof packed;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  REQUIRE(cuLaunchKernel(Kernel(KERNEL_COPY), 1, 1, 1, kCount, 1, 1, 0, nullptr, nullptr, extra) ==
          CUDA_SUCCESS);
  CHECK(Read<float>(to, 1)[0] == 1);

  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  REQUIRE(cuLibraryLoadData(&library, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0) ==
          CUDA_SUCCESS);
  REQUIRE(cuLibraryGetKernel(&kernel, library, KERNEL_TWICE) == CUDA_SUCCESS);
  CHECK(cuLibraryGetKernel(&kernel, library, "none") == CUDA_ERROR_NOT_FOUND);
  REQUIRE(cuLibraryGetKernel(&kernel, library, KERNEL_TWICE) == CUDA_SUCCESS);
  void* parameters[] = {&to};
  REQUIRE(cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, kCount, 1, 1, 0, nullptr,
                         parameters, nullptr) == CUDA_SUCCESS);
  CHECK(Read<float>(to, 1)[0] == 2);
  CHECK(cuLibraryUnload(library) == CUDA_SUCCESS);
}

TEST_CASE_METHOD(Driver, "launches beyond the device's limits are refused") {
  CUfunction nothing = Kernel(KERNEL_NOTHING);
  auto launch = [&](unsigned grid, unsigned block, unsigned shared) {
    return cuLaunchKernel(nothing, grid, 1, 1, block, 1, 1, shared, nullptr, nullptr, nullptr);
  };
  CHECK(launch(1, 1024, 0) == CUDA_SUCCESS);
  CHECK(launch(1, 1025, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(launch(0, 1, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(launch(1, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(launch(1, 1, 49 << 10) == CUDA_ERROR_INVALID_VALUE);
  REQUIRE(cuFuncSetAttribute(nothing, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 << 10) ==
          CUDA_SUCCESS);
  CHECK(launch(1, 1, 49 << 10) == CUDA_SUCCESS);
  CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
}

TEST_CASE_METHOD(Driver,
                 "invalid images, too new images and images for another device are distinguished") {
  CUmodule loaded = nullptr;
  auto load = [&](const char* text) { return cuModuleLoadData(&loaded, text); };
  CHECK(load(".version 7.0\n.target sm_75\n.address_size 64\n") == CUDA_SUCCESS);
  CHECK(load(".version 99.0\n.target sm_75\n.address_size 64\n") ==
        CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  CHECK(load(".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry f(\n") ==
        CUDA_ERROR_INVALID_PTX);
  std::vector<unsigned char> elf(4096);
  std::memcpy(elf.data(), "\177ELF\2\1\1", 7);
  elf[18] = 62;  // an x86-64 program
  CHECK(cuModuleLoadData(&loaded, elf.data()) == CUDA_ERROR_INVALID_IMAGE);
  CHECK(cuModuleLoad(&loaded, "/nonexistent/no.cubin") == CUDA_ERROR_FILE_NOT_FOUND);
  CUfunction none = nullptr;
  Kernel(KERNEL_COPY);
  CHECK(cuModuleGetFunction(&none, module, "no_such_kernel") == CUDA_ERROR_NOT_FOUND);
  CUdeviceptr table = 0;
  size_t bytes = 0;
  REQUIRE(cuModuleGetGlobal(&table, &bytes, module, MODULE_TABLE) == CUDA_SUCCESS);
  CHECK(bytes == 1024);
}

TEST_CASE_METHOD(Driver, "cuGetProcAddress honours name, version and flags") {
  void* address = nullptr;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
  auto find = [&](const char* name, int version, cuuint64_t flags) {
    address = nullptr;
    return cuGetProcAddress(name, &address, version, flags, &status);
  };
  auto name_of = [&] {
    Dl_info info{};
    return dladdr(address, &info) != 0 && info.dli_sname != nullptr ? std::string(info.dli_sname)
                                                                    : "";
  };
  REQUIRE(find("cuMemAlloc", 13000, 0) == CUDA_SUCCESS);
  CHECK(name_of() == "cuMemAlloc_v2");
  REQUIRE(find("cuMemAlloc", 2000, 0) == CUDA_SUCCESS);
  CHECK(name_of() == "cuMemAlloc");
  REQUIRE(find("cuMemcpyHtoD", 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) ==
          CUDA_SUCCESS);
  CHECK(name_of() == "cuMemcpyHtoD_v2_ptds");
  REQUIRE(find("cuLaunchKernel", 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) ==
          CUDA_SUCCESS);
  CHECK(name_of() == "cuLaunchKernel_ptsz");
  REQUIRE(find("cuGraphInstantiate", 12000, 0) == CUDA_SUCCESS);
  CHECK(name_of() == "cuGraphInstantiate_v2");
  find("cuNoSuchFunction", 13000, 0);
  CHECK(address == nullptr);
  CHECK(status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  find("cuMemAllocAsync", 10000, 0);
  CHECK(address == nullptr);
  CHECK(status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
}

TEST_CASE_METHOD(Driver,
                 "memory runs out where the limit says and is there again after it was freed") {
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  REQUIRE(cuMemGetInfo(&free_bytes, &total_bytes) == CUDA_SUCCESS);
  CHECK(free_bytes <= total_bytes);
  CUdeviceptr memory = 0;
  CHECK(cuMemAlloc(&memory, total_bytes * 2) == CUDA_ERROR_OUT_OF_MEMORY);
  REQUIRE(cuMemAlloc(&memory, free_bytes / 2) == CUDA_SUCCESS);
  size_t left = 0;
  REQUIRE(cuMemGetInfo(&left, &total_bytes) == CUDA_SUCCESS);
  CHECK(left < free_bytes);
  REQUIRE(cuMemFree(memory) == CUDA_SUCCESS);
}

TEST_CASE_METHOD(
    Driver, "mapped memory follows its physical allocation, and an access may cross two mappings") {
  constexpr size_t kUnit = size_t{2} << 20;
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemAccessDesc access{};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CUmemGenericAllocationHandle handles[2] = {};
  CUdeviceptr range = 0;
  REQUIRE(cuMemAddressReserve(&range, 2 * kUnit, 0, 0, 0) == CUDA_SUCCESS);
  for (int i = 0; i < 2; ++i) {
    REQUIRE(cuMemCreate(&handles[i], kUnit, &properties, 0) == CUDA_SUCCESS);
    REQUIRE(cuMemMap(range + i * kUnit, kUnit, 0, handles[i], 0) == CUDA_SUCCESS);
  }
  CHECK(cuMemsetD8(range, 1, 16) == CUDA_ERROR_INVALID_VALUE);
  REQUIRE(cuMemSetAccess(range, 2 * kUnit, &access, 1) == CUDA_SUCCESS);
  REQUIRE(cuMemsetD32(range + kUnit - 4, 7, 2) == CUDA_SUCCESS);
  REQUIRE(cuCtxSynchronize() == CUDA_SUCCESS);
  REQUIRE(cuMemUnmap(range, 2 * kUnit) == CUDA_SUCCESS);
  REQUIRE(cuMemMap(range, kUnit, 0, handles[1], 0) == CUDA_SUCCESS);
  REQUIRE(cuMemSetAccess(range, kUnit, &access, 1) == CUDA_SUCCESS);
  CHECK(Read<int>(range, 1)[0] == 7);
  REQUIRE(cuMemUnmap(range, kUnit) == CUDA_SUCCESS);
  CHECK(cuMemRelease(handles[0]) == CUDA_SUCCESS);
  CHECK(cuMemRelease(handles[1]) == CUDA_SUCCESS);
  CHECK(cuMemAddressFree(range, 2 * kUnit) == CUDA_SUCCESS);
}

TEST_CASE_METHOD(Driver, "opens what another process shares and adds to it", "[.other-process]") {
  CUipcMemHandle handle;
  const char* name = std::getenv("SHARED_HANDLE");
  REQUIRE(name != nullptr);
  std::ifstream(name, std::ios::binary).read(reinterpret_cast<char*>(&handle), sizeof handle);
  CUdeviceptr memory = 0;
  REQUIRE(cuIpcOpenMemHandle(&memory, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) == CUDA_SUCCESS);
  CHECK(Read<float>(memory, 1)[0] == 3);
  REQUIRE(Launch(KERNEL_TWICE, kCount, nullptr, memory) == CUDA_SUCCESS);
  REQUIRE(cuCtxSynchronize() == CUDA_SUCCESS);
  CHECK(cuIpcCloseMemHandle(memory) == CUDA_SUCCESS);
}

TEST_CASE_METHOD(Driver, "two processes share device memory by its handle") {
  CUdeviceptr before = Memory(24);  // so that the shared block does not begin a page
  CUdeviceptr memory = Memory(kBytes);
  REQUIRE(cuMemsetD32(memory, 0x40400000, kCount) == CUDA_SUCCESS);  // 3.0f
  REQUIRE(cuCtxSynchronize() == CUDA_SUCCESS);
  CUipcMemHandle handle;
  REQUIRE(cuIpcGetMemHandle(&handle, memory) == CUDA_SUCCESS);
  char name[] = "/tmp/shared-handle-XXXXXX";
  const int file = mkstemp(name);
  REQUIRE(file >= 0);
  REQUIRE(write(file, &handle, sizeof handle) == sizeof handle);
  close(file);
  setenv("SHARED_HANDLE", name, 1);
  CHECK(std::system("/proc/$PPID/exe '[.other-process]' >/dev/null") == 0);
  unlink(name);
  CHECK(Read<float>(memory, 1)[0] == 6);
  CHECK(cuMemFree(before) == CUDA_SUCCESS);
}
