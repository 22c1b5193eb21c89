"""A small model's training step; prints the median ns of a step."""
import statistics
import time

import torch

torch.manual_seed(1)
layers = []
for _ in range(12):
    layers += [torch.nn.Linear(512, 512), torch.nn.ReLU()]
model = torch.nn.Sequential(*layers, torch.nn.Linear(512, 10)).cuda()
optimizer = torch.optim.Adam(model.parameters())
x = torch.randn(64, 512, device="cuda")
y = torch.randint(0, 10, (64,), device="cuda")
times = []
for _ in range(220):
    begin = time.perf_counter_ns()
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
    torch.cuda.synchronize()
    times.append(time.perf_counter_ns() - begin)
print(statistics.median(times[20:]))
