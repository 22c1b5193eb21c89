"""The input of a captured graph is replaced by a new tensor. Without the bug it is copied into."""
# EXPECT use-after-free
# OPTION --torch-blocks
import sys

import torch

still = torch.zeros(1 << 20, device="cuda")
result = torch.empty_like(still)
torch.cuda.synchronize()
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    result.copy_(still)
batch = torch.ones(1 << 20, device="cuda")
if sys.argv[1:] != ["defect"]:
    still.copy_(batch)
else:
    still = batch
graph.replay()
torch.cuda.synchronize()
