// The tabs beside the matches.

import { readSheet } from "./marks.js";
import { begin, end, say, search, turnable } from "./results.js";
import { runsQuestion, startRuns } from "./runs.js";
import { copy, result, save, state } from "./state.js";

const results = document.getElementById("results");
let csv = "";

const QUESTIONS = {
  count: () => (state.over.trim() || !state.keys.trim() ? ["trend", { keys: state.keys, over: state.over.trim() || "genre" }] : ["count", { keys: state.keys }]),
  near: () => ["near", {}],
  explain: () => ["explain", {}],
  plan: () => ["plan", {}],
  coverage: () => ["coverage", {}],
  rewrite: () => ["rewrite", {}],
  diff: () => ["diff", { other: state.other }],
  condition: () => ["condition", condition()],
  runs: runsQuestion,
  audit: () => ["audit", { offset: state.offset }],
};
const FREE = ["runs", "audit"]; // tabs that need no query
const NEEDS = { diff: ["other", "Write a second query to compare with."] };

function condition() {
  const { title, kind, control } = state;
  return { title, kind, control };
}

export async function showTab() {
  for (const button of document.querySelectorAll("[role=tab]")) {
    const chosen = button.dataset.tab === state.tab;
    button.setAttribute("aria-selected", chosen);
    button.tabIndex = chosen ? 0 : -1;
    if (chosen) document.getElementById("panel").setAttribute("aria-labelledby", button.id);
  }
  for (const bar of document.querySelectorAll("[data-for]")) bar.hidden = !bar.dataset.for.split(" ").includes(state.tab);
  document.getElementById("csv").hidden = true;
  if (state.tab === "matches") return search();
  const signal = begin(), [key, need] = NEEDS[state.tab] ?? [];
  results.replaceChildren();
  const missing = (!FREE.includes(state.tab) && !state.text.trim() && "Write a query first.")
    || (key && !state[key].trim() && need);
  if (missing) { end(signal); return say(missing); }
  say("computing …");
  try {
    const found = await result(...QUESTIONS[state.tab](), signal);
    say("");
    results.className = state.tab;
    results.innerHTML = found.html ?? found;
    csv = found.csv ?? "";
    document.getElementById("csv").hidden = !csv;
    if (state.tab === "audit") { turnable(found.rows, 50); readSheet(found.judgements, found.rows); }
  } catch (error) {
    if (error.name !== "AbortError") say(error.message, true);
  } finally {
    end(signal);
  }
}

export function startTabs(changed) {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const open = (tab) => {
    const isAudit = tab.dataset.tab === "audit";
    if (isAudit) document.getElementById("store").value = state.store = 0; // the corpus of the sheet
    if (isAudit !== (state.tab === "audit")) state.offset = 0;
    state.tab = tab.dataset.tab;
    changed();
  };
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener("click", () => open(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = tabs[(index + step + tabs.length) % tabs.length];
      next.focus();
      open(next);
    });
  }
  form("count-form", { "keys-of-count": "keys", over: "over" }, changed);
  form("diff-form", { other: "other" }, changed);
  startRuns(changed);
  conditionForm(changed);
  document.getElementById("csv").addEventListener("click", () => save("counts.csv", csv, "text/csv"));
}

function form(name, fields, changed) {
  document.getElementById(name).addEventListener("submit", (event) => {
    event.preventDefault();
    for (const [field, key] of Object.entries(fields)) state[key] = document.getElementById(field).value;
    changed();
  });
}

// Each field changes what is shown, which has buttons that copy it.
function conditionForm(changed) {
  for (const id of ["condition-title", "kind", "control"]) {
    document.getElementById(id).addEventListener("change", () => { readCondition(); changed(); });
  }
  document.getElementById("condition-form").addEventListener("submit", (event) => event.preventDefault());
  results.addEventListener("click", async (event) => {
    const button = event.target.closest("button.copy");
    if (!button) return;
    const copied = await copy(button.nextElementSibling.textContent);
    say(copied ? "Copied." : "The browser does not let the page copy. Select the text instead.", !copied);
  });
}

function readCondition() {
  const field = (id) => document.getElementById(id);
  state.title = field("condition-title").value.trim();
  state.kind = field("kind").value;
  state.control = field("control").checked ? 1 : 0;
}
