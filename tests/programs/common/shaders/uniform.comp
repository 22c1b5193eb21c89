#version 450
// Reads a uniform buffer and writes a storage buffer.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform Input { uint value; } given;
layout(set = 0, binding = 1) writeonly buffer Output { uint values[]; } made;

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i < made.values.length()) made.values[i] = given.value;
}
