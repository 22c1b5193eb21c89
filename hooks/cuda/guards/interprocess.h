// Guarded memory that processes share. The other process gets the pointer to the program's part of
// the memory, without the guard zones.
#pragma once

#include "hooks/cuda/guards/driver.h"

namespace gpusan::cuda {

CUresult GuardedIpcHandle(CUipcMemHandle* handle, CUdeviceptr pointer);
CUresult OpenGuardedIpc(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned flags);
CUresult CloseGuardedIpc(CUdeviceptr pointer);
CUresult ExportGuardedPointer(CUmemPoolPtrExportData* data, CUdeviceptr pointer);
CUresult ImportGuardedPointer(CUdeviceptr* pointer, CUmemoryPool pool,
                              CUmemPoolPtrExportData* data);

// Removes the data about the block that other processes read. Call it before the memory is freed.
void EndSharing(const GuardedBlock& block);

}  // namespace gpusan::cuda
