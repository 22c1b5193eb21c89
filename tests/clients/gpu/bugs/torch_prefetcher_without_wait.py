"""A prefetcher hands out a batch that its stream still uploads. Without the bug: wait_stream in next()."""
# EXPECT race
import sys

import torch


class Prefetcher:
    def __init__(self, batches):
        self.batches = iter(batches)
        self.stream = torch.cuda.Stream()
        self.batch = None
        self.preload()

    def preload(self):
        host = next(self.batches, None)
        with torch.cuda.stream(self.stream):
            self.batch = host.to("cuda", non_blocking=True) if host is not None else None

    def next(self):
        if sys.argv[1:] != ["defect"]:
            torch.cuda.current_stream().wait_stream(self.stream)
        batch = self.batch
        if batch is not None:
            batch.record_stream(torch.cuda.current_stream())
        self.preload()
        return batch


model = torch.nn.Linear(1024, 64).cuda()
torch.cuda.synchronize()
prefetcher = Prefetcher([torch.ones(1024, 1024).pin_memory() for _ in range(4)])
losses = []
while (given := prefetcher.next()) is not None:
    losses.append(model(given).sum())
torch.cuda.synchronize()
