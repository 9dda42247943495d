"""The API for tool authors, for built-in and third-party tools. docs/tools.md is its guide."""

from bridge.tools.base import (
    BadArguments,
    Cancelled,
    Declined,
    NobodyToAsk,
    NoModel,
    NotAnswered,
    TimedOut,
    Tool,
    ToolProblem,
)
from bridge.tools.context import ToolContext
from bridge.tools.conversation_turns import ElicitExchange, ElicitReply
from bridge.tools.elicitor import Elicitor, Visit
from bridge.tools.results import Prose, Report
from bridge.tools.sampling import (
    BudgetExceeded,
    DepthExceeded,
    Sample,
    SampleExchange,
    SampleFailed,
    ToolCall,
)
from bridge.tools.toolbox import Toolbox

__all__ = [
    "BadArguments",
    "BudgetExceeded",
    "Cancelled",
    "Declined",
    "DepthExceeded",
    "ElicitExchange",
    "ElicitReply",
    "Elicitor",
    "NoModel",
    "NobodyToAsk",
    "NotAnswered",
    "Prose",
    "Report",
    "Sample",
    "SampleExchange",
    "SampleFailed",
    "TimedOut",
    "Tool",
    "ToolCall",
    "ToolContext",
    "ToolProblem",
    "Toolbox",
    "Visit",
]
