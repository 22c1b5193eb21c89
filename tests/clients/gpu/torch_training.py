"""A training loop with pinned non_blocking uploads on a stream of their own. Prints the weights' checksum."""
import hashlib

import torch

torch.manual_seed(1)
torch.use_deterministic_algorithms(True)
model = torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.ReLU(), torch.nn.Linear(512, 10)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
upload = torch.cuda.Stream()
inputs = [torch.randn(64, 256).pin_memory() for _ in range(40)]
targets = [torch.randint(0, 10, (64,)).pin_memory() for _ in range(40)]
for x, y in zip(inputs, targets):
    with torch.cuda.stream(upload):
        x_device = x.to("cuda", non_blocking=True)
        y_device = y.to("cuda", non_blocking=True)
    torch.cuda.current_stream().wait_stream(upload)
    x_device.record_stream(torch.cuda.current_stream())
    y_device.record_stream(torch.cuda.current_stream())
    optimizer.zero_grad(set_to_none=True)
    loss = torch.nn.functional.cross_entropy(model(x_device), y_device)
    loss.backward()
    optimizer.step()
torch.cuda.synchronize()
digest = hashlib.sha256()
for parameter in model.parameters():
    digest.update(parameter.detach().cpu().numpy().tobytes())
print(digest.hexdigest())
