// Keeps the list of jobs up to date while one of them runs.
import { getJson } from "/static/requests.js";
import { redrawer } from "/static/redraw.js";

const put = redrawer(document.getElementById("jobs"));
const problem = document.getElementById("problem");

async function refresh() {
  try {
    const { html, running } = await getJson("/jobs/list");
    put(html);
    problem.hidden = true;
    setTimeout(refresh, running ? 1000 : 5000);
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
    setTimeout(refresh, 5000);
  }
}

setTimeout(refresh, 1000);
