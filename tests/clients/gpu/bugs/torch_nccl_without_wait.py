"""The result of an all-reduce of NCCL is downloaded before the stream waits for the collective. Needs two GPUs."""
# EXPECT race
import os
import sys
import tempfile

import torch
import torch.distributed
import torch.multiprocessing


def work_of(rank, path, defect):
    torch.cuda.set_device(rank)
    torch.distributed.init_process_group("nccl", init_method=f"file://{path}", rank=rank, world_size=2)
    result = torch.empty(1 << 20).pin_memory()
    values = torch.ones(1 << 20, device="cuda")
    torch.cuda.synchronize()
    work = torch.distributed.all_reduce(values, async_op=True)
    if not defect:
        work.wait()
    result.copy_(values, non_blocking=True)
    work.wait()
    torch.cuda.synchronize()
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    if torch.cuda.device_count() < 2:
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        torch.multiprocessing.spawn(work_of, args=(os.path.join(folder, "store"), sys.argv[1:] == ["defect"]), nprocs=2)
