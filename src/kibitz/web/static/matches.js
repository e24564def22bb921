// Says what the form would play, and lets it start only where that can be played.
const form = document.getElementById("setup");
const most = Number(document.getElementById("set-matches").max);
const game = document.getElementById("game");
const players = document.getElementById("players");

function choose(from, count) {
  let found = 1;
  for (let step = 1; step <= count; step++) found = (found * (from - count + step)) / step;
  return Math.round(found);
}

function refresh() {
  const holdem = game.value.startsWith("holdem");
  players.disabled = !holdem;
  const seats = holdem ? Number(players.value) : game.value === "kuhn-3p" ? 3 : 2;
  const agents = form.querySelectorAll("[name=agents]:checked").length;
  const matches = Number(document.getElementById("set-matches").value);
  let plan = "";
  let fits = true;
  if (agents < seats) {
    plan = `Choose ${seats - agents} more ${seats - agents === 1 ? "agent" : "agents"}.`;
    fits = false;
  } else if (agents === seats) plan = `A match: ${matches.toLocaleString("en")} × ${Number(document.getElementById("hands").value).toLocaleString("en")} deals.`;
  else if (seats > 3) {
    plan = `A match of ${seats} seats has ${seats} agents; tournaments are for two or three seats.`;
    fits = false;
  } else {
    const tables = choose(agents, seats);
    plan = `A tournament: ${tables.toLocaleString("en")} tables, ${matches.toLocaleString("en")} matches each.`;
    if (tables * matches > most) {
      plan = `${(tables * matches).toLocaleString("en")} matches: ${most.toLocaleString("en")} are the most; take fewer agents or matches.`;
      fits = false;
    }
  }
  document.getElementById("plan").textContent = plan;
  document.getElementById("start").disabled = !fits;
}

form.addEventListener("input", refresh);
refresh();
