// Asks a driver what it answers to calls at the edge of what is allowed, one line an answer: "what
// is asked = result". driver_answers.txt is what the driver of an H200 said; the fake driver must
// say the same.
#include <cuda.h>
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "common/cuda_kernels.h"

namespace {

CUdevice device;
CUcontext context;

std::string NameOf(CUresult result) {
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  return name == nullptr ? std::to_string(result) : name;
}

void Say(const char* question, CUresult result) {
  std::printf("%s = %s\n", question, NameOf(result).c_str());
  std::fflush(stdout);
}

void Say(const char* question, long long value) {
  std::printf("%s = %lld\n", question, value);
  std::fflush(stdout);
}

void Must(CUresult result, const char* call) {
  if (result != CUDA_SUCCESS) {
    std::printf("cannot go on: %s = %s\n", call, NameOf(result).c_str());
    std::exit(1);
  }
}
#define MUST(call) Must(call, #call)

// Asks in a process of its own: a question may end it, or leave its context with a fault.
void InChild(const char* subject, const std::function<void()>& ask) {
  const pid_t child = fork();
  if (child == 0) {
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, 0));
    MUST(cuCtxCreate(&context, nullptr, 0, device));
    ask();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    std::printf("%s: ended by signal %d\n", subject, WTERMSIG(status));
  }
}

CUdeviceptr Memory(size_t bytes) {
  CUdeviceptr memory = 0;
  MUST(cuMemAlloc(&memory, bytes));
  return memory;
}

CUdeviceptr AsDevice(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }
void* AsHost(CUdeviceptr pointer) { return reinterpret_cast<void*>(pointer); }

void AskCopies() {
  CUdeviceptr memory = Memory(1024);
  CUdeviceptr other = Memory(1024);
  static char pageable[8192];
  void* pinned = nullptr;
  MUST(cuMemAllocHost(&pinned, 1024));
  const CUdeviceptr pageable_address = AsDevice(pageable);
  Say("HtoD: one byte too many", cuMemcpyHtoD(memory, pageable, 1025));
  Say("HtoD: a megabyte too many", cuMemcpyHtoD(memory, pageable, 1 << 20));
  Say("HtoD: from inside over the end", cuMemcpyHtoD(memory + 512, pageable, 513));
  Say("HtoD: target is pageable memory", cuMemcpyHtoD(pageable_address, pinned, 16));
  Say("HtoD: target is pinned memory", cuMemcpyHtoD(AsDevice(pinned), pageable, 16));
  Say("HtoD: source is device memory", cuMemcpyHtoD(memory, AsHost(other), 16));
  Say("HtoD: source is null", cuMemcpyHtoD(memory, nullptr, 16));
  Say("HtoD: target is null", cuMemcpyHtoD(0, pageable, 16));
  Say("HtoD: nothing", cuMemcpyHtoD(memory, pageable, 0));
  Say("HtoD: nothing to null", cuMemcpyHtoD(0, nullptr, 0));
  Say("HtoD: pinned source too short", cuMemcpyHtoD(Memory(1 << 20), pinned, 4096));
  Say("DtoH: target is device memory", cuMemcpyDtoH(AsHost(other), memory, 16));
  Say("DtoH: target is null", cuMemcpyDtoH(nullptr, memory, 16));
  Say("DtoH: source is pageable memory", cuMemcpyDtoH(pinned, pageable_address, 16));
  Say("DtoH: one byte too many", cuMemcpyDtoH(pageable, memory, 1025));
  Say("DtoD: source is pageable memory", cuMemcpyDtoD(memory, pageable_address, 16));
  Say("DtoD: one byte too many", cuMemcpyDtoD(memory, other, 1025));
  Say("DtoD: overlapping", cuMemcpyDtoD(memory, memory + 16, 64));
  Say("unified: pageable to pageable", cuMemcpy(pageable_address, pageable_address + 64, 16));
  Say("unified: pageable to device", cuMemcpy(memory, pageable_address, 16));
  Say("unified: one byte too many", cuMemcpy(memory, pageable_address, 1025));
  CUdeviceptr freed = Memory(1 << 22);
  MUST(cuMemFree(freed));
  Say("HtoD: target was freed", cuMemcpyHtoD(freed, pageable, 16));
  Say("HtoDAsync: one byte too many", cuMemcpyHtoDAsync(memory, pinned, 1025, nullptr));
  Say("memset: one byte too many", cuMemsetD8(memory, 0, 1025));
  Say("memset: nothing", cuMemsetD8(memory, 0, 0));
  Say("memset: null", cuMemsetD8(0, 0, 16));
  Say("memset: misaligned words", cuMemsetD32(memory + 2, 0, 1));
  Say("memset: pageable memory", cuMemsetD8(pageable_address, 0, 16));
  Say("memset 2D: pitch below width", cuMemsetD2D8(memory, 16, 0, 32, 2));
  Say("memset 2D: one row, pitch below width", cuMemsetD2D8(memory, 16, 0, 32, 1));
  Say("memset 2D: last row without padding", cuMemsetD2D8(memory, 512, 0, 512, 2));
  Say("memset 2D: over the end", cuMemsetD2D8(memory, 512, 0, 16, 3));
  Say("peer: with itself", cuMemcpyPeer(memory, context, other, context, 16));
  Say("peer: no context", cuMemcpyPeer(memory, nullptr, other, context, 16));
  Say("the context afterwards", cuCtxSynchronize());
}

