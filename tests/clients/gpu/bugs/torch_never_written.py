"""A tensor is downloaded that nothing has written: its block has the content of the tensor before. Without the bug: zeros."""
# EXPECT uninitialized-read
# OPTION --torch-blocks
import sys

import torch

source = torch.ones(4096).pin_memory()
first = torch.empty(4096, device="cuda")
first.copy_(source)
del first
second = torch.empty(4096, device="cuda")
if sys.argv[1:] != ["defect"]:
    second.copy_(source)
print(second.cpu().shape)
