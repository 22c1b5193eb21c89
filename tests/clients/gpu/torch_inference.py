"""Inference of a small convolutional net after model.to('cuda'), and the same as a CUDA graph."""
import hashlib

import torch

torch.manual_seed(2)
torch.backends.cudnn.deterministic = True
torch.backends.cudnn.benchmark = False
model = torch.nn.Sequential(torch.nn.Conv2d(3, 16, 3, padding=1), torch.nn.ReLU(), torch.nn.AdaptiveAvgPool2d(4),
                            torch.nn.Flatten(), torch.nn.Linear(256, 10)).eval()
image = torch.randn(8, 3, 64, 64)
model.to("cuda")
with torch.no_grad():
    eager = model(image.to("cuda")).cpu()
    still = image.to("cuda")
    warm = torch.cuda.Stream()
    warm.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(warm):
        for _ in range(3):
            model(still)
    torch.cuda.current_stream().wait_stream(warm)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        output = model(still)
    for _ in range(10):
        graph.replay()
    torch.cuda.synchronize()
    replayed = output.cpu()
print(hashlib.sha256(eager.numpy().tobytes()).hexdigest())
print(hashlib.sha256(replayed.numpy().tobytes()).hexdigest(), torch.equal(eager, replayed))
