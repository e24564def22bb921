// Draws a part of the page anew and keeps focus and scroll: the focused element is found again by its data-focus or
// data-table. Nothing is drawn while a pointer is down in the part: a button that is replaced gets no click.
export function redrawer(part) {
  let shown = "";
  let pressed = false;
  const keyOf = (each) => each?.dataset.focus ?? each?.dataset.table;
  part.addEventListener("pointerdown", () => (pressed = true));
  for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => (pressed = false));
  return (html) => {
    if (html === shown || pressed) return;
    const key = part.contains(document.activeElement) ? keyOf(document.activeElement) : undefined;
    const left = part.querySelector(".scroll")?.scrollLeft;
    part.innerHTML = shown = html;
    if (left) part.querySelector(".scroll")?.scrollTo({ left });
    if (key === undefined) return;
    [...part.querySelectorAll("[data-focus], [data-table]")].find((each) => keyOf(each) === key)?.focus({ preventScroll: true });
  };
}
