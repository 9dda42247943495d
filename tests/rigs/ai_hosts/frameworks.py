"""Agent frameworks as AI hosts; run by the Python of the framework: frameworks.py NAME URL PROMPT COMMAND…

Each function starts COMMAND by its framework's own means and leaves all defaults as they are.
"""

# mypy: disable-error-code="import-not-found"
import asyncio
import sys

NAME, URL, PROMPT, *COMMAND = sys.argv[1:]


async def openai_agents():
    from agents import Agent, OpenAIResponsesModel, Runner
    from agents.mcp import MCPServerStdio
    from openai import AsyncOpenAI

    async with MCPServerStdio(name="deskbell", params={"command": COMMAND[0], "args": COMMAND[1:]}) as server:
        model = OpenAIResponsesModel("scripted", AsyncOpenAI(base_url=f"{URL}/v1", api_key="key"))
        agent = Agent(name="scripted", model=model, mcp_servers=[server])
        return (await Runner.run(agent, PROMPT)).final_output


async def pydantic_ai():
    from fastmcp.client.transports import StdioTransport
    from pydantic_ai import Agent
    from pydantic_ai.mcp import MCPToolset
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(base_url=f"{URL}/v1", api_key="key")
    toolset = MCPToolset(StdioTransport(COMMAND[0], COMMAND[1:]))
    agent = Agent(OpenAIChatModel("scripted", provider=provider), toolsets=[toolset])
    async with agent:
        return (await agent.run(PROMPT)).output


print(asyncio.run({"openai_agents": openai_agents, "pydantic_ai": pydantic_ai}[NAME]()))
