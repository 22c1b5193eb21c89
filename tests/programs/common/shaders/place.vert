#version 450
// A triangle over all of the target, placed by a matrix in a uniform buffer.
layout(set = 0, binding = 0) uniform Place { mat4 place; } given;

void main() {
  gl_Position = given.place *
                vec4(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
