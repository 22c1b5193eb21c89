#version 450
// What the subpass before left at this texel, red and blue exchanged.
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput given;
layout(location = 0) out vec4 color;

void main() { color = subpassLoad(given).bgra; }
