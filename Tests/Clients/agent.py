"""An agent that reads a capture by the Model Context Protocol, with the official client.

    agent.py stdio PINHOLE CAPTURE POLICY
    agent.py http URL TOKEN

Every answer is checked. One line is printed at the end: the names of the tools.
"""

import asyncio
import json
import sys

import httpx2
import jsonschema
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

SECRET = "correct-horse-battery"


async def ask(client, name, is_error=False, **arguments):
    """The text of a tool's answer."""
    result = await client.call_tool(name, arguments)
    text = result.content[0].text
    assert bool(result.is_error) == is_error, (name, arguments, text)
    assert SECRET not in text, (name, text)
    schema = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}[name]
    if schema and not is_error:
        jsonschema.validate(result.structured_content, schema)
        expected = {"report": text} if "report" in schema["properties"] else json.loads(text)
        assert result.structured_content == expected, (name, text)
    else:
        assert result.structured_content is None, (name, result)
    return text


async def read(client):
    """Lists, searches and reads what the test recorded."""
    page = json.loads(await ask(client, "list_exchanges", limit=1))
    assert len(page["items"]) == 1 and page["next"] == page["items"][0]["id"], page
    items = json.loads(await ask(client, "list_exchanges"))["items"]
    assert any("password=str_" in item.get("url", "") for item in items), items
    found = json.loads(await ask(client, "list_exchanges", filter="path ~ /json & status == 200"))["items"]
    assert len(found) == 1 and found[0]["path"].startswith("/json"), found
    exchange = json.loads(await ask(client, "read_exchange", id=found[0]["id"], bytes=40))
    assert exchange["request"]["head"].startswith("GET /json") and len(exchange["response"]["body"]) == 40, exchange
    assert "the first 40 of" in exchange["response"]["bodyNote"], exchange
    failed = [item for item in items if item["type"] == "flow"]
    flow = json.loads(await ask(client, "explain_connection", id=failed[0]["id"]))
    assert "unknown_ca" in json.dumps(flow), flow
    assert isinstance(json.loads(await ask(client, "find_leaks"))["leaks"], list)
    # What is wrong is told so that the agent can call again.
    assert "expected a status" in await ask(client, "list_exchanges", is_error=True, filter="status >")
    assert "list_exchanges" in await ask(client, "read_exchange", is_error=True, id=999_999)
    assert "expected a number" in await ask(client, "read_exchange", is_error=True)
    assert "expected filter, limit, before" in await ask(client, "list_exchanges", is_error=True, fliter="x")
    assert "expected 1 to 100" in await ask(client, "list_exchanges", is_error=True, limit=0)


async def by_stdio(pinhole, capture, policy):
    words = ["mcp", "--capture", capture, "--allow-audit", "true", "--allow-changes"]
    async with Client(StdioServerParameters(command=pinhole, args=words)) as client:
        await read(client)
        with open(policy, encoding="utf-8") as file:
            report = await ask(client, "run_lab", policy=file.read())
        assert "as a correct client in" in report and "exit code 0" in report, report
        assert "expected the key" in await ask(client, "run_lab", is_error=True, policy='{"x": 1}')
        assert "expected 1 to 1" in await ask(client, "audit_command", is_error=True, number=2)
        items = json.loads(await ask(client, "list_exchanges"))["items"]
        assert await ask(client, "note_exchange", id=items[-1]["id"], comment="seen by an agent") == "done"
        # A filter is asked of what the agent sees, and so does not tell what a hidden comment says.
        assert json.loads(await ask(client, "list_exchanges", filter="comment ~ *agent*"))["items"] == []
        items = json.loads(await ask(client, "list_exchanges", filter="comment ~ str_*"))["items"]
        assert [item["comment"][:4] for item in items] == ["str_"], items
        return [tool.name for tool in (await client.list_tools()).tools]


async def by_http(url, token):
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            await read(client)
            return [tool.name for tool in (await client.list_tools()).tools]


if __name__ == "__main__":
    run = {"stdio": by_stdio, "http": by_http}[sys.argv[1]]
    print(*asyncio.run(run(*sys.argv[2:])))
