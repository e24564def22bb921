// The table: buttons, slider and keys send actions; the server answers with the table drawn anew.
import { getJson, postJson } from "/static/requests.js";

const felt = document.getElementById("felt");
const address = `/table/${felt.dataset.session}`;
const kibitz = document.getElementById("kibitz");
const policy = document.getElementById("policy");
const sure = document.getElementById("sure");
let busy = false;
let about = "";

const count = (number) => Number(number).toLocaleString("en");

// Slider, field and button show one size; one that cannot be bet stays as it was typed, and `sized` says so.
function setSize(value) {
  const size = document.getElementById("size");
  if (!size) return;
  size.value = document.getElementById("slider").value = value;
  document.getElementById("shown").textContent = count(value);
}

// The action of the size in the field; "" for one that cannot be bet, about which the person is told or asked.
function sized() {
  const { value, min, max, dataset } = document.getElementById("size");
  const chips = Number(value);
  if (value && Number.isInteger(chips) && chips >= Number(min) && chips <= Number(max)) return `r${Number(dataset.base) + chips}`;
  if (chips > Number(max)) {
    document.getElementById("most").textContent = count(max);
    document.getElementById("typed").textContent = count(chips);
    sure.returnValue = "";
    sure.showModal();
  } else say(`${value ? count(chips) : "That"} cannot be bet: give whole chips from ${count(min)} to ${count(max)}.`);
  return "";
}

function say(text) {
  const problem = document.getElementById("problem");
  problem.textContent = text;
  problem.hidden = !text;
}

// The table anew: cards that were not on the board before are dealt in, and the likeliest button has the focus.
function show(html) {
  const before = felt.querySelectorAll(".board .pc:not(.slot)").length;
  felt.innerHTML = html;
  const cards = [...felt.querySelectorAll(".board .pc:not(.slot)")];
  for (const card of cards.slice(cards.length > before ? before : cards.length)) card.classList.add("fresh");
  felt.querySelector(".actions .call, .actions [data-action=next]")?.focus({ preventScroll: true });
}

async function send(action) {
  if (busy) return;
  if (action === "sized") action = sized();
  if (!action) return;
  busy = true;
  const { hand, decision } = felt.querySelector(".play").dataset;
  const found = await postJson(`${address}/act`, { hand: Number(hand), decision: Number(decision), action }).catch((error) => error);
  busy = false;
  const { html } = found.answer ?? found;
  if (html) {
    show(html);
    advise();
    adjust();
  }
  say(found.message ?? "");
}

let asked = 0;
async function advise() {
  const reasons = document.getElementById("reasons");
  document.getElementById("panel").hidden = !kibitz.checked;
  reasons.hidden = true;
  if (!kibitz.checked) return;
  const own = ++asked;
  const place = document.getElementById("advice");
  try {
    const query = new URLSearchParams({ policy: policy.value, about });
    const found = await getJson(`${address}/advice?${query}`);
    if (own !== asked) return;
    place.innerHTML = found.html;
    reasons.innerHTML = found.reasons;
    reasons.hidden = !found.reasons;
  } catch (error) {
    if (own === asked) place.textContent = error.message;
  }
}

// The result less luck takes the server a moment: it comes after the table, and only when a hand has ended.
let adjusted = { played: "", html: "" };
async function adjust() {
  const place = felt.querySelector(".luck");
  if (!place) return;
  const { played } = place.dataset;
  try {
    if (adjusted.played !== played) adjusted = { played, ...(await getJson(`${address}/luck`)) };
    felt.querySelector(".luck").innerHTML = adjusted.html;
  } catch {
    // the plain win rate stays
  }
}

felt.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button || button.disabled) return;
  if (button.dataset.size) setSize(button.dataset.size);
  else if (button.dataset.action) send(button.dataset.action);
});
felt.addEventListener("input", (event) => {
  if (event.target.id === "slider") setSize(event.target.value);
  if (event.target.id === "size") {
    document.getElementById("slider").value = event.target.value;
    document.getElementById("shown").textContent = count(event.target.value);
  }
});
sure.addEventListener("close", () => {
  if (sure.returnValue !== "all-in") return;
  setSize(document.getElementById("size").max);
  send("sized");
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || sure.open) return;
  const typing = event.target.matches("input:not([type=range]):not([type=checkbox]), select, textarea");
  if (event.key === "Enter" && event.target.id === "size") {
    event.preventDefault(); // which would press a button of the question
    return send("sized");
  }
  if (typing) return;
  const key = event.key.toLowerCase();
  if (key === "k") return kibitz.click();
  const size = felt.querySelectorAll("[data-size]")[Number(key) - 1];
  if (/^[1-9]$/.test(key) && size) return setSize(size.dataset.size);
  felt.querySelector(`[data-key="${/^[a-z]$/.test(key) ? key : ""}"]:not(:disabled)`)?.click();
});
kibitz.addEventListener("change", advise);
policy.addEventListener("change", advise);
document.getElementById("advice").addEventListener("change", (event) => {
  if (event.target.id === "about") {
    about = event.target.value;
    advise();
  }
});
advise();
adjust();
