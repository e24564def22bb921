// Links and forms that change one part of the page: fetched and put in place, with the address kept up to date.
import { getJson } from "/static/requests.js";
import { arrowKeys } from "/static/keys.js";

const part = document.getElementById("part");
const problem = document.getElementById("problem");
let latest = 0;

async function go(address, push) {
  const number = ++latest;
  const url = new URL(address, location.href);
  const asked = new URL(url);
  asked.searchParams.set("part", "1");
  try {
    const { html } = await getJson(asked);
    if (number !== latest) return;
    const cell = url.searchParams.get("cell");
    part.innerHTML = html;
    problem.hidden = true;
    if (push) history.pushState(null, "", url);
    const target = cell && [...part.querySelectorAll("[data-cell]")].find((each) => each.dataset.cell === cell);
    const next = target || part.querySelector(".action") || part.querySelector(".deck a, .path a");
    next?.focus({ preventScroll: true });
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
  }
}

part.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-part]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(link.href, true);
});
part.addEventListener("submit", (event) => {
  event.preventDefault();
  const query = new URLSearchParams(new FormData(event.target));
  go(`${event.target.getAttribute("action")}?${query}`, true);
});
addEventListener("popstate", () => go(location.href, false));
arrowKeys(part);
