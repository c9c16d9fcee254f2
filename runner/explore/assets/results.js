// The matches: rows as they arrive, counts with progress, and the details of a row.

import { addClause } from "./editor.js";
import { showExamples } from "./examples.js";
import { readMarks, showMarks, startMarks } from "./marks.js";
import { ask, prose, result, save, saved, state, told } from "./state.js";

const results = document.getElementById("results");
const status = document.getElementById("status");
const progress = document.getElementById("progress");
const stop = document.getElementById("stop");
let running = null;
export const OTHER = "\u2026"; // the choice of a key that is not in the menu

export function say(text, isError = false) {
  status.replaceChildren(...prose(text));
  status.classList.toggle("of-error", isError);
}

// Cancel the running request, and return the signal of the next.
export function begin() {
  running?.abort();
  running = new AbortController();
  progress.removeAttribute("value");
  progress.hidden = stop.hidden = false;
  say("");
  return running.signal;
}

// Hide the progress of a request, unless another one runs.
export function end(signal) {
  if (signal === running.signal) progress.hidden = stop.hidden = true;
}

function interrupt() {
  running.abort();
  end(running.signal);
  say("Stopped.");
}

export async function search() {
  const signal = begin();
  if (!state.text.trim()) { turnable(0, 0); showExamples(results); say("Write the body of a match, or start from an example."); return end(signal); }
  if (results.className === "examples") results.replaceChildren();
  const body = document.createElement("tbody");
  let notes = "", page = 50, shown = 0, total = 0, ordered = "";
  say("searching …");
  try {
    for await (const each of ask("search", { view: state.view, sort: state.sort, offset: state.offset }, signal)) {
      if (each.kind === "problem") { turnable(0, 0); results.replaceChildren(); return say(each.problems.map(told).join("\n"), true); }
      if (each.kind === "plan") { page = each.page_size; notes = each.notes.map((note) => `\nnote: ${note}`).join(""); sorts(each.names); readMarks(each.key); }
      if (each.kind === "rows") {
        if (each.first) { body.replaceChildren(); show(body); shown = 0; }
        body.insertAdjacentHTML("beforeend", each.html);
        shown = body.children.length;
        scrollToMatch(body);
        showMarks();
        ordered = each.sorted && each.sorted === 10000 ? ", the first 10,000 sorted" : "";
      }
      if (each.kind === "counts" || each.kind === "done") {
        total = each.matches;
        if (each.kind === "done" && total <= state.offset) results.replaceChildren();
        if (each.kind === "done") ordered = state.sort.startsWith("random:") ? `, in random order (seed ${state.sort.slice(7)})` : "";
        counted(each, shown, ordered, notes);
      }
      turnable(total, page);
    }
  } catch (error) {
    if (error.name !== "AbortError") say(error.message, true);
  } finally {
    end(signal);
  }
}

export function turnable(total, page) {
  document.getElementById("previous").disabled = state.offset === 0;
  document.getElementById("next").disabled = total <= state.offset + page;
  document.getElementById("next").dataset.page = page;
}

function show(body) {
  const table = document.createElement("table");
  table.className = "rows";
  table.append(body);
  results.className = state.view;
  results.replaceChildren(table);
}

function counted(each, shown, ordered, notes) {
  const done = each.kind === "done", part = each.searched / Math.max(1, each.sentences);
  const million = done ? `, ${(1e6 * each.matches / Math.max(1, each.words)).toLocaleString("en", { maximumFractionDigits: 1 })} per million words` : "";
  const range = shown ? `${(state.offset + 1).toLocaleString("en")}–${(state.offset + shown).toLocaleString("en")} of ` : "";
  const where = done ? `${each.sentences.toLocaleString("en")} sentences` : `the first ${each.searched.toLocaleString("en")} of ${each.sentences.toLocaleString("en")} sentences`;
  say(`${range}${each.matches.toLocaleString("en")} matches in ${each.matching_sentences.toLocaleString("en")} of ${where}${million}${ordered}${notes}`);
  progress.value = part;
}

export function sorts(names) {
  const columns = ["form", "lemma", "upos", "xpos", "deprel"];
  const keys = [...names.flatMap((name) => columns.map((column) => `${column}(${name})`)), "length"];
  const options = [["corpus order", ""], ["random order", "random:1"], ["left context", "left"], ["right context", "right"], ...keys.map((key) => [key, key])];
  if (state.sort && !options.some(([, value]) => value === state.sort)) options.push([state.sort, state.sort]);
  options.push(["another key …", OTHER]);
  const form = document.getElementById("sort-form"); // of another key; it stays while it is filled in
  form.hidden = !form.contains(document.activeElement);
  document.getElementById("sort").replaceChildren(...options.map(([label, value]) => new Option(label, value, false, value === state.sort)));
}

