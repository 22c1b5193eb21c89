"""A replay overwrites the output that a side stream still reads. Without the bug: wait_stream before the replay."""
# EXPECT race
import sys

import torch

still = torch.ones(1 << 20, device="cuda")
graph = torch.cuda.CUDAGraph()
torch.cuda.synchronize()
with torch.cuda.graph(graph):
    out = still * 2
torch.cuda.synchronize()
side = torch.cuda.Stream()
graph.replay()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    kept = out.clone()
if sys.argv[1:] != ["defect"]:
    torch.cuda.current_stream().wait_stream(side)
graph.replay()
torch.cuda.synchronize()
