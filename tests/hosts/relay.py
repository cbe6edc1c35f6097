#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A long cable: relay.py DEVICE SECONDS NAMESPACE NAMESPACE. Makes DEVICE in both network namespaces, says "ready", and
carries what one sends to the other SECONDS later, until it is ended."""
import collections
import ctypes
import fcntl
import os
import select
import struct
import sys
import time

CLONE_NEWNET = 0x40000000
TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 1, 0x1000
MOST = 4096  # packets on their way in one direction: a cable is no store


def open_device(name, namespace):
    """The device lives in the namespace in which it was opened; its descriptor works from everywhere."""
    with open(f"/run/netns/{namespace}") as there:
        if ctypes.CDLL(None, use_errno=True).setns(there.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")
    fd = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(fd, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    return fd


def carry(ends, seconds):
    """Packets wait in the order in which they came."""
    on_the_way = {fd: collections.deque() for fd in ends}  # by where they go
    other = {ends[0]: ends[1], ends[1]: ends[0]}
    while True:
        first = min((queue[0][0] for queue in on_the_way.values() if queue), default=None)
        rest = None if first is None else max(0, first - time.monotonic())
        for fd in select.select(ends, [], [], rest)[0]:
            packet = os.read(fd, 65536)
            if len(on_the_way[other[fd]]) < MOST:
                on_the_way[other[fd]].append((time.monotonic() + seconds, packet))
        for fd, queue in on_the_way.items():
            while queue and queue[0][0] <= time.monotonic():
                try:
                    os.write(fd, queue.popleft()[1])
                except OSError:  # the device is down or full: this packet is lost
                    pass


def main(device, seconds, *namespaces):
    ends = [open_device(device, namespace) for namespace in namespaces]
    print("ready", flush=True)
    carry(ends, float(seconds))


if __name__ == "__main__":
    main(*sys.argv[1:])
