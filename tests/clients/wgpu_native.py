# wgpu (Rust's WebGPU implementation) through its Python package: uploads, compute passes, render passes that clear and load,
# dynamic offsets, mip levels by indirect dispatches, query sets, mapped readbacks, buffers and textures that end early.
# pypi: wgpu
# packages: mesa-vulkan-drivers
# api: vulkan
# suite: long
# ignore: XDG_RUNTIME_DIR
# expect: warning leak vkCreateInstance
import array

import wgpu
from wgpu.utils.compute import compute_with_buffers

TRIPLE = """
@group(0) @binding(0) var<storage, read> given: array<i32>;
@group(0) @binding(1) var<storage, read_write> tripled: array<i32>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) { tripled[id.x] = given[id.x] * 3; }
"""
DRAW = """
struct Vertex { @builtin(position) place: vec4<f32>, @location(0) uv: vec2<f32> };
@vertex fn vertex(@location(0) corner: vec2<f32>) -> Vertex {
  return Vertex(vec4<f32>(corner, 0.5, 1.0), corner * 0.5 + 0.5);
}
@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var linear: sampler;
@group(0) @binding(2) var<uniform> tint: vec4<f32>;
@fragment fn fragment(v: Vertex) -> @location(0) vec4<f32> { return textureSample(image, linear, v.uv) * tint; }
"""
HALVE = """
@group(0) @binding(0) var from_level: texture_2d<f32>;
@group(0) @binding(1) var to_level: texture_storage_2d<rgba8unorm, write>;
@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let size = textureDimensions(to_level);
  if (id.x >= size.x || id.y >= size.y) { return; }
  textureStore(to_level, vec2<i32>(id.xy), textureLoad(from_level, vec2<i32>(id.xy * 2u), 0));
}
"""
SIZE = 64

print(sum(compute_with_buffers({0: array.array("i", range(100))}, {1: (100, "i")}, TRIPLE, n=100)[1]))
device = wgpu.gpu.request_adapter_sync().request_device_sync()
target = device.create_texture(size=(SIZE, SIZE, 1), format="rgba8unorm",
                               usage=wgpu.TextureUsage.RENDER_ATTACHMENT | wgpu.TextureUsage.COPY_SRC)
depth = device.create_texture(size=(SIZE, SIZE, 1), format="depth24plus", usage=wgpu.TextureUsage.RENDER_ATTACHMENT)
picture = device.create_texture(size=(8, 8, 1), format="rgba8unorm",
                                usage=wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST)
device.queue.write_texture({"texture": picture}, bytes(range(256)), {"bytes_per_row": 32, "rows_per_image": 8}, (8, 8, 1))
sampler = device.create_sampler(mag_filter="linear")
layout = device.create_bind_group_layout(entries=[
    {"binding": 0, "visibility": wgpu.ShaderStage.FRAGMENT, "texture": {}},
    {"binding": 1, "visibility": wgpu.ShaderStage.FRAGMENT, "sampler": {}},
    {"binding": 2, "visibility": wgpu.ShaderStage.FRAGMENT, "buffer": {"type": "uniform", "has_dynamic_offset": True}}])
module = device.create_shader_module(code=DRAW)
draws = device.create_render_pipeline(
    layout=device.create_pipeline_layout(bind_group_layouts=[layout]),
    vertex={"module": module, "entry_point": "vertex", "buffers": [
        {"array_stride": 8, "attributes": [{"format": "float32x2", "offset": 0, "shader_location": 0}]}]},
    primitive={"topology": "triangle-list"},
    depth_stencil={"format": "depth24plus", "depth_write_enabled": True, "depth_compare": "less-equal"},
    fragment={"module": module, "entry_point": "fragment", "targets": [{"format": "rgba8unorm", "blend": {
        "color": {"src_factor": "src-alpha", "dst_factor": "one-minus-src-alpha"}, "alpha": {}}}]})
corners = device.create_buffer_with_data(data=array.array("f", [-1, -1, 3, -1, -1, 3]), usage=wgpu.BufferUsage.VERTEX)
indices = device.create_buffer_with_data(data=array.array("I", [0, 1, 2]), usage=wgpu.BufferUsage.INDEX)
tints = device.create_buffer(size=512, usage=wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST)
group = device.create_bind_group(layout=layout, entries=[
    {"binding": 0, "resource": picture.create_view()}, {"binding": 1, "resource": sampler},
    {"binding": 2, "resource": {"buffer": tints, "offset": 0, "size": 16}}])
