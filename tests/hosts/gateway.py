#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What carries traffic through the one open port between two network namespaces, as ssh does:

gateway.py forward NAMESPACE LISTEN:PORT TO:PORT      connections to LISTEN:PORT go on to TO:PORT (ssh -L)
gateway.py listen NAMESPACE ADDRESS:PORT DEVICE       makes DEVICE, whose packets travel in the one connection that comes (ssh -w)
gateway.py connect NAMESPACE ADDRESS:PORT DEVICE      the other end of it

Says "ready", and works until it is ended."""
import ctypes
import os
import socket
import struct
import sys
import threading

from relay import CLONE_NEWNET, open_device


def enter(namespace):
    with open(f"/run/netns/{namespace}") as there:
        if ctypes.CDLL(None, use_errno=True).setns(there.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")


def place(text):
    address, _, port = text.rpartition(":")
    return address, int(port)


def pour(source, target):
    """Everything from one socket to the other, also its end."""
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        source.close()
        target.close()


def forward(listen, to):
    with socket.create_server(place(listen)) as server:
        print("ready", flush=True)
        while True:
            one = server.accept()[0]
            try:
                other = socket.create_connection(place(to))
            except OSError:
                one.close()
                continue
            for pair in ((one, other), (other, one)):
                threading.Thread(target=pour, args=pair, daemon=True).start()


def exactly(connection, count):
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            sys.exit("the tunnel has ended")
        data += more
    return data


def tunnel(connection, device):
    """Packets of the device, each behind its length."""
    def outward():
        while True:
            packet = os.read(device, 65536)
            connection.sendall(struct.pack("!H", len(packet)) + packet)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    threading.Thread(target=outward, daemon=True).start()
    while True:
        packet = exactly(connection, struct.unpack("!H", exactly(connection, 2))[0])
        try:
            os.write(device, packet)
        except OSError:  # the device is down
            pass


def main(what, namespace, *words):
    if what == "forward":
        enter(namespace)
        forward(*words)
        return
    device = open_device(words[1], namespace)
    os.set_blocking(device, True)
    if what == "listen":
        with socket.create_server(place(words[0])) as server:
            print("ready", flush=True)
            tunnel(server.accept()[0], device)
    else:
        connection = socket.create_connection(place(words[0]))
        print("ready", flush=True)
        tunnel(connection, device)


if __name__ == "__main__":
    main(*sys.argv[1:])
