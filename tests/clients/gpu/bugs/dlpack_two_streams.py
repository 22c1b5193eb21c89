"""CuPy takes a tensor of PyTorch by a DLPack capsule and uses it on its own stream. Without the bug it waits for an event."""
# EXPECT race
import sys

import cupy
import torch

host = torch.ones(1 << 20).pin_memory()
data = torch.zeros(1 << 20, device="cuda")
torch.cuda.synchronize()
producer, consumer = torch.cuda.Stream(), cupy.cuda.Stream(non_blocking=True)
with torch.cuda.stream(producer):
    torch.cuda._sleep(10_000_000)
    data.copy_(host, non_blocking=True)
    written = producer.record_event()
array = cupy.from_dlpack(torch.utils.dlpack.to_dlpack(data))
if sys.argv[1:] != ["defect"]:
    torch.cuda.ExternalStream(consumer.ptr).wait_event(written)
with consumer:
    copy = array.get(stream=consumer)
consumer.synchronize()
torch.cuda.synchronize()
