// Sends a file as the body of one request and opens it.
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
    const answer = await fetch(`/logs/upload?${new URLSearchParams({ name: chosen.name })}`, { method: "POST", body: chosen, headers: { Accept: "application/json" } });
    const told = answer.headers.get("content-type")?.includes("json") ? await answer.json() : { error: await answer.text() };
    if (!answer.ok) throw new Error(told.error);
    location.assign(`/logs/open?${new URLSearchParams({ name: told.name })}`);
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
    file.value = "";
  } finally {
    sending.hidden = true;
  }
});
document.getElementById("upload").addEventListener("submit", (event) => event.preventDefault());
