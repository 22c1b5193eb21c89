"""PyTorch: graphs of an optimizer, of callables and of a decoder with a static cache; threads that share a graph."""
import threading

import torch

torch.manual_seed(0)


def warm_up(function):
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(2):
            function()
    torch.cuda.current_stream().wait_stream(stream)


def optimizer():
    net = torch.nn.Sequential(torch.nn.Linear(128, 128), torch.nn.Dropout(0.1)).cuda()
    adam = torch.optim.Adam(net.parameters(), capturable=True)
    batch = torch.randn(64, 128, device="cuda")

    def step():
        adam.zero_grad(set_to_none=True)
        loss = net(batch).square().mean()
        loss.backward()
        adam.step()
        return loss

    warm_up(step)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        loss = step()
    losses = []
    for _ in range(5):
        batch.copy_(torch.randn(64, 128, device="cuda"))
        graph.replay()
        losses.append(loss.item())
    print("optimizer", all(value > 0 for value in losses))


def callables():
    batch = torch.randn(64, 128, device="cuda")
    net = torch.cuda.make_graphed_callables(torch.nn.Linear(128, 32).cuda(), (batch,))
    for _ in range(3):
        net(torch.rand_like(batch)).sum().backward()
    print("callables", net.weight.grad.shape)


def decoder():
    heads, size, length = 4, 64, 128
    keys, values = (torch.zeros(1, heads, length, size, device="cuda") for _ in range(2))
    weights = torch.randn(3, heads * size, heads * size, device="cuda") * 0.02
    token = torch.randn(1, heads * size, device="cuda")
    position = torch.zeros(1, dtype=torch.long, device="cuda")
    places = torch.arange(length, device="cuda")

    def step():
        query, key, value = [(token @ weights[i]).view(1, heads, 1, size) for i in range(3)]
        keys.index_copy_(2, position, key)
        values.index_copy_(2, position, value)
        attention = (query @ keys.transpose(-1, -2) / size**0.5).masked_fill(places > position, float("-inf")).softmax(-1)
        return (attention @ values).reshape(1, heads * size)

    warm_up(step)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        out = step()
    for i in range(20):
        position.fill_(i)
        graph.replay()
        token.copy_(out)
    print("decoder", bool(token.isfinite().all()))


def threads():
    still = torch.zeros(1 << 16, device="cuda")
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        out = still * 2
    torch.cuda.synchronize()
    lock, last, results = threading.Lock(), torch.cuda.Event(), []
    last.record()

    def serve(value):
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            with lock:
                stream.wait_event(last)
                still.fill_(value)
                graph.replay()
                mine = out.clone()
                last.record()
            stream.synchronize()
        results.append(mine[0].item())

    workers = [threading.Thread(target=serve, args=(value,)) for value in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print("threads", sorted(results))


optimizer()
callables()
decoder()
threads()
