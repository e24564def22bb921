"""Those who play."""

from kibitz.agents.base import Agent
from kibitz.agents.frequency import FrequencyAgent
from kibitz.agents.registry import AGENTS, absolute_agent, agent_files, is_written, load_agent

__all__ = ["AGENTS", "Agent", "FrequencyAgent", "absolute_agent", "agent_files", "is_written", "load_agent"]
