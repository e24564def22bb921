// Requests to this server: JSON in and out, errors as Error with the server's own sentence.
async function answered(response) {
  let document = {};
  try {
    document = await response.json();
  } catch {
    document = { error: `the server answered ${response.status}` };
  }
  if (!response.ok) throw new Error(document.error || `the server answered ${response.status}`);
  return document;
}

export async function getJson(address) {
  return answered(await fetch(address, { headers: { Accept: "application/json" } }));
}

export async function postJson(address, document) {
  return answered(
    await fetch(address, {
      method: "POST",
      headers: { Accept: "application/json", "Content-Type": "application/json" },
      body: JSON.stringify(document),
    }),
  );
}
