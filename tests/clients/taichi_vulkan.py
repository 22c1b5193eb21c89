# Taichi's Vulkan backend: fields, arrays, sparse fields, atomics, reductions, and kernels that it compiles to SPIR-V.
# pypi: taichi numpy
# packages: mesa-vulkan-drivers
# api: vulkan
# suite: long
# ignore: ^\[Taichi\]
import numpy as np
import taichi as ti

ti.init(arch=ti.vulkan, offline_cache=False, random_seed=1)
N = 128
x, y, total = ti.field(ti.f32, N * N), ti.field(ti.f32, N * N), ti.field(ti.i32, ())
position, velocity = ti.Vector.field(2, ti.f32, N), ti.Vector.field(2, ti.f32, N)
grid = ti.field(ti.i32, (16, 16))


@ti.kernel
def fill():
    for i in x:
        x[i] = i * 0.5
        y[i] = 1.0


@ti.kernel
def saxpy(a: ti.f32):
    for i in x:
        y[i] = a * x[i] + y[i]


@ti.kernel
def count(limit: ti.f32):
    total[None] = 0
    for i in y:
        if y[i] > limit:
            total[None] += 1


@ti.kernel
def start():
    for i in position:
        position[i] = ti.Vector([(i % 16) / 16 + 0.01, (i // 16) / 8])
        velocity[i] = ti.Vector([0.1, -0.05 * i / N])


@ti.kernel
def step(dt: ti.f32):
    for i, j in grid:
        grid[i, j] = 0
    for i in position:
        position[i] += dt * velocity[i]
        for k in ti.static(range(2)):
            if position[i][k] < 0 or position[i][k] > 1:
                velocity[i][k] = -velocity[i][k]
        cell = ti.cast(ti.math.clamp(position[i] * 16, 0, 15), ti.i32)
        grid[cell] += 1


@ti.kernel
def paint(image: ti.types.ndarray(), t: ti.f32):
    for i, j in image:
        image[i, j] = ti.sin(i * 0.1 + t) * ti.cos(j * 0.1)


@ti.kernel
def stencil(image: ti.types.ndarray(), out: ti.types.ndarray()):
    for i, j in ti.ndrange((1, N - 1), (1, N - 1)):
        out[i, j] = (image[i - 1, j] + image[i + 1, j] + image[i, j - 1] + image[i, j + 1]) / 4


fill()
for _ in range(5):
    saxpy(0.5)
count(1000.0)
print(total[None], y.to_numpy()[:4])
start()
for _ in range(20):
    step(0.05)
print(grid.to_numpy().sum(), np.round(position.to_numpy()[:3], 3).tolist())
first, second = ti.ndarray(ti.f32, (N, N)), ti.ndarray(ti.f32, (N, N))
second.fill(0)
for frame in range(4):
    paint(first, frame * 0.1)
    stencil(first, second)
    first, second = second, first
print(np.round(first.to_numpy().sum(), 2))
host = np.ones((N, N), dtype=np.float32)
paint(host, 1.0)
print(np.round(host.sum(), 2))
ti.reset()
