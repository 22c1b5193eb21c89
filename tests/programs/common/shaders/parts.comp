#version 450
// Reads some of its push constants: no padding, not `unread`, and of `values` the one at an index.
layout(local_size_x = 64) in;
layout(push_constant) uniform Parts {
  vec3 first;
  layout(offset = 16) uint unread;
  uint values[4];
  uint index;
} given;
layout(set = 0, binding = 0) buffer Words { uint words[]; } all;

void main() {
  all.words[gl_GlobalInvocationID.x] = given.values[given.index] + uint(given.first.x + given.first.z);
}
