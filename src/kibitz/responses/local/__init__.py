"""Local best response (Lisý and Bowling 2017): who knows what an agent does with every hand, and looks one bet ahead.

At each of its decisions the responder knows the agent's range: all hands, weighted by how likely the agent would have
acted as it did. It believes that after its action and the agent's answer nobody bets any more, and takes the best of
folding, calling and some bet sizes. What it wins is, on average, no more than a best response would: a lower bound on
how much the agent can be beaten by.

Nothing is played. The range does not depend on the responder's hand but for the cards it holds, so on a board all hands
of both players and all betting are summed (`betting`, `board`), and only boards are sampled (`response`).
"""

from kibitz.policy.beliefs import AgentView, Answer, Belief, Chances, Transition, Uniform
from kibitz.responses.local.response import local_response, local_samples

__all__ = ["AgentView", "Answer", "Belief", "Chances", "Transition", "Uniform", "local_response", "local_samples"]
