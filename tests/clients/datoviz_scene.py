# Datoviz, a renderer of scientific data on Vulkan: points, markers, segments and spheres in two panels of an offscreen figure.
# pypi: datoviz
# packages: mesa-vulkan-drivers
# api: vulkan
# suite: long
# ignore: XDG_RUNTIME_DIR|screenshot saved
import hashlib
import pathlib

import datoviz as dvz
import numpy as np


def numbers(seed, *shape):
    return np.random.RandomState(seed).rand(*shape).astype(np.float32)


def places(seed, count):
    return numbers(seed, count, 3) * 2 - 1


def colors(seed, count):
    return (numbers(seed, count, 4) * 128 + 127).astype(np.uint8)


app = dvz.App(offscreen=True)
figure = app.figure(400, 300)
left = figure.panel((0, 0), (200, 300))
right = figure.panel((200, 0), (200, 300))
left.add(app.point(position=places(0, 2000), color=colors(1, 2000), size=np.full(2000, 6, np.float32)))
left.add(app.segment(initial=places(2, 100), terminal=places(3, 100), color=colors(4, 100), linewidth=np.full(100, 3, np.float32)))
right.add(app.sphere(position=places(5, 200), color=colors(6, 200), size=np.full(200, 0.1, np.float32)))
right.add(app.marker(position=places(7, 50), color=colors(8, 50), size=np.full(50, 20, np.float32), angle=np.zeros(50, np.float32),
                     edgecolor=(0, 0, 0, 255), linewidth=1.0))
app.screenshot(figure, "scene.png")
app.destroy()
print("scene", hashlib.sha256(pathlib.Path("scene.png").read_bytes()).hexdigest())
