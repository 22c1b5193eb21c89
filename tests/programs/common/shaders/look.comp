#version 450
// Looks at a picture through a sampler, and at texels of a buffer.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(set = 0, binding = 1) uniform usamplerBuffer texels;
layout(set = 0, binding = 2) writeonly buffer Output { uint values[]; } made;

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i < made.values.length())
    made.values[i] = texelFetch(texels, int(i)).x + uint(texture(picture, vec2(0.5)).x);
}
