"""Those who play."""

from kibitz.agents.base import Agent
from kibitz.agents.frequency import FrequencyAgent
from kibitz.agents.registry import AGENTS, agent_files, load_agent

__all__ = ["AGENTS", "Agent", "FrequencyAgent", "agent_files", "load_agent"]
