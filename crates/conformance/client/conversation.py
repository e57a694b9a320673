"""A conversation of the official Python SDK with `annals mcp`, recorded line by line.

    conversation.py RECORD BINARY     talks, and writes what went to and fro to RECORD
    conversation.py --relay RECORD BINARY   stands between the client and the server

The store is the made-up one and the clock is set, so that the same is said each time.
"""

import asyncio
import os
import subprocess
import sys
import threading

NOW = "2026-02-01T12:00:00Z"


def relay(record, binary):
    """Copies lines both ways and notes each with who said it."""
    lock = threading.Lock()
    server = subprocess.Popen(
        [binary, "--demo", "--timezone", "UTC", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with open(record, "wb") as notes:

        def copy(source, target, who):
            for line in source:
                with lock:
                    notes.write(who + line)
                    notes.flush()
                target.write(line)
                target.flush()
            target.close()

        answers = threading.Thread(target=copy, args=(server.stdout, sys.stdout.buffer, b"< "))
        answers.start()
        copy(sys.stdin.buffer, server.stdin, b"> ")
        answers.join()
    sys.exit(server.wait())


async def talk(record, binary):
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(
        command=sys.executable,
        args=[__file__, "--relay", record, binary],
        env={
            "ANNALS_NOW": NOW,
            "ANNALS_HOME": os.environ["ANNALS_HOME"],
            "HOME": os.environ["HOME"],
            "PATH": os.environ["PATH"],
        },
    )
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        tools = await session.list_tools()
        untried = {tool.name for tool in tools.tools}

        async def call(name, is_error=False, **arguments):
            untried.discard(name)
            result = await session.call_tool(name, arguments)
            failed = getattr(result, "is_error", getattr(result, "isError", None))
            assert bool(failed) == is_error, result
            assert [block.type for block in result.content] == ["text"], result
            return result.content[0].text

        await call("search_sessions", query="tokens seconds", limit=50)
        await call("list_sessions", branch="main", max_tokens=1500)
        page = await call("read_session", session="3f9c1d7e", max_tokens=1200)
        cursor = page.rsplit('"cursor":"', 1)[1].split('"', 1)[0]
        await call("read_session", session="3f9c1d7e", cursor=cursor, max_tokens=1200)
        await call(
            "get_message", id="toolu_01qBrHcAfFiimWi99MNMxxpM", session="3f9c1d7e", include_tool_results=True
        )
        await call("file_history", path="tests/login.rs")
        await call("usage_report", by="model")
        await call("session_plan", session="c52b8f06")
        await call("read_session", session="ffffffff", is_error=True)
        await call("search_sessions", wrong="x", is_error=True)
        await call("no_such_tool", is_error=True)
        assert not untried, untried
        resources = await session.list_resources()
        await session.list_resource_templates()
        await session.read_resource(resources.resources[-1].uri)
        await session.list_prompts()
        await session.get_prompt("recall", {"topic": "the login test"})
        await session.send_ping()


if __name__ == "__main__":
    if sys.argv[1] == "--relay":
        relay(sys.argv[2], sys.argv[3])
    else:
        asyncio.run(talk(sys.argv[1], sys.argv[2]))
