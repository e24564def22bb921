// Steps through a hand by buttons, actions and keys; the server draws each step.
import { getJson } from "/static/requests.js";

const hand = document.getElementById("hand");
const problem = document.getElementById("problem");
let latest = 0;

async function go(step, key) {
  const number = ++latest;
  try {
    const { html } = await getJson(`${hand.dataset.link}&step=${step}&part=1`);
    if (number !== latest) return;
    const focused = hand.contains(document.activeElement);
    hand.innerHTML = html;
    if (focused) (key ? hand.querySelector(`[data-key="${key}"]`) : hand.querySelector("[aria-current=step]"))?.focus({ preventScroll: true });
    history.replaceState(null, "", `${hand.dataset.link}&step=${step}`);
    problem.hidden = true;
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
  }
}

hand.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-step]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(Number(link.dataset.step), link.dataset.key);
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest(".scroll")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const target = ["ArrowLeft", "ArrowRight", "Home", "End", "n", "p"].includes(key) && hand.querySelector(`[data-key="${key}"]`);
  if (!target) return;
  event.preventDefault();
  target.click();
});
