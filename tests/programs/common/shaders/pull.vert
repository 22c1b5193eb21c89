// Reads the position of each vertex from memory whose address it is told, and an offset of all of them.
#version 450
#extension GL_EXT_buffer_reference : require
layout(buffer_reference, std430) readonly buffer Corners { vec4 corners[]; };
layout(buffer_reference, std430) readonly buffer Moved { vec4 by; };
layout(push_constant) uniform Told {
  Corners at;
  Moved moved;
} told;

void main() {
  gl_Position = told.at.corners[gl_VertexIndex] + told.moved.by;
}
