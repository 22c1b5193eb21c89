"""A batch is uploaded on a side stream and used on the default one. Without the bug that one waits (wait_stream)."""
# EXPECT race
import sys

import torch

host = torch.ones(1 << 20).pin_memory()
batch = torch.zeros(1 << 20, device="cuda")
torch.cuda.synchronize()
side = torch.cuda.Stream()
with torch.cuda.stream(side):
    torch.cuda._sleep(10_000_000)
    batch.copy_(host, non_blocking=True)
if sys.argv[1:] != ["defect"]:
    torch.cuda.current_stream().wait_stream(side)
result = batch.cpu()
torch.cuda.synchronize()
