// Copies the words of one element of an array of buffers to another one.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Words { uint words[]; } buffers[4];

void main() {
  const uint i = gl_GlobalInvocationID.x;
  buffers[2].words[i] = buffers[1].words[i];
}
