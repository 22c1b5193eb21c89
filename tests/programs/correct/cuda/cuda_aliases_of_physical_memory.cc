// Physical memory is mapped at two addresses, moved to a third one with its content, and in part
// replaced by other memory.
#include "common/cuda_mapped.h"

int main() {
  Open();
  const size_t piece = PhysicalPiece();
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  CUdeviceptr base, alias;
  OK(cuMemAddressReserve(&base, 3 * piece, 0, 0, 0));
  OK(cuMemAddressReserve(&alias, piece, 0, 0, 0));
  CUmemGenericAllocationHandle first = NewPhysical(piece), second = NewPhysical(piece);
  Map(base, piece, first);
  Map(alias, piece, first);
  // Written by one address and read by the other, one kernel behind the other.
  OK(cuMemsetD8Async(base, 5, piece, stream));
  OK(cuMemcpyDtoHAsync(result, alias, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 5);
  OK(cuMemUnmap(base, piece));
  // The content moves with the memory.
  Map(base + 2 * piece, piece, first);
  OK(cuMemcpyDtoHAsync(result, base + 2 * piece, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[4095] == 5);
  // Other memory at the address that was used before, and a copy over the seam.
  Map(base, piece, second);
  CUmemGenericAllocationHandle middle = NewPhysical(piece), again;
  Map(base + piece, piece, middle);
  OK(cuMemRetainAllocationHandle(&again, (void*)(base + piece)));
  OK(cuMemRelease(again));
  OK(cuMemsetD8Async(base, 6, 3 * piece, stream));
  OK(cuMemcpyDtoHAsync(result, base + 2 * piece - 2048, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 6 && result[4095] == 6);
  OK(cuMemUnmap(base, 3 * piece));
  OK(cuMemcpyDtoHAsync(result, alias, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 6);
  OK(cuMemUnmap(alias, piece));
  OK(cuMemRelease(middle));
  OK(cuMemRelease(second));
  OK(cuMemRelease(first));
  OK(cuMemAddressFree(alias, piece));
  OK(cuMemAddressFree(base, 3 * piece));
  Close(result, stream);
}
