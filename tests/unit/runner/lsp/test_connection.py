"""A port serves one client: a second one is refused, and the first keeps its responses."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

from runner.lsp.connection import serve_port
from runner.lsp.server import make_server


async def send(writer: asyncio.StreamWriter, method: str, params: Any = None, **fields: Any) -> None:
    body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params} | fields).encode()
    writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    await writer.drain()


async def receive(reader: asyncio.StreamReader) -> Any:
    header = await reader.readuntil(b"\r\n\r\n")
    length = next(line for line in header.splitlines() if line.lower().startswith(b"content-length"))
    return json.loads(await reader.readexactly(int(length.partition(b":")[2])))


def test_a_second_client_is_refused_while_one_is_connected() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    async def session() -> int:
        listening = asyncio.Event()
        server = asyncio.create_task(serve_port(make_server().protocol, port, listening.set))
        await listening.wait()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        initialize = {"processId": None, "rootUri": None, "capabilities": {}}
        await send(writer, "initialize", initialize, id=1)
        assert (await receive(reader))["id"] == 1
        for _ in range(2):
            other_reader, other_writer = await asyncio.open_connection("127.0.0.1", port)
            assert await other_reader.read() == b""
            other_writer.close()
        await send(writer, "shutdown", id=2)
        assert (await receive(reader))["id"] == 2
        await send(writer, "exit")
        assert await reader.read() == b""
        writer.close()
        return await server

    assert asyncio.run(asyncio.wait_for(session(), 20)) == 0
