// Defect: Calls get arguments that the driver refuses: shapes, rights, parts of memory, and names
// that do not exist.
// Fix: The arguments are right.
#include "common/cuda.h"

// Defect: The program creates an array of width 0.
// Fix: The array has one texel.
// EXPECT warning call-failed cuArrayCreate_v2 CUDA_ERROR_INVALID_VALUE at HERE
// EXPECT-TEXT correct Width
static void ArrayWithoutWidth() {
#ifdef DEFECT
  const size_t width = 0;
#else
  const size_t width = 1;
#endif
  CUDA_ARRAY_DESCRIPTOR shape = {width, 0, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  // @HERE
  if (cuArrayCreate(&array, &shape) == CUDA_SUCCESS) OK(cuArrayDestroy(array));
}

// Defect: More blocks than the device holds at once are launched cooperatively.
// Fix: As many blocks as the device surely holds at once are launched cooperatively.
// EXPECT warning call-failed cuLaunchCooperativeKernel CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE at HERE_2
// EXPECT-TEXT all 1048576 blocks
static void CooperativeLaunchTooLarge() {
  CUfunction nothing = Kernel(KERNEL_NOTHING);
#ifdef DEFECT
  const unsigned blocks = 1 << 20;
#else
  const unsigned blocks = 1;
#endif
  // @HERE_2
  cuLaunchCooperativeKernel(nothing, blocks, 1, 1, 1024, 1, 1, 0, nullptr, nullptr);
  OK(cuCtxSynchronize());
}

// Defect: A program sets the number of registers of a function, which is a property of its code.
// Fix: A program reads the number of registers of a function.
// EXPECT warning call-failed cuFuncSetAttribute CUDA_ERROR_INVALID_VALUE at HERE_3
static void NumberOfRegistersSet() {
  CUfunction nothing = Kernel(KERNEL_NOTHING);
#ifdef DEFECT
  // @HERE_3
  cuFuncSetAttribute(nothing, CU_FUNC_ATTRIBUTE_NUM_REGS, 32);
#else
  int registers;
  OK(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, nothing));
#endif
}

// Defect: Mapped memory is used without access rights.
// Fix: The device gets access to the memory first.
// EXPECT warning call-failed cuMemsetD8_v2 CUDA_ERROR_INVALID_VALUE at HERE_4
// EXPECT-TEXT call cuMemSetAccess for the memory before cuMemsetD8
static void MappedMemoryWithoutAccess() {
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED));
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device;
  size_t bytes;
  OK(cuMemGetAllocationGranularity(&bytes, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUmemGenericAllocationHandle memory;
  CUdeviceptr base;
  OK(cuMemCreate(&memory, bytes, &properties, 0));
  OK(cuMemAddressReserve(&base, bytes, 0, 0, 0));
  OK(cuMemMap(base, bytes, 0, memory, 0));
#ifndef DEFECT
  CUmemAccessDesc access = {};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  OK(cuMemSetAccess(base, bytes, &access, 1));
#endif
  // @HERE_4
  cuMemsetD8(base, 0, bytes);
  cuCtxSynchronize();
  OK(cuMemUnmap(base, bytes));
  OK(cuMemAddressFree(base, bytes));
  OK(cuMemRelease(memory));
}

// Defect: Half of a managed allocation is attached to a stream.
// Fix: A whole managed allocation is attached to a stream.
// EXPECT warning call-failed cuStreamAttachMemAsync CUDA_ERROR_INVALID_VALUE at HERE_5
static void PartOfManagedMemoryAttached() {
  CUstream stream = NewStream();
  CUdeviceptr memory;
  OK(cuMemAllocManaged(&memory, 8192, CU_MEM_ATTACH_HOST));
  size_t bytes = 8192;
#ifdef DEFECT
  bytes = 4096;
#endif
  // @HERE_5
  cuStreamAttachMemAsync(stream, memory, bytes, CU_MEM_ATTACH_SINGLE);
  OK(cuStreamSynchronize(stream));
  Release(memory, stream);
}

// Defect: A module is loaded from a file that is not there.
// Fix: A module is loaded from a file.
// EXPECT warning call-failed cuModuleLoad CUDA_ERROR_FILE_NOT_FOUND at HERE_6
// EXPECT-TEXT no_such_folder/kernels.cubin
static void FileThatIsNotThere() {
#ifdef DEFECT
  const char* path = "no_such_folder/kernels.cubin";
#else
  const char* path = "kernels.ptx";
  FILE* file = fopen(path, "w");
  CHECK(file != nullptr && fputs(kKernels, file) >= 0 && fclose(file) == 0);
#endif
  CUmodule module;
  // @HERE_6
  cuModuleLoad(&module, path);
}

// Defect: A kernel is looked up by its name in the source, which is not its name in the module.
// Fix: A kernel is looked up by its name in the module.
// EXPECT warning call-failed cuModuleGetFunction CUDA_ERROR_NOT_FOUND at HERE_7
// EXPECT-TEXT has no function "copy".*_Z4copyPKfPf
static void KernelName() {
  OK(cuModuleLoadData(&module_of_kernels, kKernels));
#ifdef DEFECT
  const char* name = "copy";
#else
  const char* name = KERNEL_COPY;
#endif
  CUfunction kernel;
  // @HERE_7
  cuModuleGetFunction(&kernel, module_of_kernels, name);
}

int main() {
  Open();
  ArrayWithoutWidth();
  CooperativeLaunchTooLarge();
  NumberOfRegistersSet();
  MappedMemoryWithoutAccess();
  PartOfManagedMemoryAttached();
  FileThatIsNotThere();
  KernelName();
  Close();
}
