"""PyTorch's profiler still sees kernels (it needs CUPTI for itself)."""
import torch
from torch.profiler import ProfilerActivity, profile

a = torch.randn(512, 512, device="cuda")
with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiler:
    for _ in range(5):
        a = a @ a / 512
    torch.cuda.synchronize()
kernels = [event for event in profiler.events() if event.device_type == torch.autograd.DeviceType.CUDA]
print("kernels seen:", len(kernels) > 0)