readback = device.create_buffer(size=SIZE * 256, usage=wgpu.BufferUsage.COPY_DST | wgpu.BufferUsage.MAP_READ)
hits = device.create_query_set(type="occlusion", count=1)
results = device.create_buffer(size=256, usage=wgpu.BufferUsage.QUERY_RESOLVE | wgpu.BufferUsage.COPY_SRC)
for frame in range(6):
    device.queue.write_buffer(tints, 0, array.array("f", [1, 1, 1, 1]))
    device.queue.write_buffer(tints, 256, array.array("f", [frame / 6, 1, 0.5, 1]))
    short_lived = device.create_buffer_with_data(data=array.array("f", [-1, 1, 1, 1, 0, -1]), usage=wgpu.BufferUsage.VERTEX)
    encoder = device.create_command_encoder()
    draw = encoder.begin_render_pass(
        color_attachments=[{"view": target.create_view(), "resolve_target": None, "clear_value": (0, 0, 0, 1),
                            "load_op": "load" if frame % 2 else "clear", "store_op": "store"}],
        depth_stencil_attachment={"view": depth.create_view(), "depth_clear_value": 1.0, "depth_load_op": "clear",
                                  "depth_store_op": "store"},
        occlusion_query_set=hits)
    draw.set_pipeline(draws)
    draw.set_vertex_buffer(0, corners)
    draw.set_index_buffer(indices, "uint32")
    draw.set_bind_group(0, group, [0])
    draw.begin_occlusion_query(0)
    draw.draw_indexed(3)
    draw.end_occlusion_query()
    draw.set_vertex_buffer(0, short_lived)
    draw.set_bind_group(0, group, [256])
    draw.draw(3)
    draw.end()
    encoder.resolve_query_set(hits, 0, 1, results, 0)
    encoder.copy_texture_to_buffer({"texture": target}, {"buffer": readback, "bytes_per_row": 256, "rows_per_image": SIZE},
                                   (SIZE, SIZE, 1))
    device.queue.submit([encoder.finish()])
    short_lived.destroy()
    readback.map_sync("READ")
    print(frame, bytes(readback.read_mapped(0, 16)).hex(), array.array("Q", device.queue.read_buffer(results, 0, 8))[0])
    readback.unmap()

levels = device.create_texture(size=(32, 32, 1), format="rgba8unorm", mip_level_count=4,
                               usage=wgpu.TextureUsage.STORAGE_BINDING | wgpu.TextureUsage.TEXTURE_BINDING
                               | wgpu.TextureUsage.COPY_DST | wgpu.TextureUsage.COPY_SRC)
device.queue.write_texture({"texture": levels}, bytes(i % 251 for i in range(32 * 32 * 4)),
                           {"bytes_per_row": 128, "rows_per_image": 32}, (32, 32, 1))
halves = device.create_compute_pipeline(layout="auto",
                                        compute={"module": device.create_shader_module(code=HALVE), "entry_point": "main"})
groups = device.create_buffer_with_data(data=array.array("I", [2, 2, 1]), usage=wgpu.BufferUsage.INDIRECT)
encoder = device.create_command_encoder()
halving = encoder.begin_compute_pass()
halving.set_pipeline(halves)
for level in range(3):
    views = [levels.create_view(base_mip_level=level + i, mip_level_count=1) for i in (0, 1)]
    halving.set_bind_group(0, device.create_bind_group(layout=halves.get_bind_group_layout(0), entries=[
        {"binding": i, "resource": view} for i, view in enumerate(views)]))
    halving.dispatch_workgroups_indirect(groups, 0)
halving.end()
device.queue.submit([encoder.finish()])
for level in (1, 2):
    size = 32 >> level
    texels = device.queue.read_texture({"texture": levels, "mip_level": level},
                                       {"bytes_per_row": 4 * size, "rows_per_image": size}, (size, size, 1))
    print(level, sum(bytes(texels)))
