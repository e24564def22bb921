// Requests to this server: JSON in and out, errors as Error with the server's own sentence and, as `answer`, all of it.
const GONE = "The server does not answer. Start it again with: kibitz web";

export async function request(address, options) {
  let response;
  try {
    response = await fetch(address, { ...options, headers: { Accept: "application/json", ...options?.headers } });
  } catch {
    throw new Error(GONE);
  }
  const text = await response.text();
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    answer = { error: text }; // a sentence of the gate
  }
  if (response.ok) return answer;
  throw Object.assign(new Error(answer.error || `The server answered ${response.status}.`), { answer });
}

export const getJson = (address) => request(address);

export function postJson(address, document) {
  const headers = { "Content-Type": "application/json" };
  return request(address, { method: "POST", headers, body: JSON.stringify(document) });
}
