#version 450
// Writes texels of a picture to a buffer.
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(set = 0, binding = 1) writeonly buffer Output { uint values[]; } made;

void main() {
  const uint i = gl_GlobalInvocationID.x;
  made.values[i] = floatBitsToUint(texelFetch(picture, ivec2(i, 0), 0).x);
}
