// Marks of matches as right, wrong or unsure, kept for each corpus, query and order, and the precision that they show.

import { prose, result, save, state } from "./state.js";

const KEYS = { y: "right", n: "wrong", "?": "unsure" };
const SIGNS = { right: "✓", wrong: "✗", unsure: "?" };
const Z = 1.959964; // of a 95 % interval
const MOST = 10000; // marks of a query
const results = document.getElementById("results");
const marks = new Map(); // a match, such as "17 V:3 S:2", and its mark, in the order in which they were made
let place = null; // in the browser's storage
let undoable = []; // matches and what they were marked as before

const rows = () => [...results.querySelectorAll("tr[data-sid]")].filter((row) => !row.closest(".detail"));
const matchOf = (row) => `${row.dataset.sid} ${row.dataset.match}`;
const isRandom = () => /^random:\d+$/.test(state.sort);

// Take up the marks of a query, whose key the server has sent.
export function readMarks(key) {
  const corpus = document.getElementById("store").selectedOptions[0]?.label ?? "";
  const next = `marks ${JSON.stringify([corpus, key, state.sort])}`;
  if (next === place) return;
  place = next;
  undoable = [];
  marks.clear();
  try { for (const [match, mark] of JSON.parse(localStorage.getItem(place)) ?? []) marks.set(match, mark); } catch { /* not ours */ }
  report();
}

export function showMarks() {
  for (const row of rows()) show(row);
}

function show(row) {
  const mark = marks.get(matchOf(row)), sign = row.querySelector(".sign") ?? document.createElement("span");
  if (mark) row.dataset.mark = mark;
  else delete row.dataset.mark;
  sign.className = "sign";
  sign.textContent = mark ? SIGNS[mark] : "";
  sign.title = mark ?? "";
  row.querySelector("th").prepend(sign);
}

function set(match, mark) {
  marks.delete(match); // a new mark comes last
  if (mark) marks.set(match, mark);
  try {
    if (marks.size) localStorage.setItem(place, JSON.stringify([...marks]));
    else localStorage.removeItem(place);
  } catch { /* no room: the marks last as long as the page */ }
  showMarks();
  report();
}

// Mark the match that has the focus, or the first one without a mark, and go on to the next without a mark.
function mark(kind) {
  const all = rows(), place = document.activeElement.closest("#results tr"); // of a match, or of its opened sentence
  const focused = place?.dataset.of === undefined ? place : place.previousElementSibling;
  const row = all.find((each) => each === focused) ?? all.find((each) => !marks.has(matchOf(each)));
  if (!row || marks.size >= MOST) return;
  undoable.push([matchOf(row), marks.get(matchOf(row))]);
  set(matchOf(row), kind);
  const next = all.slice(all.indexOf(row) + 1).find((each) => !marks.has(matchOf(each)));
  (next?.querySelector(".open") ?? document.getElementById("next")).focus();
}

function undo() {
  const last = undoable.pop();
  if (!last) return;
  set(...last);
  rows().find((row) => matchOf(row) === last[0])?.querySelector(".open").focus();
}

function count(kind) {
  return [...marks.values()].filter((each) => each === kind).length;
}

// The interval of Wilson (1927) for a share.
function interval(right, total) {
  const middle = right + Z * Z / 2, half = Z * Math.sqrt(right * (total - right) / total + Z * Z / 4);
  return [(middle - half) / (total + Z * Z), (middle + half) / (total + Z * Z)];
}

function report() {
  const right = count("right"), total = right + count("wrong"), unsure = count("unsure");
  const percent = (share) => (100 * share).toFixed(1);
  const parts = [];
  if (total) parts.push(`precision ${percent(right / total)}\u00a0% (${right} of ${total})`);
  if (total && isRandom()) parts.push(`95 % interval ${interval(right, total).map(percent).join("–")}\u00a0%`);
  if (total && !isRandom()) parts.push("no interval, since the order is not `random`");
  if (unsure) parts.push(`${unsure} unsure`);
  document.getElementById("precision").replaceChildren(...prose(parts.join(", ") || "or keys y, n, ?; u undoes"));
  document.getElementById("undo").disabled = !undoable.length;
}

// Save the marks as a sheet.
export async function saveSheet(format) {
  const list = [...marks].map(([match, kind]) => {
    const [sid, ...words] = match.split(" ");
    return { sid: Number(sid), match: words.join(" "), mark: kind };
  });
  save(`marks.${format}`, await result("sheet", { sort: state.sort, marks: list, format }), "text/plain");
  return list.length;
}

export function startMarks() {
  for (const button of document.querySelectorAll("[data-mark]")) button.addEventListener("click", () => mark(button.dataset.mark));
  document.getElementById("undo").addEventListener("click", undo);
  document.addEventListener("keydown", (event) => {
    if (state.tab !== "matches" || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input, textarea, select")) return;
    if (event.key === "u") undo();
    else if (event.key in KEYS) mark(KEYS[event.key]);
    else return;
    event.preventDefault();
  });
  report();
}
