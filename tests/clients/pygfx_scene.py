# pygfx, an engine for scenes on wgpu: shadows, materials, text, points, lines, volumes, transparency, instances, updates of
# parts of buffers and textures, and a target that changes its size. Frames are read back.
# pypi: pygfx
# packages: mesa-vulkan-drivers
# api: vulkan
# suite: long
# ignore: XDG_RUNTIME_DIR
# allow: error leak vkAllocateMemory
# allow: error leak vkCreateBuffer
# allow: error leak vkCreateImage
# allow: warning leak vkCreateCommandPool
# allow: warning leak vkCreateComputePipelines
# allow: warning leak vkCreateDescriptorPool
# allow: warning leak vkCreateDescriptorSetLayout
# allow: warning leak vkCreateDevice
# allow: warning leak vkCreateGraphicsPipelines
# allow: warning leak vkCreateImageView
# allow: warning leak vkCreateInstance
# allow: warning leak vkCreatePipelineLayout
# allow: warning leak vkCreateRenderPass
# allow: warning leak vkCreateSampler
# allow: warning leak vkCreateSemaphore
import numpy as np
import pygfx as gfx
from rendercanvas.offscreen import RenderCanvas


def numbers(seed, *shape):
    return np.random.RandomState(seed).rand(*shape).astype(np.float32)


canvas = RenderCanvas(size=(320, 240), pixel_ratio=1)
renderer = gfx.renderers.WgpuRenderer(canvas)
scene = gfx.Scene()
texture = gfx.Texture((numbers(0, 64, 64, 4) * 255).astype(np.uint8), dim=2, generate_mipmaps=True)
cube = gfx.Mesh(gfx.box_geometry(100, 100, 100), gfx.MeshPhongMaterial(map=texture))
cube.cast_shadow = True
floor = gfx.Mesh(gfx.plane_geometry(600, 600), gfx.MeshStandardMaterial(color="#4a4"))
floor.local.z = -100
floor.receive_shadow = True
points = gfx.Points(gfx.Geometry(positions=numbers(1, 500, 3) * 200 - 100, colors=numbers(2, 500, 4)),
                    gfx.PointsMaterial(size=5, color_mode="vertex"))
line = gfx.Line(gfx.Geometry(positions=np.cumsum(numbers(3, 100, 3) * 20 - 10, axis=0)), gfx.LineMaterial(thickness=4))
text = gfx.Text("gpu", font_size=40, material=gfx.TextMaterial(color="#fff"))
volume = gfx.Volume(gfx.Geometry(grid=gfx.Texture(numbers(4, 16, 16, 16), dim=3)), gfx.VolumeMipMaterial(clim=(0, 1)))
glass = gfx.Mesh(gfx.sphere_geometry(60), gfx.MeshPhongMaterial(color="#08f", opacity=0.5))
balls = gfx.InstancedMesh(gfx.sphere_geometry(10), gfx.MeshPhongMaterial(color="#ff0"), 8)
for i in range(8):
    balls.set_matrix_at(i, np.array([[1, 0, 0, i * 25 - 100], [0, 1, 0, 80], [0, 0, 1, 0], [0, 0, 0, 1]], dtype=np.float32))
light = gfx.DirectionalLight("#fff", 2)
light.local.position = (300, 300, 400)
light.cast_shadow = True
scene.add(gfx.Background.from_color("#888", "#222"), cube, floor, points, line, text, volume, glass, balls, light,
          gfx.AmbientLight())
camera = gfx.PerspectiveCamera(70, 4 / 3)
camera.local.z = 400
camera.look_at((0, 0, 0))
for frame in range(8):
    cube.local.rotation = (0, np.sin(frame / 10), 0, np.cos(frame / 10))
    points.geometry.positions.data[: 10 + frame] += 1
    points.geometry.positions.update_range(0, 10 + frame)
    if frame == 3:
        texture.data[:16] = 255
        texture.update_range((0, 0, 0), (64, 16, 1))
    if frame == 5:
        canvas.set_logical_size(200, 160)
    canvas.request_draw(lambda: renderer.render(scene, camera))
    picture = np.asarray(canvas.draw())
    print(frame, picture.shape, int(picture.astype(np.int64).sum()) // 1000)
