// Writes 1, 2, 3 and so on to memory whose address it is told.
#version 450
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430) buffer Words { uint words[]; };
layout(push_constant) uniform Told { Words at; } told;

void main() {
  told.at.words[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x + 1;
}
