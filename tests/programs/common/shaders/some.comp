#version 450
// Writes the words of a buffer for which another one holds no zero.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Input { uint values[]; } given;
layout(set = 0, binding = 1) writeonly buffer Output { uint values[]; } made;

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (given.values[i] != 0) made.values[i] = 1;
}
