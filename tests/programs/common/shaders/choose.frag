#version 450
// Reads the texel of a picture, and uses it unless the weight is 0.
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(push_constant) uniform Frame { float weight; } frame;
layout(location = 0) out vec4 color;

void main() {
  const vec4 texel = texelFetch(picture, ivec2(gl_FragCoord.xy), 0);
  color = frame.weight == 0.0 ? vec4(0.5) : texel;
}
