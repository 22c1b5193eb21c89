// The same mistake in two functions, which call through the same native frames.
const gpu = require(process.argv[2]);

function train() {
  gpu.run();
}
function test() {
  gpu.run();
}

gpu.start();
train();
test();
gpu.end();
