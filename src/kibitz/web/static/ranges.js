// A range as 13 x 13 cells and as text, each kept in step with the other. The server knows the language of ranges:
// cells that are painted are sent as edits of the text, and the text comes back with all cells.
import { postJson } from "/static/requests.js";

export function rangePicker(section, changed) {
  const text = section.querySelector("textarea");
  const cells = new Map([...section.querySelectorAll(".cell")].map((each) => [each.dataset.name, each]));
  const brush = section.querySelector(".brush");
  const problem = section.querySelector(".error");
  let edits = new Map();
  let painting = null;
  let asked = 0;

  function paint(cell, weight) {
    cell.querySelector("rect").setAttribute("y", 1 - weight);
    cell.querySelector("rect").setAttribute("height", weight);
    cell.dataset.weight = weight;
    cell.setAttribute("aria-pressed", String(weight > 0));
    cell.title = cell.ariaLabel = `${cell.dataset.name}: ${Math.round(100 * weight)} %`;
  }

  async function send(rewrite) {
    const number = ++asked;
    const sent = { text: text.value, edits: [...edits] };
    edits = new Map();
    try {
      const found = await postJson("/spot/range", sent);
      if (number !== asked) return;
      if (found.error) throw new Error(found.error);
      for (const [name, cell] of cells) paint(cell, found.cells[name] || 0);
      if (rewrite) text.value = found.text;
      section.querySelector(".count").textContent = `${found.combinations} combinations`;
      problem.hidden = true;
      changed();
    } catch (error) {
      if (number !== asked) return;
      problem.textContent = error.message;
      problem.hidden = false;
    }
  }

  function touch(cell) {
    if (!cell || edits.has(cell.dataset.name)) return;
    edits.set(cell.dataset.name, painting);
    paint(cell, painting);
  }

  const wanted = () => Math.min(1, Math.max(0, Number(brush.value) / 100)) || 1;
  const other = (cell) => (Math.abs(Number(cell.dataset.weight || 0) - wanted()) < 1e-6 ? 0 : wanted());
  const grid = section.querySelector(".picker");

  grid.addEventListener("pointerdown", (event) => {
    const cell = event.target.closest(".cell");
    if (!cell || event.button) return;
    painting = other(cell);
    touch(cell);
    grid.setPointerCapture(event.pointerId);
  });
  grid.addEventListener("pointermove", (event) => {
    if (painting === null) return;
    touch(document.elementFromPoint(event.clientX, event.clientY)?.closest(".picker .cell"));
  });
  for (const name of ["pointerup", "pointercancel"]) {
    grid.addEventListener(name, () => {
      if (painting === null) return;
      painting = null;
      send(true);
    });
  }
  grid.addEventListener("keydown", (event) => {
    const cell = event.target.closest(".cell");
    if (!cell || (event.key !== " " && event.key !== "Enter")) return;
    event.preventDefault();
    painting = other(cell);
    touch(cell);
    painting = null;
    send(true);
  });
  section.querySelector(".clear").addEventListener("click", () => {
    text.value = "";
    section.querySelector(".count").textContent = "0 combinations";
    for (const cell of cells.values()) paint(cell, 0);
    changed();
  });
  let timer = 0;
  text.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => send(false), 250);
  });
  text.addEventListener("change", () => send(true));
  send(false);
}
