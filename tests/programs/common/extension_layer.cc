// A layer for programs that use extensions which the CPU driver lacks: it adds their functions, each by what the driver
// has. What a program sees of them is what gpusan watches: handles, codes and the order of commands.
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>
#include <stdlib.h>
#include <string.h>

#include <string>
#include <type_traits>
#include <vector>

#include "hooks/opencl/words/extension_types.h"

using namespace gpusan::opencl;

namespace {

cl_icd_dispatch driver;  // what is below

// Of the driver, for an extension that it has in another revision.
template <typename Function>
Function Below(const char* name) {
  cl_platform_id platform = nullptr;
  driver.clGetPlatformIDs(1, &platform, nullptr);
  return reinterpret_cast<Function>(driver.clGetExtensionFunctionAddressForPlatform(platform, name));
}

// --- cl_khr_semaphore: a semaphore is the event of its last signal
//
// One with further properties is signalled by another API. This happens when the program retains the semaphore.

struct Semaphore {
  int references = 1;
  cl_event signalled = nullptr;
  bool foreign = false;
};

cl_semaphore_khr CL_API_CALL CreateSemaphore(cl_context context, const cl_semaphore_properties_khr* properties,
                                             cl_int* code) {
  auto* semaphore = new Semaphore;
  if (properties != nullptr && properties[0] != 0 && properties[2] != 0) {
    semaphore->foreign = true;
    semaphore->signalled = driver.clCreateUserEvent(context, code);
  } else if (code != nullptr) {
    *code = CL_SUCCESS;
  }
  return reinterpret_cast<cl_semaphore_khr>(semaphore);
}
Semaphore* Of(cl_semaphore_khr semaphore) { return reinterpret_cast<Semaphore*>(semaphore); }
cl_int CL_API_CALL RetainSemaphore(cl_semaphore_khr semaphore) {
  ++Of(semaphore)->references;
  return Of(semaphore)->foreign ? driver.clSetUserEventStatus(Of(semaphore)->signalled, CL_COMPLETE) : CL_SUCCESS;
}
cl_int CL_API_CALL ReleaseSemaphore(cl_semaphore_khr semaphore) {
  if (--Of(semaphore)->references != 0) return CL_SUCCESS;
  if (Of(semaphore)->signalled != nullptr) driver.clReleaseEvent(Of(semaphore)->signalled);
  delete Of(semaphore);
  return CL_SUCCESS;
}
cl_int CL_API_CALL Signal(cl_command_queue queue, cl_uint count, const cl_semaphore_khr* semaphores,
                          const cl_semaphore_payload_khr*, cl_uint waits, const cl_event* list, cl_event* event) {
  for (cl_uint i = 0; i < count; ++i) {
    Semaphore* semaphore = Of(semaphores[i]);
    if (semaphore->signalled != nullptr) driver.clReleaseEvent(semaphore->signalled);
    driver.clEnqueueMarkerWithWaitList(queue, waits, list, &semaphore->signalled);
  }
  return event != nullptr ? driver.clEnqueueMarkerWithWaitList(queue, waits, list, event) : CL_SUCCESS;
}
cl_int CL_API_CALL Wait(cl_command_queue queue, cl_uint count, const cl_semaphore_khr* semaphores,
                        const cl_semaphore_payload_khr*, cl_uint waits, const cl_event* list, cl_event* event) {
  std::vector<cl_event> all(list, list + waits);
  for (cl_uint i = 0; i < count; ++i) {
    if (Of(semaphores[i])->signalled != nullptr) all.push_back(Of(semaphores[i])->signalled);
  }
  return driver.clEnqueueBarrierWithWaitList(queue, static_cast<cl_uint>(all.size()),
                                             all.empty() ? nullptr : all.data(), event);
}

// --- commands that do nothing in a driver with one kind of memory

cl_int CL_API_CALL Exchange(cl_command_queue queue, cl_uint, const cl_mem*, cl_uint waits, const cl_event* list,
                            cl_event* event) {
  return driver.clEnqueueMarkerWithWaitList(queue, waits, list, event);
}
cl_int CL_API_CALL Move(cl_command_queue queue, const void*, size_t, cl_mem_migration_flags, cl_uint waits,
                        const cl_event* list, cl_event* event) {
  return driver.clEnqueueMarkerWithWaitList(queue, waits, list, event);
}
cl_int CL_API_CALL Advise(cl_command_queue queue, const void*, size_t, cl_mem_advice_intel, cl_uint waits,
                          const cl_event* list, cl_event* event) {
  return driver.clEnqueueMarkerWithWaitList(queue, waits, list, event);
}
cl_int CL_API_CALL Mipmap(cl_command_queue queue, cl_mem, cl_mem, cl_mipmap_filter_mode_img, const size_t*,
                          const size_t*, cl_uint waits, const cl_event* list, cl_event* event) {
  return driver.clEnqueueMarkerWithWaitList(queue, waits, list, event);
}
cl_int CL_API_CALL Terminate(cl_context) { return CL_SUCCESS; }

// --- cl_intel_unified_shared_memory: all of it is shared memory of the core

void* Allocate(cl_context context, size_t size, cl_uint alignment, cl_int* code) {
  void* memory = driver.clSVMAlloc(context, CL_MEM_READ_WRITE, size, alignment);
  if (code != nullptr) *code = memory != nullptr ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
  return memory;
}
void* CL_API_CALL AllocateOnHost(cl_context context, const cl_mem_properties_intel*, size_t size, cl_uint alignment,
                                 cl_int* code) {
  return Allocate(context, size, alignment, code);
}
void* CL_API_CALL AllocateOnDevice(cl_context context, cl_device_id, const cl_mem_properties_intel*, size_t size,
                                   cl_uint alignment, cl_int* code) {
  return Allocate(context, size, alignment, code);
}
cl_int CL_API_CALL Free(cl_context context, void* memory) {
  driver.clSVMFree(context, memory);
  return CL_SUCCESS;
}
cl_int CL_API_CALL Set(cl_command_queue queue, void* memory, cl_int value, size_t size, cl_uint waits,
                       const cl_event* list, cl_event* event) {
  const char byte = static_cast<char>(value);
  return driver.clEnqueueSVMMemFill(queue, memory, &byte, 1, size, waits, list, event);
}

// --- buffers

cl_mem CL_API_CALL Import(cl_context context, cl_mem_flags flags, const cl_import_properties_arm*, void* memory,
                          size_t size, cl_int* code) {
  return driver.clCreateBuffer(context, flags | CL_MEM_USE_HOST_PTR, size, memory, code);
}
cl_mem CL_API_CALL CreateBufferNv(cl_context context, cl_mem_flags flags, cl_mem_flags_NV, size_t size, void* memory,
                                  cl_int* code) {
  return driver.clCreateBuffer(context, flags, size, memory, code);
}
cl_int CL_API_CALL SetDevicePointer(cl_kernel, cl_uint, cl_ulong) { return CL_SUCCESS; }

// --- cl_khr_command_buffer 0.9.5: one parameter more than the driver's 0.9.0

template <typename Old>
struct Without;
template <typename... Rest>
struct Without<cl_int(CL_API_CALL*)(cl_command_buffer_khr, cl_command_queue, Rest...)> {
  using Old = cl_int(CL_API_CALL*)(cl_command_buffer_khr, cl_command_queue, Rest...);
  template <const char* name>
  static cl_int CL_API_CALL Call(cl_command_buffer_khr buffer, cl_command_queue queue, const cl_properties*,
                                 Rest... rest) {
    return Below<Old>(name)(buffer, queue, rest...);
  }
};
// The driver cannot record copies of shared memory: the place in the order is all that is kept.
cl_int CL_API_CALL RecordCopy(cl_command_buffer_khr buffer, cl_command_queue queue, const cl_properties*, void*,
                              const void*, size_t, cl_uint waits, const cl_sync_point_khr* list,
                              cl_sync_point_khr* point, cl_mutable_command_khr* handle) {
  return Below<command_buffer::clCommandBarrierWithWaitListKHR_090>("clCommandBarrierWithWaitListKHR")(
      buffer, queue, waits, list, point, handle);
}
cl_int CL_API_CALL RecordFill(cl_command_buffer_khr buffer, cl_command_queue queue, const cl_properties*, void*,
                              const void*, size_t, size_t, cl_uint waits, const cl_sync_point_khr* list,
                              cl_sync_point_khr* point, cl_mutable_command_khr* handle) {
  return RecordCopy(buffer, queue, nullptr, nullptr, nullptr, 0, waits, list, point, handle);
}
cl_int CL_API_CALL Update(cl_command_buffer_khr, cl_uint, const cl_uint*, const void**) { return CL_SUCCESS; }

void* Added(const std::string& name) {
#define ADDED(function, implementation) \
  if (name == #function) return reinterpret_cast<void*>(implementation);
#define AS_CORE(function, core) ADDED(function, driver.core)
#define REVISED(function)                                                                                  \
  static constexpr char k##function[] = #function;                                                         \
  ADDED(function, (static_cast<command_buffer::function##_095>(                                            \
                      &Without<command_buffer::function##_090>::Call<k##function>)))
  ADDED(clCreateSemaphoreWithPropertiesKHR, CreateSemaphore)
  ADDED(clRetainSemaphoreKHR, RetainSemaphore)
  ADDED(clReleaseSemaphoreKHR, ReleaseSemaphore)
  ADDED(clEnqueueSignalSemaphoresKHR, Signal)
  ADDED(clEnqueueWaitSemaphoresKHR, Wait)
  ADDED(clEnqueueAcquireExternalMemObjectsKHR, Exchange)
  ADDED(clEnqueueReleaseExternalMemObjectsKHR, Exchange)
  ADDED(clEnqueueAcquireGrallocObjectsIMG, Exchange)
  ADDED(clEnqueueReleaseGrallocObjectsIMG, Exchange)
  ADDED(clEnqueueGenerateMipmapIMG, Mipmap)
  ADDED(clTerminateContextKHR, Terminate)
  ADDED(clHostMemAllocINTEL, AllocateOnHost)
  ADDED(clDeviceMemAllocINTEL, AllocateOnDevice)
  ADDED(clSharedMemAllocINTEL, AllocateOnDevice)
  ADDED(clMemFreeINTEL, Free)
  ADDED(clMemBlockingFreeINTEL, Free)
  AS_CORE(clSetKernelArgMemPointerINTEL, clSetKernelArgSVMPointer)
  AS_CORE(clEnqueueMemcpyINTEL, clEnqueueSVMMemcpy)
  AS_CORE(clEnqueueMemFillINTEL, clEnqueueSVMMemFill)
  ADDED(clEnqueueMemsetINTEL, Set)
  ADDED(clEnqueueMigrateMemINTEL, Move)
  ADDED(clEnqueueMemAdviseINTEL, Advise)
  ADDED(clImportMemoryARM, Import)
  AS_CORE(clSVMAllocARM, clSVMAlloc)
  AS_CORE(clSVMFreeARM, clSVMFree)
  AS_CORE(clEnqueueSVMFreeARM, clEnqueueSVMFree)
  AS_CORE(clEnqueueSVMMemcpyARM, clEnqueueSVMMemcpy)
  AS_CORE(clEnqueueSVMMemFillARM, clEnqueueSVMMemFill)
  AS_CORE(clEnqueueSVMMapARM, clEnqueueSVMMap)
  AS_CORE(clEnqueueSVMUnmapARM, clEnqueueSVMUnmap)
  AS_CORE(clSetKernelArgSVMPointerARM, clSetKernelArgSVMPointer)
  AS_CORE(clSetKernelExecInfoARM, clSetKernelExecInfo)
  ADDED(clCreateBufferNV, CreateBufferNv)
  AS_CORE(clCreateBufferWithPropertiesINTEL, clCreateBufferWithProperties)
  AS_CORE(clCreateCommandQueueWithPropertiesKHR, clCreateCommandQueueWithProperties)
  AS_CORE(clEnqueueMigrateMemObjectEXT, clEnqueueMigrateMemObjects)
  ADDED(clSetKernelArgDevicePointerEXT, SetDevicePointer)
  REVISED(clCommandBarrierWithWaitListKHR)
  REVISED(clCommandCopyBufferKHR)
  REVISED(clCommandCopyBufferRectKHR)
  REVISED(clCommandCopyBufferToImageKHR)
  REVISED(clCommandCopyImageKHR)
  REVISED(clCommandCopyImageToBufferKHR)
  REVISED(clCommandFillBufferKHR)
  REVISED(clCommandFillImageKHR)
  ADDED(clCommandSVMMemcpyKHR, RecordCopy)
  ADDED(clCommandSVMMemFillKHR, RecordFill)
  ADDED(clUpdateMutableCommandsKHR, Update)
  return nullptr;
}

void* CL_API_CALL AddressForPlatform(cl_platform_id platform, const char* name) {
  void* added = Added(name);
  return added != nullptr ? added : driver.clGetExtensionFunctionAddressForPlatform(platform, name);
}
void* CL_API_CALL Address(const char* name) {
  void* added = Added(name);
  return added != nullptr ? added : driver.clGetExtensionFunctionAddress(name);
}

// --- programs from PTX, as NVIDIA's driver makes them. The first line of the text is a comment with the program in OpenCL
// C, which the driver below compiles instead

struct PtxProgram {
  cl_program program;
  std::string text;
};
std::vector<PtxProgram> ptx_programs;
constexpr char kSourceOfPtx[] = "// source: ";

cl_program CL_API_CALL CreateWithBinary(cl_context context, cl_uint count, const cl_device_id* devices,
                                        const size_t* lengths, const unsigned char** binaries, cl_int* statuses,
                                        cl_int* code) {
  const std::string text(reinterpret_cast<const char*>(binaries[0]), lengths[0]);
  if (text.rfind(kSourceOfPtx, 0) != 0)
    return driver.clCreateProgramWithBinary(context, count, devices, lengths, binaries, statuses, code);
  const size_t begin = strlen(kSourceOfPtx), end = text.find('\n');
  const std::string source = text.substr(begin, end - begin);
  const char* line = source.c_str();
  cl_program program = driver.clCreateProgramWithSource(context, 1, &line, nullptr, code);
  if (statuses != nullptr) *statuses = CL_SUCCESS;
  ptx_programs.push_back({program, text.substr(end + 1)});
  return program;
}
template <typename Value>
cl_int Give(const Value* from, size_t bytes, size_t size, void* value, size_t* needed) {
  if (needed != nullptr) *needed = bytes;
  if (value == nullptr) return CL_SUCCESS;
  if (size < bytes) return CL_INVALID_VALUE;
  memcpy(value, from, bytes);
  return CL_SUCCESS;
}
// Returns false if the driver below has the answer.
bool PtxInfo(cl_program program, cl_program_info what, size_t size, void* value, size_t* needed, cl_int* code) {
  for (const PtxProgram& one : ptx_programs) {
    if (one.program != program) continue;
    const size_t bytes = one.text.size();
    if (what == CL_PROGRAM_BINARY_SIZES) {
      *code = Give(&bytes, sizeof(bytes), size, value, needed);
    } else if (what == CL_PROGRAM_BINARIES && value != nullptr) {
      *code = Give(one.text.data(), bytes, bytes, *static_cast<char**>(value), needed);
    } else {
      return false;
    }
    return true;
  }
  return false;
}

// The revisions of what is added, for those who ask before they call.
cl_int CL_API_CALL DeviceInfo(cl_device_id device, cl_device_info parameter, size_t size, void* value, size_t* needed) {
  constexpr char kCuda[] = "OpenCL 3.0 CUDA";
  if (parameter == CL_DEVICE_VERSION && !ptx_programs.empty())
    return Give(kCuda, sizeof(kCuda), size, value, needed);
  if (parameter == CL_DEVICE_SVM_CAPABILITIES && getenv("EXTENSION_LAYER_SYSTEM_SVM") != nullptr) {
    cl_device_svm_capabilities can = 0;
    driver.clGetDeviceInfo(device, parameter, sizeof(can), &can, nullptr);
    can |= CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
    return Give(&can, sizeof(can), size, value, needed);
  }
  if (parameter != CL_DEVICE_EXTENSIONS_WITH_VERSION)
    return driver.clGetDeviceInfo(device, parameter, size, value, needed);
  size_t bytes = 0;
  driver.clGetDeviceInfo(device, parameter, 0, nullptr, &bytes);
  std::vector<cl_name_version> all(bytes / sizeof(cl_name_version));
  driver.clGetDeviceInfo(device, parameter, bytes, all.data(), nullptr);
  for (cl_name_version& one : all) {
    if (strcmp(one.name, "cl_khr_command_buffer") == 0) one.version = CL_MAKE_VERSION(0, 9, 5);
  }
  all.push_back({CL_MAKE_VERSION(0, 9, 2), "cl_khr_command_buffer_mutable_dispatch"});
  bytes = all.size() * sizeof(cl_name_version);
  if (needed != nullptr) *needed = bytes;
  if (value == nullptr) return CL_SUCCESS;
  if (size < bytes) return CL_INVALID_VALUE;
  memcpy(value, all.data(), bytes);
  return CL_SUCCESS;
}

// --- queues on the device: the driver has none, so each is a queue of the host; the device has one default queue

cl_command_queue default_queue;

cl_command_queue CL_API_CALL CreateQueue(cl_context context, cl_device_id device, const cl_queue_properties* properties,
                                         cl_int* code) {
  cl_queue_properties bits = 0;
  for (const cl_queue_properties* at = properties; at != nullptr && *at != 0; at += 2) {
    if (at[0] == CL_QUEUE_PROPERTIES) bits = at[1];
  }
  if ((bits & CL_QUEUE_ON_DEVICE) == 0)
    return driver.clCreateCommandQueueWithProperties(context, device, properties, code);
  const bool is_default = (bits & CL_QUEUE_ON_DEVICE_DEFAULT) != 0;
  if (is_default && default_queue != nullptr) {
    const cl_int retained = driver.clRetainCommandQueue(default_queue);
    if (code != nullptr) *code = retained;
    return default_queue;
  }
  const cl_queue_properties host[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue queue = driver.clCreateCommandQueueWithProperties(context, device, host, code);
  if (is_default) default_queue = queue;
  return queue;
}

// --- cl_khr_mipmap_image, for two-dimensional images: each level is an image of its own

struct Levels {
  cl_mem image;
  std::vector<cl_mem> levels;
  cl_mem mapped = nullptr;  // the level that was mapped last
};
std::vector<Levels> mipmaps;

cl_mem CL_API_CALL CreateImage(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                               const cl_image_desc* desc, void* host, cl_int* code) {
  if (desc->num_mip_levels <= 1) return driver.clCreateImage(context, flags, format, desc, host, code);
  cl_image_desc level = *desc;
  level.num_mip_levels = 0;
  Levels made;
  for (cl_uint i = 0; i < desc->num_mip_levels; ++i) {
    made.levels.push_back(driver.clCreateImage(context, flags, format, &level, host, code));
    if (level.image_width > 1) level.image_width /= 2;
    if (level.image_height > 1) level.image_height /= 2;
  }
  made.image = made.levels[0];
  mipmaps.push_back(made);
  return made.image;
}
// Returns the image of the level that origin[2] names, and sets that element of the origin to 0.
cl_mem LevelOf(cl_mem image, size_t* origin) {
  for (const Levels& mipmap : mipmaps) {
    if (mipmap.image != image) continue;
    const size_t level = origin[2];
    origin[2] = 0;
    return mipmap.levels[level];
  }
  return image;
}
cl_int CL_API_CALL ReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t* origin,
                             const size_t* region, size_t row_pitch, size_t slice_pitch, void* to, cl_uint waits,
                             const cl_event* list, cl_event* event) {
  size_t at[3] = {origin[0], origin[1], origin[2]};
  cl_mem level = LevelOf(image, at);
  return driver.clEnqueueReadImage(queue, level, blocking, at, region, row_pitch, slice_pitch, to, waits, list, event);
}
cl_int CL_API_CALL WriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t* origin,
                              const size_t* region, size_t row_pitch, size_t slice_pitch, const void* from,
                              cl_uint waits, const cl_event* list, cl_event* event) {
  size_t at[3] = {origin[0], origin[1], origin[2]};
  cl_mem level = LevelOf(image, at);
  return driver.clEnqueueWriteImage(queue, level, blocking, at, region, row_pitch, slice_pitch, from, waits, list,
                                    event);
}
void* CL_API_CALL MapImage(cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags,
                           const size_t* origin, const size_t* region, size_t* row_pitch, size_t* slice_pitch,
                           cl_uint waits, const cl_event* list, cl_event* event, cl_int* code) {
  size_t at[3] = {origin[0], origin[1], origin[2]};
  cl_mem level = LevelOf(image, at);
  for (Levels& mipmap : mipmaps) {
    if (mipmap.image == image) mipmap.mapped = level;
  }
  return driver.clEnqueueMapImage(queue, level, blocking, flags, at, region, row_pitch, slice_pitch, waits, list,
                                  event, code);
}

cl_int CL_API_CALL Unmap(cl_command_queue queue, cl_mem image, void* pointer, cl_uint waits, const cl_event* list,
                         cl_event* event) {
  for (Levels& mipmap : mipmaps) {
    if (mipmap.image == image) image = mipmap.mapped;
  }
  return driver.clEnqueueUnmapMemObject(queue, image, pointer, waits, list, event);
}

// --- a device that faults at kernels called `faults`, with the codes of NVIDIA's driver; that kernel does not run. Of
// kernels called `exhausts` the launch fails for lack of resources

// --- the program is called inside of a call (common/opencl_threads.h)

// Calls the function whose address is the value of GPUSAN_TEST_INSIDE_<call>, once.
void Inside(const char* call) {
  const std::string name = std::string("GPUSAN_TEST_INSIDE_") + call;
  const char* address = getenv(name.c_str());
  if (address == nullptr) return;
  const auto function = reinterpret_cast<void (*)()>(strtoull(address, nullptr, 16));
  unsetenv(name.c_str());
  function();
}

cl_int CL_API_CALL SetArgument(cl_kernel kernel, cl_uint index, size_t size, const void* value) {
  Inside("clSetKernelArg");
  return driver.clSetKernelArg(kernel, index, size, value);
}

constexpr cl_int kIllegalAddress = -9999;
bool faulted;

cl_int CL_API_CALL Launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* offset,
                          const size_t* global, const size_t* local, cl_uint waits, const cl_event* list,
                          cl_event* event) {
  Inside("clEnqueueNDRangeKernel");
  char name[32] = "";
  driver.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name), name, nullptr);
  if (strcmp(name, "exhausts") == 0) return CL_OUT_OF_RESOURCES;
  if (strcmp(name, "faults") != 0)
    return driver.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, list, event);
  faulted = true;
  return driver.clEnqueueMarkerWithWaitList(queue, waits, list, event);
}
cl_int CL_API_CALL Finish(cl_command_queue queue) { return faulted ? CL_INVALID_COMMAND_QUEUE : driver.clFinish(queue); }
cl_int CL_API_CALL Flush(cl_command_queue queue) { return faulted ? kIllegalAddress : driver.clFlush(queue); }
cl_int CL_API_CALL WaitForEvents(cl_uint count, const cl_event* list) {
  return faulted ? kIllegalAddress : driver.clWaitForEvents(count, list);
}
cl_int CL_API_CALL ReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size,
                              void* to, cl_uint waits, const cl_event* list, cl_event* event) {
  if (faulted && blocking) return CL_OUT_OF_RESOURCES;
  return driver.clEnqueueReadBuffer(queue, buffer, blocking, offset, size, to, waits, list, event);
}

