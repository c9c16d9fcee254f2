// The tab of finished runs: a table of runs, of the paradigms of one, or of the pairs of a paradigm.

import { say } from "./results.js";
import { result, state } from "./state.js";

export function runsQuestion() {
  const { run, paradigm, first } = state;
  if (run === null) return ["runs", {}];
  return paradigm === null ? ["paradigms", { run }] : ["pairs", { run, paradigm, offset: first }];
}

export function startRuns(changed) {
  document.getElementById("results").addEventListener("click", async (event) => {
    const button = event.target.closest("button.go");
    if (!button) return;
    const number = (key) => (button.dataset[key] === undefined ? null : Number(button.dataset[key]));
    if (number("pair") !== null) return toggle(button.closest("tr"), number);
    Object.assign(state, { run: number("run"), paradigm: number("paradigm"), first: number("offset") ?? 0 });
    changed();
  });
}

async function toggle(row, number) {
  if (row.nextElementSibling?.classList.contains("detail")) return row.nextElementSibling.remove();
  const next = document.createElement("tr"), cell = document.createElement("td");
  next.className = "detail";
  cell.colSpan = row.children.length;
  try {
    cell.innerHTML = await result("pair", { run: number("run"), paradigm: number("paradigm"), pair: number("pair") });
    next.append(cell);
    row.after(next);
  } catch (error) {
    say(error.message, true);
  }
}
