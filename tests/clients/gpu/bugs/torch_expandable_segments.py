"""As torch_record_stream, in segments that grow (expandable_segments), which are mapped piece by piece."""
# EXPECT race
# OPTION --torch-blocks
import os
import sys

os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"
import torch  # pylint: disable=wrong-import-position

result = torch.empty(1024).pin_memory()
source = torch.ones(1024).pin_memory()
others = [torch.ones(1024, device="cuda") for _ in range(64)]
large = [torch.ones(1 << 22, device="cuda") for _ in range(4)]
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
del large
torch.cuda.empty_cache()
torch.cuda.synchronize()
