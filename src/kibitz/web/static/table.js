// The table: buttons, slider and keys send actions; the server answers with the table drawn anew.
import { getJson, postJson } from "/static/requests.js";

const felt = document.getElementById("felt");
const address = `/table/${felt.dataset.session}`;
const kibitz = document.getElementById("kibitz");
const policy = document.getElementById("policy");
let busy = false;
let about = "";

function setSize(value) {
  const size = document.getElementById("size");
  const slider = document.getElementById("slider");
  if (!size) return;
  const chips = Math.round(Math.min(Number(size.max), Math.max(Number(size.min), Number(value) || 0)));
  size.value = slider.value = chips;
  document.getElementById("shown").textContent = chips.toLocaleString("en");
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
  busy = true;
  const size = document.getElementById("size");
  if (action === "sized") {
    setSize(size.value);
    action = `r${Number(size.dataset.base) + Number(size.value)}`;
  }
  try {
    const hand = Number(felt.querySelector(".play").dataset.hand);
    const answer = await postJson(`${address}/act`, { hand, action });
    show(answer.html);
    advise();
    adjust();
  } catch (error) {
    const problem = document.getElementById("problem");
    problem.textContent = error.message;
    problem.hidden = false;
  } finally {
    busy = false;
  }
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
  if (event.target.id === "size") document.getElementById("slider").value = event.target.value;
});
felt.addEventListener("change", (event) => {
  if (event.target.id === "size") setSize(event.target.value);
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const typing = event.target.matches("input:not([type=range]):not([type=checkbox]), select, textarea");
  if (event.key === "Enter" && event.target.id === "size") return send("sized");
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
