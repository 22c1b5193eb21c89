#version 450
// As whole.vert. Transform feedback writes the positions.
layout(xfb_buffer = 0, xfb_stride = 16) out;
layout(xfb_buffer = 0, xfb_offset = 0) out gl_PerVertex {
  vec4 gl_Position;
};

void main() {
  gl_Position = vec4(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
