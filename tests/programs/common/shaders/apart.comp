#version 450
// Reads an image and its sampler, which are one descriptor, and two uniform buffers.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform texture2D picture;
layout(set = 0, binding = 0) uniform sampler how;
layout(set = 0, binding = 1) uniform First { uvec4 values; } first;
layout(set = 0, binding = 3) uniform Second { uvec4 values; } second[2];
layout(set = 1, binding = 0) buffer Output { uint word; } made;
layout(push_constant) uniform Pushed { layout(offset = 8) uint value; } pushed;

void main() {
  const vec4 texel = textureLod(sampler2D(picture, how), vec2(0.5), 0.0);
  made.word = uint(texel.x) + first.values.x + second[1].values.y + pushed.value;
}
