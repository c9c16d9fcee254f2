// Judgements, y, n or ?, of matches, which the browser keeps for each corpus, query and order, with the precision that
// they show; and of the rows of an audit's sheet, which the server saves.

import { prose, result, save, state } from "./state.js";

const SIGNS = { y: "✓", n: "✗", "?": "?" };
const TITLES = { y: "right", n: "wrong", "?": "unsure" };
const TABS = ["matches", "audit"]; // those with rows to mark
const Z = 1.959964; // of a 95 % interval
const MOST = 10000; // marks of a query
const results = document.getElementById("results");
const marks = new Map(); // a match, such as "17 V:3 S:2", and its mark, in the order in which they were made
let place = null; // in the browser's storage
let rowsOfSheet = 0, savedRows = 0; // of the sheet that is judged, and how many of its judgements are in its file
let saving = Promise.resolve(); // of judgements, one after the other, so that the last one of a row stays
let undoable = []; // matches and what they were marked as before

const rows = () => [...results.querySelectorAll("tr[data-sid]")].filter((row) => !row.closest(".detail"));
const isAudit = () => state.tab === "audit";
// What a mark is kept for: a match or, in an audit, a row of the sheet.
const matchOf = (row) => (isAudit() ? String(state.offset + rows().indexOf(row)) : `${row.dataset.sid} ${row.dataset.match}`);
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

// Take up the judgements of an audit's sheet.
export function readSheet(judgements, count) {
  place = null;
  [rowsOfSheet, savedRows] = [count, Object.keys(judgements).length];
  undoable = [];
  marks.clear();
  for (const [row, judgement] of Object.entries(judgements)) marks.set(row, judgement);
  showMarks();
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
  sign.title = TITLES[mark] ?? "";
  row.querySelector("th").prepend(sign);
}

function set(match, mark) {
  marks.delete(match); // a new mark comes last
  if (mark) marks.set(match, mark);
  showMarks();
  if (isAudit()) return saveJudgement(Number(match), mark ?? null);
  report();
  try {
    if (marks.size) localStorage.setItem(place, JSON.stringify([...marks]));
    else localStorage.removeItem(place);
  } catch { /* no room: the marks last as long as the page */ }
}

function saveJudgement(row, judgement) {
  saving = saving.then(() => result("judge", { row, judgement })).then((count) => { savedRows = count; report(); }, (error) => report(error.message));
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

function report(problem = "") {
  document.getElementById("undo").disabled = !undoable.length;
  if (isAudit()) return document.getElementById("precision").replaceChildren(...prose(problem || `${savedRows} of ${rowsOfSheet} judged`));
  const right = count("y"), total = right + count("n"), unsure = count("?");
  const percent = (share) => (100 * share).toFixed(1);
  const parts = [];
  if (total) parts.push(`precision ${percent(right / total)}\u00a0% (${right} of ${total})`);
  if (total && isRandom()) parts.push(`95 % interval ${interval(right, total).map(percent).join("–")}\u00a0%`);
  if (total && !isRandom()) parts.push("no interval, since the order is not `random`");
  if (unsure) parts.push(`${unsure} unsure`);
  document.getElementById("precision").replaceChildren(...prose(parts.join(", ") || "or keys y, n, ?; u undoes"));
}

// Save the marks as a sheet.
export async function saveSheet() {
  const list = [...marks].map(([match, judgement]) => {
    const [sid, ...words] = match.split(" ");
    return { sid: Number(sid), match: words.join(" "), judgement };
  });
  save("marks.csv", await result("sheet", { sort: state.sort, marks: list }), "text/csv");
  return list.length;
}

export function startMarks() {
  for (const button of document.querySelectorAll("[data-mark]")) button.addEventListener("click", () => mark(button.dataset.mark));
  document.getElementById("undo").addEventListener("click", undo);
  document.addEventListener("keydown", (event) => {
    if (!TABS.includes(state.tab) || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input, textarea, select")) return;
    if (event.key === "u") undo();
    else if (event.key in SIGNS) mark(event.key);
    else return;
    event.preventDefault();
  });
  report();
}
