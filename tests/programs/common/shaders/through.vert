#version 450
// A triangle over all of the target, with values in a block, an array, a matrix and two parts of a
// location.
layout(location = 0) out Given { vec2 place; float parts[2]; } given;
layout(location = 3, component = 0) out vec2 first;
layout(location = 3, component = 2) out float second;
layout(location = 4) out mat2 turned;
layout(location = 6) out vec4 last;

void main() {
  const vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0;
  gl_Position = vec4(at, 0.0, 1.0);
  given.place = at;
  given.parts = float[](0.0, 1.0);
  first = at;
  second = 1.0;
  turned = mat2(1.0);
  last = vec4(1.0);
}