// --- faults of NVIDIA's driver: kernels without parameters do not compile with -cl-kernel-arg-info, and a question for
// the kernels of a program that has none crashes

cl_int CL_API_CALL Build(cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                         void(CL_CALLBACK* notify)(cl_program, void*), void* data) {
  char source[4096] = "";
  driver.clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof(source), source, nullptr);
  const bool describes = options != nullptr && strstr(options, "-cl-kernel-arg-info") != nullptr;
  if (describes && strstr(source, "()") != nullptr) return CL_BUILD_PROGRAM_FAILURE;
  return driver.clBuildProgram(program, count, devices, options, notify, data);
}
cl_int CL_API_CALL ProgramInfo(cl_program program, cl_program_info what, size_t size, void* value, size_t* needed) {
  size_t kernels = 1;
  if (what == CL_PROGRAM_KERNEL_NAMES)
    driver.clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof(kernels), &kernels, nullptr);
  if (kernels == 0) abort();
  cl_int code = CL_SUCCESS;
  if (PtxInfo(program, what, size, value, needed, &code)) return code;
  return driver.clGetProgramInfo(program, what, size, value, needed);
}

cl_icd_dispatch layer;

}  // namespace

extern "C" __attribute__((visibility("default"))) cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size,
                                                                                    void* value, size_t* needed) {
  if (name != CL_LAYER_API_VERSION) return CL_INVALID_VALUE;
  if (value != nullptr) *static_cast<cl_layer_api_version*>(value) = CL_LAYER_API_VERSION_100;
  if (needed != nullptr) *needed = sizeof(cl_layer_api_version);
  return CL_SUCCESS;
}

