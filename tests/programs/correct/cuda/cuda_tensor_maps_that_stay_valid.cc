// Tensor maps of memory that was freed: of memory at the same address, and of a kernel without
// copies. Data in the form of a tensor map.
#include "common/tensor_maps.h"

namespace {

// The same memory at the same address, as two allocations.
void MapTwice(CUfunction kernel) {
  constexpr size_t kBytes = 2 << 20;
  CUdeviceptr reserved;
  OK(cuMemAddressReserve(&reserved, kBytes, 0, 0, 0));
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}};
  CUmemAccessDesc access = {};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CUtensorMap map = {};
  for (int i = 0; i < 2; ++i) {
    CUmemGenericAllocationHandle memory;
    OK(cuMemCreate(&memory, kBytes, &properties, 0));
    OK(cuMemMap(reserved, kBytes, 0, memory, 0));
    OK(cuMemSetAccess(reserved, kBytes, &access, 1));
    OK(cuMemsetD8(reserved, 0, kBytes));
    if (i == 0) map = TensorMapOf(reserved, 1024);
    LaunchWithMap(kernel, map, 1);
    OK(cuCtxSynchronize());
    OK(cuMemUnmap(reserved, kBytes));
    OK(cuMemRelease(memory));
  }
  OK(cuMemAddressFree(reserved, kBytes));
}

}  // namespace

int main() {
  Open();
  CUfunction tiles = TensorKernel("tiles"), ignores = TensorKernel("ignores");
  MapTwice(tiles);
  // Freed when the kernel has run.
  const CUdeviceptr memory = NewZeros(4096);
  CUtensorMap map = TensorMapOf(memory, 1024);
  LaunchWithMap(tiles, map, 1);
  OK(cuCtxSynchronize());
  OK(cuMemFree(memory));
  // The code copies nothing.
  LaunchWithMap(ignores, map, 1);
  // 128 bytes that begin with the address of freed memory and are no tensor map.
  map.opaque[CU_TENSOR_MAP_NUM_QWORDS - 1] ^= 1;
  LaunchWithMap(tiles, map, 0);
  // The address in the map was replaced.
  const CUdeviceptr other = NewZeros(8192);
  map = TensorMapOf(other, 1024);
  OK(cuTensorMapReplaceAddress(&map, (void*)(other + 4096)));
  LaunchWithMap(tiles, map, 1);
  OK(cuCtxSynchronize());
  OK(cuMemFree(other));
  Close();
}
