#version 450
// The color is a push constant behind those of the vertex shader.
layout(push_constant) uniform Tint { layout(offset = 16) vec4 color; } given;
layout(location = 0) out vec4 color;

void main() { color = given.color; }
