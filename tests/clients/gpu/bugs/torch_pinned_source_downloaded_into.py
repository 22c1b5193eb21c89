"""The pinned source of a pending upload is the target of a download on another stream. Without the bug: wait_stream."""
# EXPECT race
import sys

import torch

source = torch.ones(1 << 20).pin_memory()
data = torch.empty(1 << 20, device="cuda")
other = torch.zeros(1 << 20, device="cuda")
torch.cuda.synchronize()
side = torch.cuda.Stream()
with torch.cuda.stream(side):
    torch.cuda._sleep(10_000_000)
    data.copy_(source, non_blocking=True)
if sys.argv[1:] != ["defect"]:
    torch.cuda.current_stream().wait_stream(side)
source.copy_(other, non_blocking=True)
torch.cuda.synchronize()
