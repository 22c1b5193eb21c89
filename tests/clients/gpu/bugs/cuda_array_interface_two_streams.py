"""PyTorch's __cuda_array_interface__ has no stream, so that CuPy does not wait for PyTorch's kernel. Without the bug: DLPack."""
# EXPECT race
import sys

import cupy
import torch

stream = cupy.cuda.Stream(non_blocking=True)
data = torch.zeros(1 << 20, device="cuda")
torch.cuda.synchronize()
data.add_(3)
with stream:
    array = cupy.asarray(data) if sys.argv[1:] == ["defect"] else cupy.from_dlpack(data)
    twice = array * 2
cupy.cuda.runtime.deviceSynchronize()
