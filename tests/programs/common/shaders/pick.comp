// Writes to the one of several buffers whose index it is told.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Words { uint words[]; } buffers[4];
layout(push_constant) uniform Told { uint index; } told;

void main() {
  buffers[told.index].words[gl_GlobalInvocationID.x] = 1;
}