function matchOf(row) {
  return { sid: Number(row.dataset.sid), match: row.dataset.match };
}

export function startResults() {
  startMarks();
  stop.addEventListener("click", interrupt);
  results.addEventListener("click", async (event) => {
    const add = event.target.closest("button.add");
    const row = event.target.closest("tr[data-sid]");
    try {
      if (add) await addClause(add.dataset.clause);
      else if (!row) return;
      else if (event.target.closest(".open") || state.tab === "audit") await toggle(row); // there is no query to add to
      else if (event.target.closest("[data-w]")) await columns(row, Number(event.target.closest("[data-w]").dataset.w));
      else if (event.target.closest(".label")) await relation(row, event.target.closest(".label"));
    } catch (error) {
      say(error.message, true);
    }
  });
}

function detail(row) {
  if (row.nextElementSibling?.classList.contains("detail")) return row.nextElementSibling.querySelector(".opened");
  const next = document.createElement("tr"), cell = document.createElement("td"), box = document.createElement("div");
  box.className = "opened";
  next.className = "detail";
  Object.assign(next.dataset, { of: row.dataset.sid, match: row.dataset.match });
  cell.colSpan = 4;
  cell.append(box);
  next.append(cell);
  row.after(next);
  return box;
}

async function toggle(row) {
  const isOpen = row.nextElementSibling?.classList.contains("detail");
  row.querySelector(".open").setAttribute("aria-expanded", String(!isOpen));
  if (isOpen) return row.nextElementSibling.remove();
  const opened = await result("open", matchOf(row)), box = detail(row);
  box.innerHTML = opened.arcs + opened.tree;
  scrollToMatch(box);
  if (state.tab !== "audit") box.querySelectorAll(".label").forEach((label) => label.addEventListener("click", (event) => { event.stopPropagation(); relation(row, label).catch((error) => say(error.message, true)); }));
  box.append(...(state.tab === "audit" ? [] : [forms(row, box)]), buttons(row, opened));
}

// Show the bound words of long sentences, in the middle of their drawings.
function scrollToMatch(place) {
  for (const drawing of place.querySelectorAll(".drawing, .tree")) {
    const bound = drawing.querySelector(".form.bound, b.bound");
    if (!bound) continue;
    const [inner, outer] = [bound.getBoundingClientRect(), drawing.getBoundingClientRect()];
    drawing.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
    drawing.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2;
  }
}

// A button for each word, so that the keyboard reaches its columns.
function forms(row, box) {
  const line = document.createElement("div");
  line.className = "forms";
  box.querySelectorAll(".form").forEach((form, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = form.textContent;
    button.addEventListener("click", () => columns(row, index + 1));
    line.append(button);
  });
  return line;
}

function buttons(row, { svg, place }) {
  const line = document.createElement("p"), name = place.replace(/[^\w.-]/g, "_");
  const asSvg = document.createElement("button"), asPng = document.createElement("button");
  asSvg.textContent = "SVG";
  asPng.textContent = "PNG";
  for (const button of [asSvg, asPng]) button.type = "button";
  asSvg.addEventListener("click", () => save(`${name}.svg`, svg, "image/svg+xml"));
  asPng.addEventListener("click", () => png(svg, `${name}.png`));
  line.className = "adds of-drawing";
  line.append("Save the drawing: ", asSvg, asPng);
  if (saved.title) line.append(keeper(row));
  return line;
}

// Give opened sentences a button that keeps them as examples of the filter that has been saved.
export function offerKeeping() {
  for (const line of results.querySelectorAll(".of-drawing")) {
    line.querySelector(".keep")?.remove();
    line.append(keeper(line.closest(".detail").previousElementSibling));
  }
}

function keeper(row) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "keep";
  button.textContent = `keep as an example of ${saved.title}`;
  button.addEventListener("click", async () => {
    try { say((await result("keep", { ...matchOf(row), title: saved.title })).join("\n")); } catch (error) { say(error.message, true); }
  });
  return button;
}

async function png(svg, name) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  const scale = Math.min(2, 16000 / Math.max(1, image.width));
  canvas.width = image.width * scale;
  canvas.height = image.height * scale;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => save(name, blob), "image/png");
}

async function columns(row, word) {
  const html = await result("word", { ...matchOf(row), word }), box = detail(row);
  box.querySelector(".of-word")?.remove();
  const part = document.createElement("div");
  part.className = "of-word";
  part.innerHTML = html;
  box.append(part);
}

async function relation(row, label) {
  const labels = [...label.closest("svg").querySelectorAll(".label")];
  const dependents = label.closest(".drawing").dataset.deps.split(" ");
  const clause = await result("relation", { ...matchOf(row), word: Number(dependents[labels.indexOf(label)]) });
  if (clause.text) await addClause(clause.text);
  else say(clause.note);
}
