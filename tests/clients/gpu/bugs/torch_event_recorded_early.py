"""An event is recorded before the work for which another stream waits. Without the bug: recorded after it."""
# EXPECT race
import sys

import torch

data = torch.zeros(1 << 20, device="cuda")
side = torch.cuda.Stream()
event = torch.cuda.Event()
torch.cuda.synchronize()
event.record()
data.add_(5)
if sys.argv[1:] != ["defect"]:
    event.record()
side.wait_event(event)
with torch.cuda.stream(side):
    copy = data.clone()
torch.cuda.synchronize()
