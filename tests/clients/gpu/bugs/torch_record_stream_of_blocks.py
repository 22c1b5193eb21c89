"""As torch_record_stream, with small tensors that share a segment with others, and blocks followed."""
# EXPECT race
# OPTION --torch-blocks
import sys

import torch

result = torch.empty(1024).pin_memory()
source = torch.ones(1024).pin_memory()
others = [torch.ones(1024, device="cuda") for _ in range(64)]
data = torch.zeros(1024, device="cuda")
torch.cuda.synchronize()
side = torch.cuda.Stream()
with torch.cuda.stream(side):
    torch.cuda._sleep(10_000_000)
    result.copy_(data, non_blocking=True)
if sys.argv[1:] != ["defect"]:
    data.record_stream(side)
del data
again = torch.empty(1024, device="cuda")
again.copy_(source, non_blocking=True)
for other in others:
    other.copy_(source, non_blocking=True)
torch.cuda.synchronize()
