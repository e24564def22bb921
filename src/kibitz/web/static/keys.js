// Arrow keys inside grids of links or buttons: one stop for Tab, arrows move on.
export function arrowKeys(root) {
  root.addEventListener("keydown", (event) => {
    const grid = event.target.closest("[data-grid]");
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!grid || !step) return;
    const across = Number(grid.dataset.across || 13);
    const all = [...grid.children];
    const from = all.indexOf(event.target.closest("[data-grid] > *"));
    let row = Math.floor(from / across) + step[0];
    let column = (from % across) + step[1];
    while (row >= 0 && column >= 0 && column < across && row * across + column < all.length) {
      const next = all[row * across + column];
      if (next.matches("a, button")) {
        for (const each of all) if (each.tabIndex === 0 && each.hasAttribute("tabindex")) each.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
        break;
      }
      row += step[0];
      column += step[1];
    }
    event.preventDefault();
  });
}
