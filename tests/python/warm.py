# Call sites that the thread finds in its cache: alternating lines, and new code at the address of old code.
from defects import Device

device = Device()


def first():
    device.bad_read()  # @first


def second():
    device.bad_read()  # @second


for _ in range(50):
    first()
    second()
for number in range(50):
    code = compile("def made%d():\n%s  device.bad_read()\nmade%d()\n" % (number % 5, "\n" * (number % 5), number % 5),
                   "/nowhere/made%d.py" % (number % 5), "exec")
    exec(code)
    del code
