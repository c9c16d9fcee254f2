// The state of the page, which the URL shows, and the requests to the server.

const DEFAULTS = { store: 0, text: "", base: null, name: null, tab: "matches", view: "kwic", sort: "", offset: 0, keys: "", over: "", other: "", title: "", kind: "remove", control: 0, run: null, paradigm: null, first: 0 };
const NUMBERS = ["base", "run", "paradigm"]; // those that may be null
const LONGEST = 8000; // characters of the query string
const token = document.querySelector("meta[name=token]").content;

export const state = { ...DEFAULTS };
export const saved = { title: null }; // the filter to which examples are added

// Take the state of the entry of the browser's history, or that of the URL.
export function readState() {
  Object.assign(state, DEFAULTS, history.state);
  if (history.state) return;
  const given = new URLSearchParams(location.search);
  for (const [key, value] of Object.entries(DEFAULTS)) {
    if (!given.has(key)) continue;
    const text = given.get(key);
    const isNumber = typeof value === "number" || NUMBERS.includes(key);
    if (!isNumber) state[key] = text;
    else if (/^\d{1,9}$/.test(text)) state[key] = Number(text);
  }
}

// Show the state in the URL, as a new entry of the history if `isStep`, and return whether it fits: a long query does not.
export function writeState(isStep = false) {
  const changed = Object.entries(state).filter(([key, value]) => value !== DEFAULTS[key]);
  const query = new URLSearchParams(changed).toString();
  const fits = query.length <= LONGEST;
  const isNew = JSON.stringify(history.state) !== JSON.stringify(state);
  history[isStep && isNew ? "pushState" : "replaceState"]({ ...state }, "", fits && query ? `?${query}` : location.pathname);
  document.title = [state.text.trim().split("\n")[0], "fictc explore"].filter(Boolean).join(" – ");
  return fits;
}

// Return a message as nodes: what is between backticks is code, and a code such as FICT518 leads to its page.
export function prose(message, isLinked = true) {
  return message.split(/`([^`\n]*)`/).flatMap((part, index) => {
    return index % 2 ? Object.assign(document.createElement("code"), { textContent: part }) : isLinked ? part.split(/\b(FICT\d{3})\b/).map(linked) : part;
  });
}

function linked(part, index) {
  return index % 2 ? Object.assign(document.createElement("a"), { textContent: part, href: `/pages/${part}`, target: "_blank", rel: "noopener" }) : part;
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

// Copy a text, and return whether the browser lets the page do so.
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export function save(name, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
