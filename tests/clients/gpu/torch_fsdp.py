"""PyTorch: fully_shard with one rank, with and without parameters in page-locked memory; activations in page-locked memory."""
import os
import tempfile

import torch
import torch.distributed
from torch.distributed.fsdp import CPUOffloadPolicy, fully_shard

os.environ.setdefault("NCCL_SOCKET_IFNAME", "lo")
torch.cuda.set_device(0)
torch.manual_seed(0)
with tempfile.TemporaryDirectory() as folder:
    torch.distributed.init_process_group("cpu:gloo,cuda:nccl", init_method=f"file://{folder}/store", rank=0, world_size=1)
    for offload in (False, True):
        model = torch.nn.Sequential(*[torch.nn.Linear(256, 256) for _ in range(4)])
        if not offload:
            model = model.cuda()
        policy = {"offload_policy": CPUOffloadPolicy()} if offload else {}
        for part in (*model, model):
            fully_shard(part, **policy)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        for _ in range(3):
            with torch.autograd.graph.save_on_cpu(pin_memory=True):
                loss = model(torch.ones(16, 256, device="cuda")).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        print(f"{loss.item():.4f}")
    torch.distributed.destroy_process_group()
