// The editor: a textarea above its highlighted text, with diagnostics, completion and the formatter.

import { prose, result, state } from "./state.js";

const text = document.getElementById("text");
const overlay = document.getElementById("overlay");
const list = document.getElementById("completions");
const problems = document.getElementById("problems");
const known = new Map(); // lines that have been highlighted
let changed = () => {};
let studying = null;
let offered = null;
let isStep = false; // whether the text is changed by a click

export function startEditor(onChange) {
  changed = onChange;
  text.addEventListener("input", () => { hideCompletions(); fit(); update(); });
  text.addEventListener("scroll", scroll);
  text.addEventListener("keydown", key);
  text.addEventListener("blur", () => setTimeout(hideCompletions, 150));
  new ResizeObserver(scroll).observe(text);
}

export function setText(value, { base = null, name = null } = {}) {
  Object.assign(state, { base, name });
  text.value = value;
  fit();
  isStep = true;
  update();
  isStep = false;
}

// Show the text of the state, which has not changed.
export function showText() {
  text.value = state.text;
  fit();
  paint(null);
  study();
}

// Add a clause to the query: at the end, or before the closing brace of the `match` of a file's chosen filter.
export async function addClause(clause) {
  let value, end;
  do {
    value = text.value;
    end = await result("match-end");
  } while (text.value !== value); // changed while the server answered
  if (end === null) return replace(value.length, value.length, (value && !value.endsWith("\n") ? "\n" : "") + clause, true);
  replace(offset(end), offset(end), `  ${clause.replaceAll("\n", "\n    ")}\n  `, true);
}

function replace(start, end, value, step = false) {
  text.focus();
  text.setSelectionRange(start, end);
  isStep = step;
  document.execCommand("insertText", false, value); // keeps undo
  if (!text.value.includes(value)) { text.setRangeText(value, start, end, "end"); }
  fit();
  update();
  isStep = false;
}

function fit() {
  text.rows = Math.min(24, Math.max(4, text.value.split("\n").length + 1));
}

// A step has an entry of its own in the browser's history; typing does not.
function update() {
  state.text = text.value;
  paint(null);
  study();
  changed({ isStep });
}

async function study() {
  studying?.abort();
  const mine = (studying = new AbortController());
  try {
    const found = await result("study", {}, mine.signal);
    const lines = state.text.split("\n");
    if (known.size > 2000) known.clear();
    found.lines.forEach((html, number) => known.set(lines[number], html));
    paint(found.problems);
    showProblems(found.problems);
    showFilters(found.filters);
  } catch (error) {
    failed(error);
  }
}

function failed(error) {
  if (error.name !== "AbortError") showProblems([{ code: "", severity: "error", message: error.message, start: [0, 0], end: [0, 0], fixes: [] }]);
}

// Show each line as last highlighted; a line that is being typed is plain until the answer arrives.
function paint(found) {
  const lines = state.text.split("\n");
  overlay.replaceChildren();
  for (const line of lines) {
    const row = document.createElement("span");
    if (known.has(line)) row.innerHTML = known.get(line);
    else row.textContent = line;
    overlay.append(row, "\n");
  }
  for (const each of found ?? []) underline(each);
  overlay.append(" ");
  scroll();
}

function underline({ start, end, severity }) {
  const row = overlay.children[start[0]];
  if (!row) return;
  const first = Math.max(0, Math.min(start[1], row.textContent.length - 1)); // at the end of a line, its last character
  const last = end[0] === start[0] ? Math.max(end[1], first + 1) : Infinity;
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  let at = 0;
  for (const node of nodes) {
    const from = Math.max(first - at, 0), to = Math.min(last - at, node.length);
    at += node.length;
    if (from >= to) continue;
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, to);
    const mark = document.createElement("span");
    mark.className = severity;
    range.surroundContents(mark);
  }
}

function scroll() {
  overlay.scrollTop = text.scrollTop;
  overlay.style.height = `${text.offsetHeight}px`;
}

function showProblems(found) {
  problems.replaceChildren(...found.map((each) => {
    const item = document.createElement("li");
    item.className = `of-${each.severity}`;
    item.append(...prose(`${each.code} ${each.message}`.trim()));
    for (const [title, start, end, replacement] of each.fixes) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...prose(title, false));
      button.addEventListener("click", () => replace(offset(start), offset(end), replacement));
      item.append(button);
    }
    return item;
  }));
}

function showFilters(names) {
  const label = document.getElementById("filters"), select = document.getElementById("name");
  label.hidden = names.length < 2;
  select.replaceChildren(...names.map((name) => new Option(name, name, false, name === state.name)));
}

function offset([line, character]) {
  const lines = text.value.split("\n");
  return lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + character;
}

function place() {
  const before = text.value.slice(0, text.selectionStart).split("\n");
  return { line: before.length - 1, character: before.at(-1).length };
}

async function key(event) {
  if (event.altKey && event.code === "KeyF") { event.preventDefault(); return format().catch(failed); }
  if (event.ctrlKey && event.code === "Space") { event.preventDefault(); return complete().catch(failed); }
  if (event.ctrlKey && event.key === "Enter") { event.preventDefault(); return changed({ now: true }); }
  if (!offered) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) { event.preventDefault(); choose((offered.chosen + step + offered.items.length) % offered.items.length); }
  else if (event.key === "Enter" || event.key === "Tab") { event.preventDefault(); accept(offered.chosen); }
  else if (event.key === "Escape") { event.preventDefault(); hideCompletions(); }
}

async function format() {
  const formatted = await result("format");
  if (formatted !== null && formatted !== text.value) replace(0, text.value.length, formatted);
}

async function complete() {
  const end = text.selectionStart;
  const { start, items } = await result("complete", place());
  if (!items.length || text.selectionStart !== end) return;
  offered = { items, start: offset(start), end, chosen: 0 };
  list.replaceChildren(...items.map(({ label, about }, number) => {
    const item = document.createElement("li"), note = document.createElement("small");
    item.role = "option";
    item.id = `completion-${number}`;
    note.textContent = about.replace(/[*`]/g, "");
    item.append(label, note);
    item.addEventListener("mousedown", (event) => { event.preventDefault(); accept(number); });
    return item;
  }));
  list.style.top = `${Math.min(text.offsetHeight, 10 + 21 * (place().line + 1) - text.scrollTop)}px`;
  list.hidden = false;
  choose(0);
}

function choose(number) {
  offered.chosen = number;
  [...list.children].forEach((item, index) => item.setAttribute("aria-selected", index === number));
  list.children[number].scrollIntoView({ block: "nearest" });
  text.setAttribute("aria-activedescendant", `completion-${number}`);
}

function accept(number) {
  const { items, start, end } = offered;
  hideCompletions();
  replace(start, end, items[number].insert);
}

function hideCompletions() {
  offered = null;
  list.hidden = true;
  text.removeAttribute("aria-activedescendant");
}
