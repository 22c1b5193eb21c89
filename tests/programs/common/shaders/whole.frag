#version 450
// Reads integers where through.vert has floating-point numbers.
layout(location = 6) flat in ivec4 last;
layout(location = 0) out vec4 color;

void main() { color = vec4(last); }
