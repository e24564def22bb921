// Waits for the estimate of win rates and shows it.
import { getJson } from "/static/requests.js";

const results = document.getElementById("results");
const problem = document.getElementById("problem");

async function wait() {
  try {
    const job = await getJson(`/jobs/${results.dataset.job}`);
    if (job.state !== "running") return location.reload();
    results.querySelector("progress").value = job.percent;
    problem.hidden = true;
  } catch (error) {
    problem.textContent = error.message; // and ask again
    problem.hidden = false;
  }
  setTimeout(wait, 1000);
}

if (results?.dataset.job) wait();
