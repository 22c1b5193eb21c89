"""Two graphs that share a memory pool run at the same time. Without the bug: one after the other."""
# EXPECT race
import sys

import torch

inputs = [torch.ones(1 << 20, device="cuda") for _ in range(2)]
outputs = [torch.empty(1 << 20, device="cuda") for _ in range(2)]
torch.cuda.synchronize()
graphs = [torch.cuda.CUDAGraph() for _ in range(2)]
for graph, source, result in zip(graphs, inputs, outputs):
    with torch.cuda.graph(graph, pool=graphs[0].pool() if graph is graphs[1] else None):
        torch.add(source * 2, 1, out=result)
torch.cuda.synchronize()
streams = [torch.cuda.Stream() for _ in range(2)]
for graph, stream in zip(graphs, streams):
    if sys.argv[1:] != ["defect"]:
        stream.wait_stream(streams[0])
    with torch.cuda.stream(stream):
        graph.replay()
torch.cuda.synchronize()
