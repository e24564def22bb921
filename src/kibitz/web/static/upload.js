// Sends a file as the body of one request and opens it.
import { request } from "/static/requests.js";

const file = document.getElementById("file");
const problem = document.getElementById("problem");
const sending = document.getElementById("sending");
const MOST = 16 << 20;

file.addEventListener("change", async () => {
  const [chosen] = file.files;
  if (!chosen) return;
  problem.hidden = true;
  try {
    if (chosen.size > MOST) throw new Error(`${chosen.name} has ${Math.ceil(chosen.size / (1 << 20))} MiB: 16 are the most. Put it into the folder instead.`);
    sending.hidden = false;
    const { name } = await request(`/logs/upload?${new URLSearchParams({ name: chosen.name })}`, { method: "POST", body: chosen });
    location.assign(`/logs/open?${new URLSearchParams({ name })}`);
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
    file.value = "";
  } finally {
    sending.hidden = true;
  }
});
document.getElementById("upload").addEventListener("submit", (event) => event.preventDefault());
