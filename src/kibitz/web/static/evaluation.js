// Waits for the estimate of win rates and shows it.
import { getJson } from "/static/requests.js";

const results = document.getElementById("results");

async function wait() {
  try {
    const job = await getJson(`/jobs/${results.dataset.job}`);
    if (job.state !== "running") return location.reload();
    results.querySelector("progress").value = job.percent;
  } catch {
    // The server is busy or gone; ask again.
  }
  setTimeout(wait, 1000);
}

if (results?.dataset.job) wait();
