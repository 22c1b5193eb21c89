"""The pinned source of a pending upload is overwritten by the CPU. Without the bug: synchronize."""
# EXPECT host-race
# OPTION --protect-maps
import sys

import torch

source = torch.ones(1 << 20).pin_memory()
data = torch.empty(1 << 20, device="cuda")
torch.cuda.synchronize()
torch.cuda._sleep(10_000_000)
data.copy_(source, non_blocking=True)
if sys.argv[1:] != ["defect"]:
    torch.cuda.synchronize()
source.fill_(2.0)
torch.cuda.synchronize()
