"""All-reduce and broadcast over NCCL: two processes with a GPU each."""
import os
import sys
import tempfile

import torch
import torch.distributed
import torch.multiprocessing


def work(rank, ranks, path):
    torch.cuda.set_device(rank)
    torch.distributed.init_process_group("nccl", init_method=f"file://{path}", rank=rank, world_size=ranks)
    values = torch.arange(1 << 16, device="cuda", dtype=torch.int64) * (rank + 1)
    torch.distributed.all_reduce(values)
    shared = torch.full((1000,), rank + 5, device="cuda")
    torch.distributed.broadcast(shared, src=1)
    torch.cuda.synchronize()
    right = torch.equal(values.cpu(), torch.arange(1 << 16) * sum(range(1, ranks + 1))) and bool((shared == 6).all())
    if rank == 0:
        print("reduced and broadcast" if right else "WRONG", flush=True)
    torch.distributed.destroy_process_group()
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    if torch.cuda.device_count() < 2:
        sys.exit(77)
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    with tempfile.TemporaryDirectory() as folder:
        torch.multiprocessing.spawn(work, args=(2, os.path.join(folder, "store")), nprocs=2)
