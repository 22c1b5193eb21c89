#version 450
// Writes the texel of each invocation, moved to the right.
layout(local_size_x = 4, local_size_y = 4) in;
layout(constant_id = 0) const int kColumn = 1;
layout(set = 0, binding = 0, r32ui) uniform writeonly uimage2D picture;
void main() {
  const ivec2 texel = ivec2(gl_GlobalInvocationID.xy) + ivec2(kColumn, 0);
  imageStore(picture, texel, uvec4(7));
}
