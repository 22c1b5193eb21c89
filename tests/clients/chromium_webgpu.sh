#!/bin/sh
# Chromium in a window: WebGL (ANGLE over Vulkan) and WebGPU (Dawn), both on the SwiftShader that the package brings, since
# Dawn wants more than Debian's lavapipe has. Dawn opens a SwiftShader beside the program without the loader, where no layer
# comes in; so it is run from a folder without one, and finds the same by the loader. 10 s.
# packages: chromium python3 xvfb xauth
# api: vulkan
# suite: long
mkdir -p chromium profile
for file in /usr/lib/chromium/*; do
  case ${file##*/} in
    chromium) ln "$file" chromium/ 2>/dev/null || cp "$file" chromium/ ;;
    libvk_swiftshader.so | vk_swiftshader_icd.json) ;;
    *) ln -s "$file" chromium/ ;;
  esac
done

cat >webgl.js <<'JS'
const gl = document.createElement("canvas").getContext("webgl2");
let sum = 0;
const shader = (kind, text) => {
  const made = gl.createShader(kind);
  gl.shaderSource(made, "#version 300 es\nprecision highp float;\n" + text);
  gl.compileShader(made);
  return made;
};
const program = text => {
  const made = gl.createProgram();
  gl.attachShader(made, shader(gl.VERTEX_SHADER,
    "in vec2 at; out vec2 t; void main() { t = at * 0.5 + 0.5; gl_Position = vec4(at, 0.3, 1.0); }"));
  gl.attachShader(made, shader(gl.FRAGMENT_SHADER, "in vec2 t; out vec4 color;" + text));
  gl.linkProgram(made);
  return made;
};
const draw = program("uniform float k; void main() { color = vec4(floor(t * 4.0) / 4.0, k, 1.0); }");
const show = program("uniform sampler2D s; void main() { color = texelFetch(s, ivec2(t * 32.0), 0).brga; }");
gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
gl.enableVertexAttribArray(0);
gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
const texture = gl.createTexture();
gl.bindTexture(gl.TEXTURE_2D, texture);
gl.texStorage2D(gl.TEXTURE_2D, 6, gl.RGBA8, 32, 32);
const frame = gl.createFramebuffer();
gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
gl.bindRenderbuffer(gl.RENDERBUFFER, gl.createRenderbuffer());
const depth = gl.getParameter(gl.RENDERBUFFER_BINDING);
gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH24_STENCIL8, 32, 32);
gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_STENCIL_ATTACHMENT, gl.RENDERBUFFER, depth);
for (let turn = 0; turn < 3; ++turn) {
  gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
  gl.viewport(0, 0, 32, 32);
  gl.enable(gl.DEPTH_TEST);
  gl.clearColor(0, 0, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.useProgram(draw);
  gl.uniform1f(gl.getUniformLocation(draw, "k"), turn / 4);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  gl.generateMipmap(gl.TEXTURE_2D);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.viewport(0, 0, 64, 64);
  gl.disable(gl.DEPTH_TEST);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.useProgram(show);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  gl.texSubImage2D(gl.TEXTURE_2D, 0, 4, 4, 2, 2, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(16).fill(turn * 40));
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  const pixels = new Uint8Array(64 * 64 * 4);
  gl.readPixels(0, 0, 64, 64, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  for (const value of pixels) sum = (sum * 31 + value) >>> 0;
  await new Promise(requestAnimationFrame);
}
return "webgl " + sum + " " + gl.getError();
JS

cat >webgpu.js <<'JS'
const adapter = await navigator.gpu.requestAdapter();
const device = await adapter.requestDevice();
const code = text => device.createShaderModule({code: text});
const sum = data => {
  let all = 0;
  for (const value of data) all = (all * 31 + value) >>> 0;
  return all;
};
const U = GPUBufferUsage, T = GPUTextureUsage;
// A buffer that four dispatches work on.
const buffer = device.createBuffer({size: 4096, usage: U.STORAGE | U.COPY_SRC | U.COPY_DST});
const numbers = device.createBuffer({size: 4096, usage: U.MAP_READ | U.COPY_DST});
device.queue.writeBuffer(buffer, 0, new Uint32Array(1024).fill(3));
const add = device.createComputePipeline({layout: "auto", compute: {module: code(`
  @group(0) @binding(0) var<storage, read_write> b: array<u32>;
  @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) i: vec3u) { b[i.x] = b[i.x] * 2u + i.x; }`)}});
const bound = device.createBindGroup({layout: add.getBindGroupLayout(0), entries: [{binding: 0, resource: {buffer}}]});
for (let turn = 0; turn < 4; ++turn) {
  const commands = device.createCommandEncoder();
  const pass = commands.beginComputePass();
  pass.setPipeline(add);
  pass.setBindGroup(0, bound);
  pass.dispatchWorkgroups(16);
  pass.end();
  device.queue.submit([commands.finish()]);
}
// A triangle with a depth test, drawn into a texture that is sampled into another one.
const picture = (format, usage) => device.createTexture({size: [64, 64], format, usage});
const first = picture("rgba8unorm", T.RENDER_ATTACHMENT | T.TEXTURE_BINDING);
const second = picture("rgba8unorm", T.RENDER_ATTACHMENT | T.COPY_SRC);
const depth = picture("depth24plus", T.RENDER_ATTACHMENT);
const triangle = size => `@vertex fn v(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return vec4f(f32(i32(i) - 1) * ${size}, f32(i32(i & 1u) * 2 - 1) * ${size}, 0.5, 1.0); }`;
const pipeline = (text, more) => device.createRenderPipeline({layout: "auto", vertex: {module: code(text)},
  fragment: {module: code(text), targets: [{format: "rgba8unorm"}]}, ...more});
const draw = pipeline(triangle("1.0") + "@fragment fn f() -> @location(0) vec4f { return vec4f(0.25, 0.5, 0.75, 1.0); }",
  {depthStencil: {format: "depth24plus", depthWriteEnabled: true, depthCompare: "less"}});
const show = pipeline(triangle("3.0") + `@group(0) @binding(0) var t: texture_2d<f32>;
  @fragment fn f(@builtin(position) p: vec4f) -> @location(0) vec4f { return textureLoad(t, vec2i(p.xy), 0); }`);
const pixels = device.createBuffer({size: 64 * 256, usage: U.MAP_READ | U.COPY_DST});
const commands = device.createCommandEncoder();
const attachment = texture => [{view: texture.createView(), loadOp: "clear", storeOp: "store"}];
let pass = commands.beginRenderPass({colorAttachments: attachment(first), depthStencilAttachment: {
  view: depth.createView(), depthLoadOp: "clear", depthStoreOp: "discard", depthClearValue: 1}});
pass.setPipeline(draw);
pass.draw(3);
pass.end();
pass = commands.beginRenderPass({colorAttachments: attachment(second)});
pass.setPipeline(show);
pass.setBindGroup(0, device.createBindGroup({layout: show.getBindGroupLayout(0),
  entries: [{binding: 0, resource: first.createView()}]}));
pass.draw(3);
pass.end();
commands.copyTextureToBuffer({texture: second}, {buffer: pixels, bytesPerRow: 256}, [64, 64]);
commands.copyBufferToBuffer(buffer, 0, numbers, 0, 4096);
device.queue.submit([commands.finish()]);
await numbers.mapAsync(GPUMapMode.READ);
await pixels.mapAsync(GPUMapMode.READ);
return "webgpu " + sum(new Uint32Array(numbers.getMappedRange())) + " " + sum(new Uint8Array(pixels.getMappedRange())) +
  " " + adapter.info.architecture;
JS

for page in webgl webgpu; do
  { echo '<script>(async () => {'; cat $page.js; echo '})().catch(String).then(told => fetch("/told", {method: "POST", body: told}))</script>'; } >$page.html
done

# Serves the pages, and writes down what the first one that is done tells.
cat >serve.py <<'PY'
import http.server, os, pathlib, threading

class Pages(http.server.SimpleHTTPRequestHandler):
    def do_POST(self):
        told = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.send_response(200)
        self.end_headers()
        print(told, flush=True)
        threading.Thread(target=self.server.shutdown).start()

    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
server.daemon_threads = True
pathlib.Path("port").write_text(str(server.server_port))
threading.Timer(60, server.shutdown).start()
server.serve_forever()
os._exit(0)
PY

# Run inside the virtual screen: page, program and its flags.
cat >visit.sh <<'SH'
page=$1
shift
rm -f port
env -u LD_PRELOAD python3 serve.py &
server=$!
while ! test -s port; do sleep 0.1; done
"$@" --ozone-platform=x11 --no-sandbox --disable-dev-shm-usage --no-first-run --disable-extensions \
  --user-data-dir="$PWD/profile" "http://127.0.0.1:$(cat port)/$page.html" >>messages 2>&1 &
browser=$!
wait $server
kill -TERM $browser
wait $browser
true
SH
export XDG_RUNTIME_DIR="$PWD"
xvfb-run -a sh visit.sh webgl /usr/lib/chromium/chromium --use-angle=swiftshader --enable-unsafe-swiftshader || exit
VK_ICD_FILENAMES=/usr/lib/chromium/vk_swiftshader_icd.json xvfb-run -a sh visit.sh webgpu ./chromium/chromium \
  --enable-unsafe-webgpu --use-angle=gl --ignore-gpu-blocklist
