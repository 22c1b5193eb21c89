"""A Triton kernel writes a tensor on a side stream while the default one downloads it. Without the bug that one waits."""
# EXPECT race
# OPTION --torch-blocks
import sys

import torch
import triton
import triton.language


@triton.jit
def double(data, count, block: triton.language.constexpr):
    at = triton.language.program_id(0) * block + triton.language.arange(0, block)
    values = triton.language.load(data + at, mask=at < count)
    triton.language.store(data + at, values * 2, mask=at < count)


result = torch.empty(1 << 20).pin_memory()
data = torch.ones(1 << 20, device="cuda")
grid = (data.numel() // 1024,)
double[grid](data, data.numel(), 1024)  # compiles it
torch.cuda.synchronize()
side = torch.cuda.Stream()
with torch.cuda.stream(side):
    torch.cuda._sleep(10_000_000)
    double[grid](data, data.numel(), 1024)
if sys.argv[1:] != ["defect"]:
    torch.cuda.current_stream().wait_stream(side)
result.copy_(data, non_blocking=True)
torch.cuda.synchronize()
