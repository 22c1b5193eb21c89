// Copies and sets: one description for all of their forms, its validation and its execution.
#ifndef GPUSAN_TESTS_CUDA_FAKE_DRIVER_TRANSFERS_H_
#define GPUSAN_TESTS_CUDA_FAKE_DRIVER_TRANSFERS_H_

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "scheduler.h"

namespace fake {

struct Array;

// One end of a copy. x, y and z are where the copy starts, x in bytes.
struct Side {
  CUmemorytype type = CU_MEMORYTYPE_HOST;  // host, device, unified or array
  uintptr_t address = 0;
  std::shared_ptr<Array> array;
  size_t pitch = 0;   // bytes from row to row
  size_t height = 0;  // rows from slice to slice
  size_t x = 0, y = 0, z = 0;
};

struct Copy {
  Side source;
  Side target;
  size_t width = 0;  // bytes
  size_t height = 1;
  size_t depth = 1;
};

struct Fill {
  uintptr_t address = 0;
  size_t pitch = 0;
  unsigned value = 0;
  unsigned element = 1;  // bytes: 1, 2 or 4
  size_t width = 0;      // elements
  size_t height = 1;
};

// What a linear side of a copy turns out to be.
enum class Place { kDevice, kManaged, kPinned, kPageable };
Place PlaceOf(const Side& side);

// As the driver answers before it queues anything; with the lock.
CUresult Check(const Copy& copy);
CUresult Check(const Fill& fill);

// The task's body, without the lock. CUDA_ERROR_ILLEGAL_ADDRESS when the memory is gone by then.
CUresult Run(const Copy& copy);
CUresult Run(const Fill& fill);

std::vector<Access> Accesses(const Copy& copy);
std::vector<Access> Accesses(const Fill& fill);

Side HostSide(const void* pointer);
Side DeviceSide(CUdeviceptr pointer);
Side UnifiedSide(CUdeviceptr pointer);

// From the driver's description; with the lock.
CUresult CopyOf(const CUDA_MEMCPY3D* parameters, Copy* copy);
CUDA_MEMCPY3D Describe(const Copy& copy);

// The task that does it, not submitted. A copy from pageable memory is staged when `stage` is set.
TaskPtr TaskOf(const Copy& copy, bool stage);
TaskPtr TaskOf(const Fill& fill);

}  // namespace fake

#endif  // GPUSAN_TESTS_CUDA_FAKE_DRIVER_TRANSFERS_H_
