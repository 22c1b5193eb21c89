// Adds 1 to words from an address on, behind the first few. A local variable holds the address, which
// the program tells as a number.
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint words[]; };
layout(push_constant) uniform Told {
  uint first, count;
  uvec2 at;
} told;

void main() {
  Words at = Words(told.at);
  const uint i = gl_GlobalInvocationID.x;
  if (i < told.count) at.words[told.first + i] = at.words[told.first + i] + 1;
}
