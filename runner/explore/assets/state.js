// The state of the page, which the URL shows, and the requests to the server.

const DEFAULTS = { store: 0, text: "", base: null, name: null, tab: "matches", view: "kwic", sort: "", offset: 0, keys: "", over: "", other: "", title: "", kind: "remove", control: 0, manifest: null, run: null, paradigm: null, first: 0 };
const NUMBERS = ["base", "manifest", "run", "paradigm"]; // those that may be null
const LONGEST = 8000; // characters of the query string
const token = document.querySelector("meta[name=token]").content;

export const state = { ...DEFAULTS };
export const saved = { title: null }; // the filter to which examples are added

export function readUrl() {
  const given = new URLSearchParams(location.search);
  for (const [key, value] of Object.entries(DEFAULTS)) {
    if (!given.has(key)) continue;
    const text = given.get(key);
    const isNumber = typeof value === "number" || NUMBERS.includes(key);
    if (!isNumber) state[key] = text;
    else if (/^\d{1,9}$/.test(text)) state[key] = Number(text);
  }
}

// Return whether the URL holds the state; a long query does not fit.
export function writeUrl() {
  const changed = Object.entries(state).filter(([key, value]) => value !== DEFAULTS[key]);
  const query = new URLSearchParams(changed).toString();
  const fits = query.length <= LONGEST;
  history.replaceState(null, "", fits && query ? `?${query}` : location.pathname);
  return fits;
}

// Yield the objects of an answer.
export async function* ask(name, values = {}, signal = undefined) {
  const { store, text, base, name: filter } = state;
  const response = await fetch(`/api/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-fictc-token": token },
    body: JSON.stringify({ store, text, base, name: filter, ...values }),
    signal,
  });
  if (!response.ok) throw new Error(await response.text());
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = lines.pop();
    for (const line of lines) yield JSON.parse(line);
    if (done) return;
  }
}

// Return the result of a request with one object in its response.
export async function result(name, values = {}, signal = undefined) {
  for await (const each of ask(name, values, signal)) {
    if (each.kind === "problem") throw new Error(each.problems.map(told).join("\n"));
    return each.result;
  }
  throw new Error("The server gave no answer.");
}

export function told({ code, message, hint }) {
  return [code, message, hint && `(${hint})`].filter(Boolean).join(" ");
}

export function save(name, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
