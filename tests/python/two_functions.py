# Two defects in two functions, and one in a loop.
from defects import Device

device = Device()


def upload():
    device.bad_read()  # @upload


def download():
    for _ in range(3):
        device.bad_read()  # @download


class Trainer:
    def step(self):
        upload()
        download()


def main():
    Trainer().step()


main()
