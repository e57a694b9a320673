"""A client of ClickHouse's native protocol that claims to ask for somebody else, as nodes do.

It speaks an old revision, which has little beside a query and its answer, and reads columns of text.
"""

import socket
import struct

from servers import HOST, ClickHouseError

REVISION = 54032
SECONDARY_QUERY = 2
# How far the server is to go: up to the columns, to partial sums, to the end.
STAGES = (0, 1, 2)


class Native:
    """A connection of one user."""

    def __init__(self, port, user, password):
        self.socket = socket.create_connection((HOST, port), timeout=60)
        self.answers = self.socket.makefile("rb")
        hello = number(0) + text("annals-test") + number(1) + number(1) + number(REVISION)
        self.socket.sendall(hello + text("") + text(user) + text(password))
        if self.number() == 2:
            raise ClickHouseError(self.exception())
        # The rest of the greeting: name, version, time zone.
        self.text(), self.number(), self.number(), self.number()

    def ask(self, statement, claimed, stage=2):
        """The rows of a statement that is asked as if for `claimed`."""
        client = bytes([SECONDARY_QUERY]) + text(claimed) + text("forged") + text("127.0.0.1:1")
        client += bytes([1]) + text("") + text("") + text("annals-test") + number(1) + number(1) + number(REVISION)
        query = number(1) + text("") + client + text("") + number(stage) + number(0) + text(statement)
        no_tables = number(2) + text("") + number(1) + b"\0" + number(2) + struct.pack("<i", -1) + number(0) * 3
        self.socket.sendall(query + no_tables)
        rows = []
        while True:
            packet = self.number()
            if packet in (1, 7, 8):
                rows += self.block()
            elif packet == 2:
                raise ClickHouseError(self.exception())
            elif packet == 3:
                self.number(), self.number(), self.number()
            elif packet == 6:
                self.number(), self.number(), self.number(), self.answers.read(1), self.number(), self.answers.read(1)
            elif packet == 5:
                return rows
            else:
                raise RuntimeError(f"packet {packet}")

    def block(self):
        self.text()
        while field := self.number():
            self.answers.read(1 if field == 1 else 4)
        columns, rows = self.number(), self.number()
        found = []
        for _ in range(columns):
            name, kind = self.text(), self.text()
            if rows and kind != "String":
                raise RuntimeError(f"{name} is {kind}: only texts are read")
            found.append([self.text() for _ in range(rows)])
        return list(zip(*found))

    def exception(self):
        code = struct.unpack("<i", self.answers.read(4))[0]
        name, message, _ = self.text(), self.text(), self.text()
        self.answers.read(1)
        return f"Code: {code}. {name}: {message}"

    def number(self):
        value = shift = 0
        while True:
            byte = self.answers.read(1)
            if not byte:
                raise ClickHouseError("the connection was closed")
            value |= (byte[0] & 127) << shift
            shift += 7
            if byte[0] < 128:
                return value

    def text(self):
        return self.answers.read(self.number()).decode(errors="replace")

    def close(self):
        self.answers.close()
        self.socket.close()


def number(value):
    written = b""
    while value > 127:
        written += bytes([value & 127 | 128])
        value >>= 7
    return written + bytes([value])


def text(value):
    value = value.encode()
    return number(len(value)) + value
