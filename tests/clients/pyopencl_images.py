# pyopencl with images: 1D, 2D, 3D and arrays, several formats, samplers, copies between images and buffers, maps.
# packages: python3-pyopencl python3-numpy
# suite: quick
import numpy as np
import pyopencl as cl

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
flags = cl.mem_flags
rng = np.random.default_rng(3)


def check(name, got, want):
    print(name, "ok" if np.array_equal(got, want) else "WRONG")


source = """
const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void shift(__read_only image2d_t in, __write_only image2d_t out, int dx) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, read_imagef(in, nearest, at + (int2)(dx, 0)));
}
__kernel void invert(__read_only image2d_t in, __write_only image2d_t out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imageui(out, at, 255 - read_imageui(in, nearest, at));
}
__kernel void sample(__read_only image2d_t in, sampler_t how, __global float4 *out, int width) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  out[at.y * width + at.x] = read_imagef(in, how, (float2)(at.x, at.y) + 0.5f);
}
__kernel void project(__read_only image3d_t in, __global uint *out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  uint sum = 0;
  for (int z = 0; z < get_image_depth(in); ++z)
    sum += read_imageui(in, nearest, (int4)(at.x, at.y, z, 0)).x;
  out[at.y * get_global_size(0) + at.x] = sum;
}
"""
program = cl.Program(context, source).build()

picture = rng.random((48, 60, 4), dtype=np.float32)
image = cl.image_from_array(context, picture, 4)
out = cl.Image(context, flags.WRITE_ONLY, cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.FLOAT), (60, 48))
program.shift(queue, (60, 48), None, image, out, np.int32(1))
got = np.empty_like(picture)
cl.enqueue_copy(queue, got, out, origin=(0, 0), region=(60, 48))
check("shift", got, np.concatenate((picture[:, 1:], picture[:, -1:]), axis=1))

grey = rng.integers(0, 255, (33, 50), dtype=np.uint8)
eight = cl.ImageFormat(cl.channel_order.R, cl.channel_type.UNSIGNED_INT8)
small = cl.Image(context, flags.READ_ONLY, eight, shape=(50, 33))
cl.enqueue_copy(queue, small, grey, origin=(0, 0), region=(50, 33))
inverted = cl.Image(context, flags.READ_WRITE, eight, shape=(50, 33))
program.invert(queue, (50, 33), None, small, inverted)
got = np.empty_like(grey)
cl.enqueue_copy(queue, got, inverted, origin=(0, 0), region=(50, 33))
check("invert", got, 255 - grey)
part = np.empty((10, 20), np.uint8)
cl.enqueue_copy(queue, part, inverted, origin=(5, 7), region=(20, 10))
check("part", part, 255 - grey[7:17, 5:25])
wide = np.zeros((10, 64), np.uint8)
cl.enqueue_copy(queue, wide, inverted, origin=(5, 7), region=(20, 10), pitches=(64,))
check("row pitch", wide[:, :20], 255 - grey[7:17, 5:25])

linear = cl.Sampler(context, False, cl.addressing_mode.CLAMP_TO_EDGE, cl.filter_mode.LINEAR)
sampled = cl.Buffer(context, flags.WRITE_ONLY, picture.nbytes)
program.sample(queue, (60, 48), None, image, linear, sampled, np.int32(60))
got = np.empty_like(picture)
cl.enqueue_copy(queue, got, sampled)
check("sampler", got, picture)

volume = rng.integers(0, 60000, (6, 17, 19), dtype=np.uint16)
sixteen = cl.ImageFormat(cl.channel_order.R, cl.channel_type.UNSIGNED_INT16)
block = cl.Image(context, flags.READ_ONLY | flags.COPY_HOST_PTR, sixteen, shape=(19, 17, 6), hostbuf=volume)
sums = cl.Buffer(context, flags.WRITE_ONLY, 17 * 19 * 4)
program.project(queue, (19, 17), None, block, sums)
got = np.empty((17, 19), np.uint32)
cl.enqueue_copy(queue, got, sums)
check("volume", got, volume.sum(axis=0, dtype=np.uint32))
got = np.empty_like(volume)
cl.enqueue_copy(queue, got, block, origin=(0, 0, 0), region=(19, 17, 6))
check("volume back", got, volume)

copied = cl.Image(context, flags.READ_WRITE, eight, shape=(50, 33))
cl.enqueue_copy(queue, copied, inverted, src_origin=(0, 0), dest_origin=(0, 0), region=(50, 33))
buffer = cl.Buffer(context, flags.READ_WRITE, 50 * 33 + 16)
cl.enqueue_copy(queue, buffer, copied, offset=16, origin=(0, 0), region=(50, 33))
got = np.empty_like(grey)
cl.enqueue_copy(queue, got, buffer, src_offset=16)
check("image to image to buffer", got, 255 - grey)
cl.enqueue_copy(queue, copied, buffer, offset=16, origin=(0, 0), region=(50, 33))
mapped, _ = cl.enqueue_map_image(queue, copied, cl.map_flags.READ, (0, 0), (50, 33), (33, 50), np.uint8,
                                 is_blocking=True)[:2]
check("map", np.array(mapped), 255 - grey)
mapped.base.release(queue)

layers = cl.Image(context, flags.READ_ONLY, cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNORM_INT8),
                  shape=(16, 12, 3), is_array=True)
stack = rng.integers(0, 255, (3, 12, 16, 4), dtype=np.uint8)
cl.enqueue_copy(queue, layers, stack, origin=(0, 0, 0), region=(16, 12, 3))
got = np.empty((12, 16, 4), np.uint8)
cl.enqueue_copy(queue, got, layers, origin=(0, 0, 1), region=(16, 12, 1))
check("layer", got, stack[1])
tinted = cl.Image(context, flags.READ_WRITE, cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNORM_INT8),
                  shape=(40, 8))
cl.enqueue_fill_image(queue, tinted, np.array([1, 0, 0.5, 1], np.float32), (0, 0, 0), (40, 8, 1))
got = np.empty((8, 40, 4), np.uint8)
cl.enqueue_copy(queue, got, tinted, origin=(0, 0), region=(40, 8))
print("fill", got[7, 39].tolist())
queue.finish()
