// The form of a spot: board, two ranges, sizes; its size as it changes; solving, with exploitability as it falls.
import { getJson, postJson, request } from "/static/requests.js";
import { arrowKeys } from "/static/keys.js";
import { rangePicker } from "/static/ranges.js";

const form = document.getElementById("setup");
const board = document.getElementById("board");
const deck = document.getElementById("deck");
const size = document.getElementById("size");
const problem = document.getElementById("problem");
const solve = document.getElementById("solve");
const run = document.getElementById("run");
const FACT = "exploitability in % of the pot";

const setup = () => Object.fromEntries(new FormData(form));

function cards() {
  return board.value.match(/[2-9TJQKA][cdhs]/g) || [];
}

function showBoard() {
  const chosen = cards();
  for (const each of deck.children) each.setAttribute("aria-pressed", String(chosen.includes(each.dataset.card)));
  const first = Math.max(0, chosen.length - 3);
  for (const [place, street] of ["flop", "turn", "river"].entries()) {
    for (const each of form.querySelectorAll(`[data-street=${street}]`)) each.hidden = place < first;
  }
}

deck.addEventListener("click", (event) => {
  const card = event.target.closest("[data-card]")?.dataset.card;
  if (!card) return;
  let chosen = cards();
  chosen = chosen.includes(card) ? chosen.filter((each) => each !== card) : [...chosen, card].slice(0, 5);
  board.value = chosen.join(" ");
  changed();
});

let timer = 0;
let asked = 0;
function changed() {
  showBoard();
  clearTimeout(timer);
  timer = setTimeout(measure, 250);
}

const count = (number) => number.toLocaleString("en");

async function measure() {
  const number = ++asked;
  try {
    const found = await postJson("/spot/size", setup());
    if (number !== asked) return;
    if (found.error) throw new Error(found.error);
    const boards = found.boards > 1 ? ` on ${count(found.boards)} boards` : "";
    size.textContent =
      `${count(found.nodes)} betting nodes${boards}, ${count(found.pairs)} infoset-action pairs: ` +
      `${found.memory} of memory, ${found.free} are free.`;
    say(found.fits ? "" : "It does not fit into memory: take fewer sizes or hands.");
    solve.disabled = !found.fits;
  } catch (error) {
    if (number !== asked) return;
    size.textContent = "";
    say(error.message);
    solve.disabled = true;
  }
}

function say(text) {
  problem.textContent = text;
  problem.hidden = !text;
}

let points = [];
function draw() {
  if (points.length < 2) return;
  const logs = points.map(([x, y]) => [Math.log10(x), Math.log10(Math.max(y, 1e-9))]);
  const low = [0, 1].map((k) => Math.min(...logs.map((each) => each[k])));
  const span = [0, 1].map((k) => Math.max(...logs.map((each) => each[k])) - low[k] || 1);
  const place = ([x, y]) => `${4 + (292 * (x - low[0])) / span[0]},${116 - (112 * (y - low[1])) / span[1]}`;
  document.querySelector("#curve polyline").setAttribute("points", logs.map(place).join(" "));
}

async function follow(job) {
  run.hidden = false;
  run.dataset.job = job;
  points = [];
  for (;;) {
    let found;
    try {
      found = await getJson(`/jobs/${job}`);
    } catch (error) {
      say(error.message);
      break;
    }
    const facts = found.progress.facts || {};
    document.getElementById("progress").value = found.percent;
    if (FACT in facts) {
      if (!points.length || points.at(-1)[0] < facts.iterations) points.push([facts.iterations, facts[FACT]]);
      document.getElementById("reached").textContent =
        `${count(facts.iterations)} iterations: exploitable for ${facts[FACT].toFixed(3)} % of the pot`;
      draw();
    }
    if (found.state === "finished") {
      location.assign(`/spot/open?name=${encodeURIComponent(found.result.name)}`);
      return;
    }
    if (found.state !== "running") {
      say(found.error || `the job is ${found.state}`);
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  run.hidden = true;
  solve.disabled = false;
}

form.addEventListener("input", changed);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  solve.disabled = true;
  try {
    const { job } = await postJson("/spot/solve", setup());
    say("");
    run.hidden = false;
    run.scrollIntoView({ block: "nearest" });
    await follow(job);
  } catch (error) {
    say(error.message);
    solve.disabled = false;
  }
});
document.getElementById("cancel").addEventListener("click", () => {
  request(`/jobs/${run.dataset.job}/cancel`, { method: "POST" }).catch((error) => say(error.message));
});

for (const section of form.querySelectorAll("[data-player]")) rangePicker(section, changed);
arrowKeys(form);
changed();
if (run.dataset.job) follow(run.dataset.job);