void AskRectangles() {
  CUdeviceptr memory = Memory(4096);
  static char host[8192];
  CUDA_MEMCPY2D p{};
  p.srcMemoryType = CU_MEMORYTYPE_HOST;
  p.srcHost = host;
  p.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  p.dstDevice = memory;
  p.WidthInBytes = 64;
  p.Height = 4;
  Say("2D: both pitches zero", cuMemcpy2D(&p));
  p.srcPitch = p.dstPitch = 32;
  Say("2D: pitches below the width", cuMemcpy2D(&p));
  p.srcPitch = p.dstPitch = 64;
  Say("2D: tight", cuMemcpy2D(&p));
  p.dstXInBytes = 16;
  Say("2D: column and width beyond the pitch", cuMemcpy2D(&p));
  p.dstXInBytes = 0;
  p.dstPitch = 1024;
  Say("2D: four rows of 1024 where 4096 are", cuMemcpy2D(&p));
  p.dstY = 1;
  Say("2D: one row too many", cuMemcpy2D(&p));
  p.dstY = 0;
  p.Height = 0;
  Say("2D: no rows", cuMemcpy2D(&p));
  p.Height = 1;
  p.dstPitch = 8;
  Say("2D: one row, pitch below the width", cuMemcpy2D(&p));
  p.Height = 4;
  p.dstPitch = 66;
  Say("2D: pitch of no alignment", cuMemcpy2D(&p));
  Say("2D unaligned: pitch of no alignment", cuMemcpy2DUnaligned(&p));
  p.srcMemoryType = static_cast<CUmemorytype>(9);
  Say("2D: unknown memory type", cuMemcpy2D(&p));
  Say("2D: null", cuMemcpy2D(nullptr));
  CUDA_MEMCPY3D b{};
  b.srcMemoryType = CU_MEMORYTYPE_HOST;
  b.srcHost = host;
  b.srcPitch = 16;
  b.srcHeight = 4;
  b.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  b.dstDevice = memory;
  b.dstPitch = 16;
  b.dstHeight = 4;
  b.WidthInBytes = 16;
  b.Height = 4;
  b.Depth = 64;
  Say("3D: exact", cuMemcpy3D(&b));
  b.Depth = 65;
  Say("3D: one slice too many", cuMemcpy3D(&b));
  b.Depth = 2;
  b.dstHeight = 2;
  Say("3D: height below the copy's", cuMemcpy3D(&b));
  b.dstHeight = 4;
  b.Depth = 0;
  Say("3D: no slices", cuMemcpy3D(&b));
}

