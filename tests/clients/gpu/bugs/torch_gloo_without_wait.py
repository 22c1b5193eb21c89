"""The result of an all-reduce of Gloo is downloaded before the program waits for it. Without the bug it waits first."""
# EXPECT race
import sys
import tempfile

import torch
import torch.distributed

with tempfile.TemporaryDirectory() as folder:
    torch.distributed.init_process_group("gloo", init_method=f"file://{folder}/store", rank=0, world_size=1)
    result = torch.empty(1 << 20).pin_memory()
    values = torch.ones(1 << 20, device="cuda")
    torch.cuda.synchronize()
    torch.cuda._sleep(10_000_000)
    work = torch.distributed.all_reduce(values, async_op=True)
    if sys.argv[1:] != ["defect"]:
        work.wait()
    result.copy_(values, non_blocking=True)
    work.wait()
    torch.cuda.synchronize()
    torch.distributed.destroy_process_group()
