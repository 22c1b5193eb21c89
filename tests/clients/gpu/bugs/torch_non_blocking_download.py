"""A download with non_blocking=True is read by the CPU before it is complete. Without the bug: synchronize."""
# EXPECT host-race
# OPTION --protect-maps
import sys

import torch

data = torch.ones(1 << 20, device="cuda")
result = torch.empty(1 << 20).pin_memory()
torch.cuda.synchronize()
torch.cuda._sleep(10_000_000)
result.copy_(data, non_blocking=True)
if sys.argv[1:] != ["defect"]:
    torch.cuda.synchronize()
print(result.numpy().shape, float(result.numpy()[0]) >= 0.0)
torch.cuda.synchronize()
