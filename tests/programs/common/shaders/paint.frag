// The color is in memory whose address is told behind those of pull.vert.
#version 450
#extension GL_EXT_buffer_reference : require
layout(buffer_reference, std430) readonly buffer Paint { vec4 color; };
layout(push_constant) uniform Told { layout(offset = 16) Paint paint; } told;
layout(location = 0) out vec4 color;

void main() { color = told.paint.color; }
