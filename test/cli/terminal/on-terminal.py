"""Runs a program on a terminal of its own. What it prints goes to stdout; orders come as lines of JSON on stdin."""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios

columns, rows, *argv = sys.argv[1:]


def resize(fd, width, height):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", int(height), int(width), 0, 0))


pid, terminal = pty.fork()
if pid == 0:
    resize(0, columns, rows)
    os.execvp(argv[0], argv)

resize(terminal, columns, rows)
orders = b""
while True:
    ready, _, _ = select.select([terminal, 0], [], [])
    if terminal in ready:
        try:
            data = os.read(terminal, 65536)
        except OSError:
            data = b""
        if not data:
            break
        os.write(1, data)
    if 0 in ready:
        chunk = os.read(0, 65536)
        if not chunk:
            os.kill(pid, signal.SIGKILL)
            break
        orders += chunk
        *whole, orders = orders.split(b"\n")
        for line in whole:
            order = json.loads(line)
            if "keys" in order:
                os.write(terminal, order["keys"].encode())
            if "size" in order:
                resize(terminal, *order["size"])
                os.kill(pid, signal.SIGWINCH)
            if order.get("signal") == "SIGCONT":
                # A program that is told to go on before it has stopped stops afterwards, for good.
                os.waitpid(pid, os.WUNTRACED)
            if "signal" in order:
                os.kill(pid, getattr(signal, order["signal"]))

_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) % 256)