void AskMemory() {
  CUdeviceptr memory = 0;
  void* host = nullptr;
  static char block[16384];
  size_t bytes = 0;
  unsigned flags = 0;
  Say("alloc: nothing", cuMemAlloc(&memory, 0));
  Say("alloc: null", cuMemAlloc(nullptr, 16));
  Say("alloc: too much", cuMemAlloc(&memory, size_t{1} << 50));
  Say("alloc pitch: element of 3", cuMemAllocPitch(&memory, &bytes, 16, 16, 3));
  Say("alloc pitch: no rows", cuMemAllocPitch(&memory, &bytes, 16, 0, 4));
  Say("alloc managed: no flags", cuMemAllocManaged(&memory, 16, 0));
  Say("host alloc: nothing", cuMemHostAlloc(&host, 0, 0));
  Say("host alloc: unknown flag", cuMemHostAlloc(&host, 16, 64));
  Say("free: null", cuMemFree(0));
  memory = Memory(4096);
  Say("free: inside", cuMemFree(memory + 16));
  Say("free host: device memory", cuMemFreeHost(AsHost(memory)));
  Say("free", cuMemFree(memory));
  Say("free: twice", cuMemFree(memory));
  Say("free: pageable memory", cuMemFree(AsDevice(block)));
  Say("free host: null", cuMemFreeHost(nullptr));
  Say("free host: pageable memory", cuMemFreeHost(block));
  MUST(cuMemAllocHost(&host, 4096));
  Say("free: pinned memory", cuMemFree(AsDevice(host)));
  Say("free host: inside", cuMemFreeHost(static_cast<char*>(host) + 64));
  Say("free host", cuMemFreeHost(host));
  Say("free host: twice", cuMemFreeHost(host));
  char* page = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(block) + 4095) / 4096 * 4096);
  Say("register", cuMemHostRegister(page, 4096, 0));
  Say("register: twice", cuMemHostRegister(page, 4096, 0));
  Say("register: overlapping", cuMemHostRegister(page, 8192, 0));
  Say("register: nothing", cuMemHostRegister(page + 4096, 0, 0));
  Say("register: null", cuMemHostRegister(nullptr, 4096, 0));
  Say("free host: registered memory", cuMemFreeHost(page));
  Say("unregister: inside", cuMemHostUnregister(page + 64));
  Say("unregister", cuMemHostUnregister(page));
  Say("unregister: twice", cuMemHostUnregister(page));
  Say("unregister: null", cuMemHostUnregister(nullptr));
  Say("device pointer of pageable memory", cuMemHostGetDevicePointer(&memory, block, 0));
  Say("host flags of pageable memory", cuMemHostGetFlags(&flags, block));
  Say("range of pageable memory", cuMemGetAddressRange(&memory, &bytes, AsDevice(block)));
  Say("attribute of pageable memory",
      cuPointerGetAttribute(&flags, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, AsDevice(block)));
  CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                 CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  unsigned type = 77;
  int ordinal = 77;
  void* values[] = {&type, &ordinal};
  Say("attributes of pageable memory", cuPointerGetAttributes(2, asked, values, AsDevice(block)));
  Say("attributes of pageable memory: type", type);
  Say("attributes of pageable memory: device", ordinal);
  memory = Memory(4096);
  CUmemLocation location{};
  location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  Say("prefetch: device memory", cuMemPrefetchAsync(memory, 4096, location, 0, nullptr));
  Say("advise: device memory", cuMemAdvise(memory, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, location));
  CUdeviceptr managed = 0;
  MUST(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
  Say("prefetch", cuMemPrefetchAsync(managed, 4096, location, 0, nullptr));
  Say("prefetch: nothing", cuMemPrefetchAsync(managed, 0, location, 0, nullptr));
  Say("free: managed memory", cuMemFree(managed));
  CUipcMemHandle handle;
  Say("IPC handle", cuIpcGetMemHandle(&handle, memory));
  CUdeviceptr opened = 0;
  Say("IPC open in the same process",
      cuIpcOpenMemHandle(&opened, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  Say("IPC close of own memory", cuIpcCloseMemHandle(memory));
}

void AskPools() {
  CUstream stream = nullptr;
  CUdeviceptr memory = 0;
  MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  Say("alloc async: nothing", cuMemAllocAsync(&memory, 0, stream));
  MUST(cuMemAllocAsync(&memory, 4096, stream));
  MUST(cuStreamSynchronize(stream));
  CUdeviceptr base = 0;
  size_t bytes = 0;
  Say("alloc async: range", cuMemGetAddressRange(&base, &bytes, memory));
  Say("alloc async: range's bytes", static_cast<long long>(bytes));
  CUcontext owner = context;
  Say("alloc async: its context",
      cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
  Say("alloc async: has a context", owner != nullptr);
  Say("alloc async: copy of one byte too many", cuMemsetD8Async(memory, 0, 4097, stream));
  CUipcMemHandle handle;
  Say("alloc async: IPC handle", cuIpcGetMemHandle(&handle, memory));
  Say("free async: inside", cuMemFreeAsync(memory + 16, stream));
  Say("free async", cuMemFreeAsync(memory, stream));
  Say("free async: twice", cuMemFreeAsync(memory, stream));
  Say("free async: null", cuMemFreeAsync(0, stream));
  MUST(cuMemAllocAsync(&memory, 4096, stream));
  MUST(cuStreamSynchronize(stream));
  Say("free of stream-ordered memory", cuMemFree(memory));
  memory = Memory(4096);
  Say("free async of plain memory", cuMemFreeAsync(memory, stream));
  CUmemoryPool pool = nullptr;
  MUST(cuDeviceGetDefaultMemPool(&pool, device));
  Say("destroy of the default pool", cuMemPoolDestroy(pool));
  CUdeviceptr targets[] = {Memory(64)};
  CUdeviceptr sources[] = {Memory(64)};
  size_t sizes[] = {64};
  size_t index[] = {0};
  CUmemcpyAttributes attributes[1] = {};
  attributes[0].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  Say("batch", cuMemcpyBatchAsync(targets, sources, sizes, 1, attributes, index, 1, stream));
  Say("batch: null stream",
      cuMemcpyBatchAsync(targets, sources, sizes, 1, attributes, index, 1, nullptr));
  sizes[0] = 65;
  Say("batch: one byte too many",
      cuMemcpyBatchAsync(targets, sources, sizes, 1, attributes, index, 1, stream));
  Say("the context afterwards", cuCtxSynchronize());
}

void AskVirtualMemory() {
  constexpr size_t kUnit = size_t{2} << 20;
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  size_t granularity = 0;
  MUST(cuMemGetAllocationGranularity(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  Say("virtual: granularity", static_cast<long long>(granularity));
  CUdeviceptr range = 0;
  CUmemGenericAllocationHandle handle = 0;
  Say("virtual: reserve a page", cuMemAddressReserve(&range, 4096, 0, 0, 0));
  Say("virtual: create a page", cuMemCreate(&handle, 4096, &properties, 0));
  MUST(cuMemAddressReserve(&range, 2 * kUnit, 0, 0, 0));
  MUST(cuMemCreate(&handle, kUnit, &properties, 0));
  Say("virtual: map two units of one", cuMemMap(range, 2 * kUnit, 0, handle, 0));
  Say("virtual: map at an offset", cuMemMap(range, kUnit, kUnit, handle, 0));
  Say("virtual: map", cuMemMap(range, kUnit, 0, handle, 0));
  Say("virtual: map there again", cuMemMap(range, kUnit, 0, handle, 0));
  Say("virtual: memset without access", cuMemsetD8(range, 0, 16));
  CUmemAccessDesc access{};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  Say("virtual: access beyond the mapping", cuMemSetAccess(range, 2 * kUnit, &access, 1));
  Say("virtual: access", cuMemSetAccess(range, kUnit, &access, 1));
  Say("virtual: memset", cuMemsetD8(range, 0, kUnit));
  Say("virtual: memset beyond the mapping", cuMemsetD8(range, 0, kUnit + 1));
  Say("virtual: free", cuMemFree(range));
  CUdeviceptr base = 0;
  size_t bytes = 0;
  Say("virtual: range", cuMemGetAddressRange(&base, &bytes, range + 16));
  Say("virtual: range's bytes", static_cast<long long>(bytes));
  Say("virtual: release while mapped", cuMemRelease(handle));
  Say("virtual: memset after the release", cuMemsetD8(range, 0, 16));
  Say("virtual: free of the addresses while mapped", cuMemAddressFree(range, 2 * kUnit));
  Say("virtual: unmap of what is not mapped", cuMemUnmap(range, 2 * kUnit));
  Say("virtual: unmap", cuMemUnmap(range, kUnit));
  Say("virtual: memset after the unmap", cuMemsetD8(range, 0, 16));
  Say("virtual: release twice", cuMemRelease(handle));
  Say("virtual: free of half the addresses", cuMemAddressFree(range, kUnit));
  Say("virtual: free of the addresses", cuMemAddressFree(range, 2 * kUnit));
}

CUresult MakeArray(size_t width, size_t height, size_t depth, CUarray_format format,
                   unsigned channels, unsigned flags, CUarray* array) {
  CUDA_ARRAY3D_DESCRIPTOR d{};
  d.Width = width;
  d.Height = height;
  d.Depth = depth;
  d.Format = format;
  d.NumChannels = channels;
  d.Flags = flags;
  return cuArray3DCreate(array, &d);
}

void AskArrays() {
  CUarray array = nullptr;
  auto make = [&](size_t w, size_t h, size_t d, unsigned channels, unsigned flags) {
    return MakeArray(w, h, d, CU_AD_FORMAT_FLOAT, channels, flags, &array);
  };
  Say("array: no width", make(0, 4, 0, 1, 0));
  Say("array: three channels", make(4, 4, 0, 3, 0));
  Say("array: no channels", make(4, 4, 0, 0, 0));
  Say("array: unknown format", MakeArray(4, 4, 0, static_cast<CUarray_format>(0x99), 1, 0, &array));
  Say("array: depth without height", make(4, 0, 4, 1, 0));
  Say("array: layers without depth", make(4, 4, 0, 1, CUDA_ARRAY3D_LAYERED));
  Say("array: lines in layers", make(4, 0, 3, 1, CUDA_ARRAY3D_LAYERED));
  Say("array: cube", make(4, 4, 6, 1, CUDA_ARRAY3D_CUBEMAP));
  Say("array: cube of five", make(4, 4, 5, 1, CUDA_ARRAY3D_CUBEMAP));
  Say("array: cube not square", make(4, 8, 6, 1, CUDA_ARRAY3D_CUBEMAP));
  Say("array: line of 131072", make(131072, 0, 0, 1, 0));
  Say("array: line of 131073", make(131073, 0, 0, 1, 0));
  Say("array: plane of 131072 by 2", make(131072, 2, 0, 1, 0));
  Say("array: plane of 131073 by 2", make(131073, 2, 0, 1, 0));
  Say("array: plane of 2 by 65536", make(2, 65536, 0, 1, 0));
  Say("array: plane of 2 by 65537", make(2, 65537, 0, 1, 0));
  Say("array: volume of 16385", make(16385, 2, 2, 1, 0));
  Say("array: 2049 layers", make(2, 2, 2049, 1, CUDA_ARRAY3D_LAYERED));
  Say("array: null", cuArray3DCreate(&array, nullptr));

  static float host[4096];
  CUarray line = nullptr;
  CUarray plane = nullptr;
  MUST(MakeArray(64, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0, &line));
  MUST(MakeArray(64, 4, 0, CU_AD_FORMAT_FLOAT, 1, 0, &plane));
  Say("HtoA: the whole line", cuMemcpyHtoA(line, 0, host, 256));
  Say("HtoA: one texel too many", cuMemcpyHtoA(line, 0, host, 260));
  Say("HtoA: one texel too many, from inside", cuMemcpyHtoA(line, 4, host, 256));
  Say("HtoA: half a texel", cuMemcpyHtoA(line, 0, host, 6));
  Say("HtoA: between texels", cuMemcpyHtoA(line, 2, host, 4));
  Say("HtoA: two rows of a plane", cuMemcpyHtoA(plane, 0, host, 512));
  Say("AtoH: to null", cuMemcpyAtoH(nullptr, line, 0, 16));
  CUDA_MEMCPY2D p{};
  p.srcMemoryType = CU_MEMORYTYPE_HOST;
  p.srcHost = host;
  p.srcPitch = 256;
  p.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  p.dstArray = plane;
  p.WidthInBytes = 256;
  p.Height = 4;
  Say("plane: whole", cuMemcpy2D(&p));
  p.Height = 5;
  Say("plane: one row too many", cuMemcpy2D(&p));
  p.Height = 4;
  p.dstXInBytes = 4;
  Say("plane: one column too far", cuMemcpy2D(&p));
  p.dstXInBytes = 0;
  p.WidthInBytes = 255;
  Say("plane: part of a texel", cuMemcpy2D(&p));
  p.WidthInBytes = 256;
  p.srcPitch = 128;
  Say("plane: source pitch below the width", cuMemcpy2D(&p));
  p.dstArray = nullptr;
  Say("plane: null array", cuMemcpy2D(&p));
  Say("array destroy", cuArrayDestroy(plane));
}

void AskTextures() {
  CUtexObject texture = 0;
  CUsurfObject surface = 0;
  CUarray plain = nullptr;
  CUarray written = nullptr;
  MUST(MakeArray(64, 4, 0, CU_AD_FORMAT_FLOAT, 1, 0, &plain));
  MUST(MakeArray(64, 4, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST, &written));
  CUdeviceptr memory = Memory(1 << 20);
  CUDA_TEXTURE_DESC sampling{};
  CUDA_RESOURCE_DESC r{};
  r.resType = CU_RESOURCE_TYPE_ARRAY;
  r.res.array.hArray = plain;
  Say("texture: array", cuTexObjectCreate(&texture, &r, &sampling, nullptr));
  Say("texture: null array",
      (r.res.array.hArray = nullptr, cuTexObjectCreate(&texture, &r, &sampling, nullptr)));
  r.res.array.hArray = plain;
  Say("surface: array without the flag", cuSurfObjectCreate(&surface, &r));
  r.res.array.hArray = written;
  Say("surface: array with the flag", cuSurfObjectCreate(&surface, &r));
  CUDA_RESOURCE_VIEW_DESC view{};
  view.format = CU_RES_VIEW_FORMAT_FLOAT_1X32;
  view.width = 64;
  view.height = 4;
  Say("texture: view of an array", cuTexObjectCreate(&texture, &r, &sampling, &view));
  view.format = CU_RES_VIEW_FORMAT_UINT_4X8;
  Say("texture: view of another format, same bytes",
      cuTexObjectCreate(&texture, &r, &sampling, &view));
  view.format = CU_RES_VIEW_FORMAT_FLOAT_4X32;
  Say("texture: view of a larger texel", cuTexObjectCreate(&texture, &r, &sampling, &view));
  view.format = CU_RES_VIEW_FORMAT_FLOAT_1X32;
  view.width = 32;
  Say("texture: view of another width", cuTexObjectCreate(&texture, &r, &sampling, &view));

  CUDA_RESOURCE_DESC l{};
  l.resType = CU_RESOURCE_TYPE_LINEAR;
  l.res.linear.devPtr = memory;
  l.res.linear.format = CU_AD_FORMAT_FLOAT;
  l.res.linear.numChannels = 1;
  l.res.linear.sizeInBytes = 1 << 20;
  auto linear = [&] { return cuTexObjectCreate(&texture, &l, &sampling, nullptr); };
  Say("texture: linear", linear());
  l.res.linear.sizeInBytes = (1 << 20) + 4;
  Say("texture: linear, more than there is", linear());
  l.res.linear.sizeInBytes = 0;
  Say("texture: linear, nothing", linear());
  l.res.linear.sizeInBytes = 1024;
  l.res.linear.devPtr = memory + 16;
  Say("texture: linear, misaligned", linear());
  l.res.linear.devPtr = memory;
  l.res.linear.numChannels = 3;
  Say("texture: linear, three channels", linear());

  CUDA_RESOURCE_DESC q{};
  q.resType = CU_RESOURCE_TYPE_PITCH2D;
  q.res.pitch2D.devPtr = memory;
  q.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
  q.res.pitch2D.numChannels = 1;
  q.res.pitch2D.width = 64;
  q.res.pitch2D.height = 16;
  q.res.pitch2D.pitchInBytes = 256;
  auto pitched = [&] { return cuTexObjectCreate(&texture, &q, &sampling, nullptr); };
  Say("texture: pitched", pitched());
  q.res.pitch2D.pitchInBytes = 128;
  Say("texture: pitched, pitch below the row", pitched());
  q.res.pitch2D.pitchInBytes = 272;
  Say("texture: pitched, pitch of 16", pitched());
  q.res.pitch2D.pitchInBytes = 256;
  q.res.pitch2D.height = 0;
  Say("texture: pitched, no rows", pitched());
  q.res.pitch2D.height = 8192;
  Say("texture: pitched, more than there is", pitched());
  q.res.pitch2D.height = 16;
  q.res.pitch2D.devPtr = memory + 32;
  Say("texture: pitched, misaligned", pitched());
  Say("texture: destroy", cuTexObjectDestroy(texture));
  Say("surface: destroy", cuSurfObjectDestroy(surface));
}

void AskModules() {
  CUmodule module = nullptr;
  auto load = [&](const char* text) { return cuModuleLoadData(&module, text); };
  Say("module: empty text", load(""));
  Say("module: prose", load("this is no module, it is a sentence\n"));
  Say("module: no version", load(".target sm_75\n.address_size 64\n"));
  Say("module: PTX 99", load(".version 99.0\n.target sm_75\n.address_size 64\n"));
  Say("module: PTX for sm_100", load(".version 8.8\n.target sm_100\n.address_size 64\n"));
  Say("module: PTX for sm_90a", load(".version 8.0\n.target sm_90a\n.address_size 64\n"));
  Say("module: PTX for sm_75", load(".version 7.0\n.target sm_75\n.address_size 64\n"));
  Say("module: PTX cut off",
      load(".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry f("));
  Say("module: PTX with an unknown word",
      load(".version 7.0\n.target sm_75\n.address_size 64\n.nonsense\n"));
  Say("module: PTX with an unknown instruction",
      load(".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry f() { nonsense; }\n"));
  Say("module: PTX version and target exchanged", load(".target sm_75\n.version 7.0\n"));
  std::vector<unsigned char> elf(65536);
  std::memcpy(elf.data(), "\177ELF\2\1\1", 7);
  elf[16] = 2;
  elf[18] = 62;
  elf[20] = 1;
  elf[52] = 64;
  Say("module: x86-64 program", cuModuleLoadData(&module, elf.data()));
  elf[7] = 0x41;
  elf[8] = 8;
  elf[18] = 190;
  elf[49] = 100;
  Say("module: header of a cubin for sm_100", cuModuleLoadData(&module, elf.data()));
  elf[49] = 50;
  Say("module: header of a cubin for sm_50", cuModuleLoadData(&module, elf.data()));
  elf[49] = 90;
  Say("module: header of a cubin for sm_90", cuModuleLoadData(&module, elf.data()));
  const unsigned char zeros[64] = {};
  Say("module: zeros", cuModuleLoadData(&module, zeros));
  std::vector<unsigned char> noise(4096, 0xab);
  Say("module: noise", cuModuleLoadData(&module, noise.data()));
  const unsigned fatbin[32] = {0xba55ed50, 0x00100001, 0, 0};
  Say("module: empty fat binary", cuModuleLoadData(&module, fatbin));
  Say("module: null", cuModuleLoadData(&module, nullptr));
  Say("module: no file", cuModuleLoad(&module, "/nonexistent/no.cubin"));
  CUlibrary library = nullptr;
  Say("library: prose",
      cuLibraryLoadData(&library, "no module\n", nullptr, nullptr, 0, nullptr, nullptr, 0));
  MUST(cuModuleLoadData(&module, kKernels));
  MUST(cuLibraryLoadData(&library, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUfunction function = nullptr;
  CUkernel kernel = nullptr;
  CUdeviceptr address = 0;
  size_t offset = 0;
  size_t bytes = 0;
  const char* name = nullptr;
  Say("function: unknown", cuModuleGetFunction(&function, module, "unknown"));
  Say("global: unknown", cuModuleGetGlobal(&address, &bytes, module, "unknown"));
  Say("kernel: unknown", cuLibraryGetKernel(&kernel, library, "unknown"));
  MUST(cuLibraryGetKernel(&kernel, library, KERNEL_ADD));
  MUST(cuModuleGetFunction(&function, module, KERNEL_ADD));
  Say("parameter beyond the last", cuFuncGetParamInfo(function, 4, &offset, &bytes));
  Say("name of a kernel as a function", cuFuncGetName(&name, reinterpret_cast<CUfunction>(kernel)));
  Say("parameter of a kernel as a function",
      cuFuncGetParamInfo(reinterpret_cast<CUfunction>(kernel), 1, &offset, &bytes));
  Say("its offset", static_cast<long long>(offset));
  Say("library: unload", cuLibraryUnload(library));
}

void AskLaunches() {
  CUmodule module = nullptr;
  CUfunction nothing = nullptr;
  CUfunction copy = nullptr;
  MUST(cuModuleLoadData(&module, kKernels));
  MUST(cuModuleGetFunction(&nothing, module, KERNEL_NOTHING));
  MUST(cuModuleGetFunction(&copy, module, KERNEL_COPY));
  auto launch = [&](unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                    unsigned shared) {
    return cuLaunchKernel(nothing, gx, gy, gz, bx, by, bz, shared, nullptr, nullptr, nullptr);
  };
  Say("launch: 1024 threads", launch(1, 1, 1, 1024, 1, 1, 0));
  Say("launch: 1025 threads", launch(1, 1, 1, 1025, 1, 1, 0));
  Say("launch: 32 by 33 threads", launch(1, 1, 1, 32, 33, 1, 0));
  Say("launch: 65 threads in z", launch(1, 1, 1, 1, 1, 65, 0));
  Say("launch: no blocks", launch(0, 1, 1, 1, 1, 1, 0));
  Say("launch: no threads", launch(1, 1, 1, 0, 1, 1, 0));
  Say("launch: 65536 blocks in y", launch(1, 65536, 1, 1, 1, 1, 0));
  Say("launch: 48 KiB shared", launch(1, 1, 1, 1, 1, 1, 48 << 10));
  Say("launch: 49 KiB shared", launch(1, 1, 1, 1, 1, 1, 49 << 10));
  Say("launch: allow 64 KiB",
      cuFuncSetAttribute(nothing, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 << 10));
  Say("launch: 49 KiB shared, allowed", launch(1, 1, 1, 1, 1, 1, 49 << 10));
  Say("launch: allow 228 KiB",
      cuFuncSetAttribute(nothing, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 228 << 10));
  Say("launch: null function",
      cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  Say("launch: no arguments where two are",
      cuLaunchKernel(copy, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  CUdeviceptr packed[2] = {Memory(64), Memory(64)};
  size_t bytes = 8;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  bytes = 16;
  Say("launch: packed arguments",
      cuLaunchKernel(copy, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  bytes = 24;
  Say("launch: packed arguments too long",
      cuLaunchKernel(copy, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  Say("launch: cooperative, too large",
      cuLaunchCooperativeKernel(nothing, 1 << 20, 1, 1, 1024, 1, 1, 0, nullptr, nullptr));
  Say("host function: null", cuLaunchHostFunc(nullptr, nullptr, nullptr));
  bytes = 8;
  Say("launch: packed arguments too short",
      cuLaunchKernel(copy, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  Say("the context afterwards", cuCtxSynchronize());
}

void AskStreams() {
  CUstream stream = nullptr;
  CUstream blocking = nullptr;
  CUevent event = nullptr;
  CUevent timed = nullptr;
  float milliseconds = 0;
  Say("stream: unknown flag", cuStreamCreate(&stream, 2));
  MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  MUST(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
  Say("stream: destroy the legacy one", cuStreamDestroy(CU_STREAM_LEGACY));
  Say("stream: destroy null", cuStreamDestroy(nullptr));
  int least = 0;
  int greatest = 0;
  MUST(cuCtxGetStreamPriorityRange(&least, &greatest));
  Say("stream: least priority", least);
  Say("stream: greatest priority", greatest);
  Say("event: unknown flag", cuEventCreate(&event, 64));
  Say("event: between processes and timed", cuEventCreate(&event, CU_EVENT_INTERPROCESS));
  MUST(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  MUST(cuEventCreate(&timed, 0));
  Say("event: query, never recorded", cuEventQuery(event));
  Say("event: synchronize, never recorded", cuEventSynchronize(event));
  Say("event: wait, never recorded", cuStreamWaitEvent(stream, event, 0));
  Say("event: elapsed, never recorded", cuEventElapsedTime(&milliseconds, timed, timed));
  MUST(cuEventRecord(event, stream));
  MUST(cuEventRecord(timed, stream));
  MUST(cuStreamSynchronize(stream));
  Say("event: elapsed without timing", cuEventElapsedTime(&milliseconds, timed, event));
  Say("event: elapsed", cuEventElapsedTime(&milliseconds, timed, timed));
  Say("event: destroy null", cuEventDestroy(nullptr));
  CUcontext second = nullptr;
  CUevent foreign = nullptr;
  MUST(cuCtxCreate(&second, nullptr, 0, device));
  MUST(cuEventCreate(&foreign, 0));
  MUST(cuCtxSetCurrent(context));
  Say("event: record in another context's stream", cuEventRecord(foreign, stream));
  Say("stream: wait for a value at null", cuStreamWaitValue32(stream, 0, 1, 0));
  CUdeviceptr flag = Memory(64);
  Say("stream: wait for a value, misaligned", cuStreamWaitValue32(stream, flag + 2, 0, 0));
  Say("stream: write a value", cuStreamWriteValue32(stream, flag, 1, 0));
  CUresult inside = CUDA_SUCCESS;
  MUST(cuLaunchHostFunc(
      stream,
      [](void* data) {
        CUdeviceptr memory = 0;
        *static_cast<CUresult*>(data) = cuMemAlloc(&memory, 16);
      },
      &inside));
  MUST(cuStreamSynchronize(stream));
  Say("host function: allocates", inside);
  MUST(cuCtxSetCurrent(nullptr));
  CUdeviceptr memory = 0;
  Say("no context: alloc", cuMemAlloc(&memory, 16));
  Say("no context: free null", cuMemFree(0));
  Say("no context: synchronize", cuCtxSynchronize());
  CUdevice current = 0;
  Say("no context: device", cuCtxGetDevice(&current));
  MUST(cuCtxSetCurrent(context));
}

void AskCaptures() {
  CUstream stream = nullptr;
  CUstream other = nullptr;
  CUstream blocking = nullptr;
  CUevent event = nullptr;
  CUgraph graph = nullptr;
  CUdeviceptr memory = Memory(64);
  CUdeviceptr allocated = 0;
  static char host[64];
  MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  MUST(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  MUST(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
  MUST(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  auto begin = [&](CUstream on, CUstreamCaptureMode mode) { MUST(cuStreamBeginCapture(on, mode)); };
  auto end = [&](const char* question) { Say(question, cuStreamEndCapture(stream, &graph)); };
  Say("capture: legacy stream", cuStreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_RELAXED));
  Say("capture: end without begin", cuStreamEndCapture(stream, &graph));
  begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  Say("capture: begin twice", cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  end("capture: end after that");
  begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  Say("capture global: alloc", cuMemAlloc(&allocated, 64));
  end("capture global: end after alloc");
  begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  Say("capture global: free", cuMemFree(memory));
  end("capture global: end after free");
  memory = Memory(64);
  begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  Say("capture global: HtoD", cuMemcpyHtoD(memory, host, 64));
  end("capture global: end after HtoD");
  begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  Say("capture global: memset", cuMemsetD8(memory, 0, 64));
  end("capture global: end after memset");
  begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  Say("capture global: synchronize the context", cuCtxSynchronize());
  end("capture global: end after that");
  begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  Say("capture global: synchronize another stream", cuStreamSynchronize(other));
  end("capture global: end after that too");
  begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  Say("capture global: host alloc", cuMemAllocHost(reinterpret_cast<void**>(&allocated), 64));
  end("capture global: end after host alloc");
  begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
  Say("capture relaxed: alloc", cuMemAlloc(&allocated, 64));
  Say("capture relaxed: HtoD", cuMemcpyHtoD(memory, host, 64));
  end("capture relaxed: end");
  begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
  Say("capture: query the stream", cuStreamQuery(stream));
  end("capture: end after the query");
  begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
  Say("capture: synchronize the stream", cuStreamSynchronize(stream));
  end("capture: end after the synchronization");
  begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
  MUST(cuEventRecord(event, stream));
  Say("capture: query the event", cuEventQuery(event));
  Say("capture: synchronize the event", cuEventSynchronize(event));
  end("capture: end after asking the event");
  begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
  MUST(cuEventRecord(event, stream));
  MUST(cuStreamWaitEvent(other, event, 0));
  MUST(cuMemsetD8Async(memory, 0, 64, other));
  Say("capture: end in the other stream", cuStreamEndCapture(other, &graph));
  end("capture: end after that attempt");
  begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
  MUST(cuEventRecord(event, stream));
  MUST(cuStreamWaitEvent(other, event, 0));
  MUST(cuMemsetD8Async(memory, 0, 64, other));
  end("capture: end without a join");
  MUST(cuEventRecord(event, other));
  begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
  Say("capture: wait for uncaptured work", cuStreamWaitEvent(stream, event, 0));
  end("capture: end after that wait");
  begin(blocking, CU_STREAM_CAPTURE_MODE_RELAXED);
  Say("capture: memset in the legacy stream", cuMemsetD8Async(memory, 0, 64, nullptr));
  Say("capture: end of the blocking stream", cuStreamEndCapture(blocking, &graph));
  begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
  Say("capture: memset beside it in the legacy stream", cuMemsetD8Async(memory, 0, 64, nullptr));
  Say("capture: pageable upload", cuMemcpyHtoDAsync(memory, host, 64, stream));
  Say("capture: bad memset", cuMemsetD8Async(memory, 0, 1 << 30, stream));
  end("capture: end after a bad memset");
}

void AskGraphs() {
  CUgraph graph = nullptr;
  CUgraph other = nullptr;
  CUgraphNode first = nullptr;
  CUgraphNode second = nullptr;
  CUgraphNode third = nullptr;
  CUgraphExec exec = nullptr;
  CUdeviceptr memory = Memory(64);
  Say("graph: flags", cuGraphCreate(&graph, 1));
  MUST(cuGraphCreate(&graph, 0));
  MUST(cuGraphCreate(&other, 0));
  MUST(cuGraphAddEmptyNode(&first, graph, nullptr, 0));
  MUST(cuGraphAddEmptyNode(&second, graph, &first, 1));
  Say("graph: dependency of another graph", cuGraphAddEmptyNode(&third, other, &first, 1));
  CUgraphNode twice[] = {first, first};
  Say("graph: dependency twice", cuGraphAddEmptyNode(&third, graph, twice, 2));
  Say("graph: edge twice", cuGraphAddDependencies(graph, &first, &second, nullptr, 1));
  Say("graph: edge to itself", cuGraphAddDependencies(graph, &first, &first, nullptr, 1));
  Say("graph: remove no edge", cuGraphRemoveDependencies(graph, &second, &first, nullptr, 1));
  CUDA_MEMSET_NODE_PARAMS fill = {memory, 0, 0, 4, 17, 1};
  Say("graph: memset of too much", cuGraphAddMemsetNode(&third, graph, nullptr, 0, &fill, context));
  fill.width = 0;
  Say("graph: memset of nothing", cuGraphAddMemsetNode(&third, graph, nullptr, 0, &fill, context));
  fill.width = 16;
  fill.elementSize = 3;
  Say("graph: memset of three bytes",
      cuGraphAddMemsetNode(&third, graph, nullptr, 0, &fill, context));
  Say("graph: instantiate", cuGraphInstantiate(&exec, graph, 0));
  CUgraphExecUpdateResultInfo info{};
  Say("graph: update of another shape", cuGraphExecUpdate(exec, other, &info));
  Say("graph: update's result", info.result);
  Say("graph: edge back", cuGraphAddDependencies(graph, &second, &first, nullptr, 1));
  CUgraphExec cyclic = nullptr;
  Say("graph: instantiate a cycle", cuGraphInstantiate(&cyclic, graph, 0));
  Say("graph: memory free of plain memory",
      cuGraphAddMemFreeNode(&third, other, nullptr, 0, memory));
  Say("graph: launch", cuGraphLaunch(exec, nullptr));
  Say("graph: destroy exec", cuGraphExecDestroy(exec));
  Say("graph: destroy", cuGraphDestroy(graph));
}

void AskFault() {
  CUmodule module = nullptr;
  CUfunction poke = nullptr;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUdeviceptr memory = Memory(64);
  void* host = nullptr;
  MUST(cuMemAllocHost(&host, 64));
  MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  MUST(cuEventCreate(&event, 0));
  MUST(cuModuleLoadData(&module, kKernels));
  MUST(cuModuleGetFunction(&poke, module, KERNEL_POKE));
  CUdeviceptr nobody = 64;
  int64_t index = 0;
  void* parameters[] = {&nobody, &index};
  MUST(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr));
  Say("fault: synchronize the stream", cuStreamSynchronize(stream));
  Say("fault: query the stream", cuStreamQuery(stream));
  Say("fault: query the event", cuEventQuery(event));
  Say("fault: alloc", cuMemAlloc(&memory, 64));
  Say("fault: copy", cuMemcpyDtoH(host, memory, 16));
  Say("fault: free", cuMemFree(memory));
  Say("fault: free null", cuMemFree(0));
  Say("fault: free host", cuMemFreeHost(host));
  Say("fault: launch", cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr));
  Say("fault: unload", cuModuleUnload(module));
  Say("fault: destroy the event", cuEventDestroy(event));
  Say("fault: destroy the stream", cuStreamDestroy(stream));
  CUcontext current = nullptr;
  CUdevice which = 0;
  size_t bytes = 0;
  Say("fault: current context", cuCtxGetCurrent(&current));
  Say("fault: its device", cuCtxGetDevice(&which));
  Say("fault: memory info", cuMemGetInfo(&bytes, &bytes));
  Say("fault: destroy the context", cuCtxDestroy(context));
  Say("fault: another context", cuCtxCreate(&context, nullptr, 0, device));
  Say("fault: alloc there", cuMemAlloc(&memory, 64));
}

void AskEntryPoints() {
  auto find = [&](const char* name, int version, cuuint64_t flags) {
    void* address = nullptr;
    CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
    CUresult result = cuGetProcAddress(name, &address, version, flags, &status);
    Dl_info info{};
    const bool known =
        address != nullptr && dladdr(address, &info) != 0 && info.dli_sname != nullptr;
    std::printf("find \"%s\" %d %llu = %s, status %d, %s\n", name, version,
                static_cast<unsigned long long>(flags), NameOf(result).c_str(), status,
                known ? info.dli_sname : "nothing");
  };
  find("", 0, 0);
  find("cuNoSuchFunction", 13000, 0);
  find("cuMemAllocAsync", 10000, 0);
  find("cuMemAlloc", 1000, 0);
  find("cuMemAlloc_v2", 13000, 0);
  find("cuMemAlloc", 99000, 0);
  find("cuMemAlloc", 13000, 8);
  for (const char* name :
       {"cuMemAlloc", "cuMemFree", "cuMemcpyHtoD", "cuMemcpyHtoDAsync", "cuLaunchKernel",
        "cuCtxCreate", "cuGraphInstantiate", "cuStreamBeginCapture", "cuStreamGetCaptureInfo",
        "cuGetProcAddress", "cuMemPrefetchAsync", "cuGraphAddKernelNode", "cuEventElapsedTime",
        "cuMemcpyBatchAsync", "cuStreamWaitValue32", "cuMemHostRegister", "cuStreamDestroy"}) {
    for (int version : {3020, 7000, 11000, 12000, 13000}) {
      find(name, version, 0);
      find(name, version, 2);
    }
  }
}

}  // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  InChild("entry points", AskEntryPoints);
  InChild("copies", AskCopies);
  InChild("rectangles", AskRectangles);
  InChild("memory", AskMemory);
  InChild("pools", AskPools);
  InChild("virtual memory", AskVirtualMemory);
  InChild("arrays", AskArrays);
  InChild("textures", AskTextures);
  InChild("modules", AskModules);
  InChild("launches", AskLaunches);
  InChild("streams", AskStreams);
  InChild("captures", AskCaptures);
  InChild("graphs", AskGraphs);
  InChild("fault", AskFault);
  CUdeviceptr memory = 0;
  Say("not initialised: alloc", cuMemAlloc(&memory, 16));
  int count = 0;
  Say("not initialised: count", cuDeviceGetCount(&count));
  return 0;
}
