"""A tensor is downloaded on a side stream and deleted; its block is handed out again. Without the bug: record_stream."""
# EXPECT race
import sys

import torch

result = torch.empty(1 << 20).pin_memory()
source = torch.ones(1 << 20).pin_memory()
data = torch.zeros(1 << 20, device="cuda")
torch.cuda.synchronize()
side = torch.cuda.Stream()
with torch.cuda.stream(side):
    torch.cuda._sleep(10_000_000)
    result.copy_(data, non_blocking=True)
if sys.argv[1:] != ["defect"]:
    data.record_stream(side)
del data
again = torch.empty(1 << 20, device="cuda")
again.copy_(source, non_blocking=True)
torch.cuda.synchronize()
