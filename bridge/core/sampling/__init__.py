"""Sampling (`sampling/createMessage`): MCP params to a provider's body, its answer to an MCP result. Pure.

    params ──params.read──▶ SamplingRequest ──ModelCall──▶ body of openai | anthropic | ollama
    result ◀──result.of──── Completion ◀────a reader of the provider's stream──┘

`content` checks blocks, `structured` knows JSON Schema as providers want it, `model_choice` picks a model,
`budget` counts. HTTP is the business of bridge/sampling.
"""
