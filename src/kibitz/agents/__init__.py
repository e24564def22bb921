"""Those who play."""

from kibitz.agents.base import Agent
from kibitz.agents.frequency import FrequencyAgent
from kibitz.agents.registry import AGENTS, load_agent

__all__ = ["AGENTS", "Agent", "FrequencyAgent", "load_agent"]
