// Shows as many choices of opponents as the game has seats.
const game = document.getElementById("game");
const players = document.getElementById("players");
const opponents = [...document.querySelectorAll(".opponent")];

function refresh() {
  const holdem = game.value.startsWith("holdem");
  players.disabled = !holdem;
  const others = holdem ? Number(players.value) - 1 : game.value === "kuhn-3p" ? 2 : 1;
  opponents.forEach((field, seat) => {
    field.hidden = seat >= others;
  });
}

game.addEventListener("change", refresh);
players.addEventListener("change", refresh);
refresh();