extern "C" __attribute__((visibility("default"))) cl_int CL_API_CALL clInitLayer(cl_uint entries,
                                                                                 const cl_icd_dispatch* target,
                                                                                 cl_uint* entries_ret,
                                                                                 const cl_icd_dispatch** layer_ret) {
  memcpy(&driver, target, entries * sizeof(void*) < sizeof(driver) ? entries * sizeof(void*) : sizeof(driver));
  layer.clGetExtensionFunctionAddressForPlatform = AddressForPlatform;
  layer.clGetExtensionFunctionAddress = Address;
  layer.clGetDeviceInfo = DeviceInfo;
  layer.clCreateCommandQueueWithProperties = CreateQueue;
  layer.clCreateProgramWithBinary = CreateWithBinary;
  layer.clCreateImage = CreateImage;
  layer.clEnqueueReadImage = ReadImage;
  layer.clEnqueueWriteImage = WriteImage;
  layer.clEnqueueMapImage = MapImage;
  layer.clEnqueueUnmapMemObject = Unmap;
  layer.clEnqueueNDRangeKernel = Launch;
  layer.clBuildProgram = Build;
  layer.clGetProgramInfo = ProgramInfo;
  layer.clSetKernelArg = SetArgument;
  layer.clFinish = Finish;
  layer.clFlush = Flush;
  layer.clWaitForEvents = WaitForEvents;
  layer.clEnqueueReadBuffer = ReadBuffer;
  *entries_ret = sizeof(layer) / sizeof(void*) < entries ? sizeof(layer) / sizeof(void*) : entries;
  *layer_ret = &layer;
  return CL_SUCCESS;
}
