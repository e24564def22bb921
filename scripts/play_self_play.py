"""Agents from self-play against others: duplicate matches at tables of 2, 3 and 6, as a table in JSON.

    python scripts/play_self_play.py --table 2=two --table 6=six --also quick-limit@2 --out matches.json

One agent sits with copies of one opponent. Matches that --out has already are not played again.
"""

from __future__ import annotations

import json
from pathlib import Path

import click

from kibitz import __version__, load_agent, load_game, play_match
from kibitz.agents.registry import AGENTS

DEALS = {2: 5000, 3: 1500, 6: 1500}  # each in every seat permutation, or six rotations
NO_LIMIT = ("jam-fold",)  # built-in agents that do not play limit games


@click.command()
@click.option("--table", "tables", multiple=True, required=True, help="Players and the agent's folder, as in 6=FOLDER.")
@click.option("--also", multiple=True, help="Opponent beside the built-in ones and its players, as in FOLDER@2.")
@click.option("--seed", default=1, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), required=True)
def main(tables: tuple[str, ...], also: tuple[str, ...], seed: int, out: Path) -> None:
    rows = json.loads(out.read_text())["matches"] if out.exists() else []
    known = {(row["players"], row["opponent"]) for row in rows}
    for players, agent in (table.split("=", 1) for table in tables):
        count = int(players)
        others = [name for name in AGENTS if name not in NO_LIMIT]
        others += [name for name, _, seats in (each.rpartition("@") for each in also) if seats == players]
        game = f"holdem-limit-{players}p"
        for other in others:
            opponent = load_agent(other).name
            if (count, opponent) in known or not getattr(load_agent(other), "plays", lambda _: True)(load_game(game)):
                continue
            played = play_match([f"{agent},name=self-play"] + [other] * (count - 1), game, DEALS[count], seed=seed)
            rate = played.rates["self-play"]
            rows.append(
                {
                    "players": count,
                    "opponent": opponent,
                    "mean": round(rate.mean, 1),
                    "half_width": round(rate.half_width, 1),
                    "deals": DEALS[count],
                    "hands": played.hands,
                }
            )
            print(count, opponent, played.rates["self-play"], flush=True)
            text = json.dumps({"kibitz": __version__, "unit": "mbb/hand", "seed": seed, "matches": rows}, indent=1)
            out.write_text(text + "\n")


if __name__ == "__main__":
    main()
