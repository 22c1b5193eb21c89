"""The result of an asynchronous collective of one rank is read before the stream waits for it. Without the bug: wait first."""
# EXPECT race
import os
import sys
import tempfile

import torch
import torch.distributed

os.environ.setdefault("NCCL_SOCKET_IFNAME", "lo")
torch.cuda.set_device(0)
with tempfile.TemporaryDirectory() as folder:
    torch.distributed.init_process_group("nccl", init_method=f"file://{folder}/store", rank=0, world_size=1)
    values = torch.ones(1 << 20, device="cuda")
    result = torch.zeros(1 << 20, device="cuda")
    torch.distributed.all_gather_into_tensor(result, values)
    twice = result * 2
    torch.cuda.synchronize()
    work = torch.distributed.all_gather_into_tensor(result, values, async_op=True)
    if sys.argv[1:] != ["defect"]:
        work.wait()
    twice = result * 2
    work.wait()
    torch.cuda.synchronize()
    torch.distributed.destroy_process_group()
