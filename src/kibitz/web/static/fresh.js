// A page that Back brings from the browser's memory is loaded again: its lists may have changed meanwhile.
addEventListener("pageshow", (event) => event.persisted && location.reload());
