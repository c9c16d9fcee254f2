// Start the page: state from the URL, the editor, the tabs and the controls.

import { setText, showText, startEditor } from "./editor.js";
import { startExamples } from "./examples.js";
import { saveSheet } from "./marks.js";
import { OTHER, offerKeeping, say, sorts, startResults } from "./results.js";
import { copy, readState, result, save, saved, state, writeState } from "./state.js";
import { showTab, startTabs } from "./tabs.js";

const FIELDS = { store: "store", view: "view", "keys-of-count": "keys", over: "over", other: "other",
  "condition-title": "title", kind: "kind", control: "control" }; // ids and what they show
const PAUSE = 250; // ms after a key before the search starts
let waiting = 0;

const element = (id) => document.getElementById(id);

function refresh() {
  element("long").hidden = writeState(true);
  return showTab();
}

function typed({ now = false, isStep = false } = {}) {
  clearTimeout(waiting);
  state.offset = 0;
  writeState(isStep);
  waiting = setTimeout(refresh, now ? 0 : PAUSE);
}

// Show the state as it was when the page was loaded, or where the user went back to.
function restore() {
  clearTimeout(waiting);
  readState();
  if (document.body.classList.contains("only-runs")) state.tab = "runs";
  else if (state.store >= element("store").length) state.store = 0; // a link to a server with more stores
  for (const [id, key] of Object.entries(FIELDS)) {
    const field = element(id);
    if (field?.type === "checkbox") field.checked = state[key] === 1;
    else if (field) field.value = state[key] ?? "";
  }
  sorts([]);
  showText();
  writeState();
  return showTab();
}

function choice(id, key, read = String) {
  element(id).addEventListener("change", () => {
    state[key] = read(element(id).value);
    state.offset = 0;
    refresh();
  });
}

function sortBy(key) {
  Object.assign(state, { sort: key, offset: 0 });
  refresh();
}

function turn(direction) {
  const page = Number(element("next").dataset.page ?? 50);
  state.offset = Math.max(0, state.offset + direction * page);
  refresh();
}

// Save what is shown, with its styles, as a page that needs no program.
async function saveView() {
  const styles = await Promise.all([...document.querySelectorAll("link[rel=stylesheet]")].map(async ({ href }) => (await fetch(href)).text()));
  const escaped = (text) => Object.assign(document.createElement("p"), { textContent: text }).innerHTML;
  const title = escaped(`fictc explore: ${element("store").selectedOptions[0]?.label ?? ""}`);
  const shown = element("results").cloneNode(true);
  for (const button of shown.querySelectorAll("button.copy")) button.remove();
  for (const button of shown.querySelectorAll("button")) {
    button.replaceWith(Object.assign(document.createElement("span"), { textContent: button.textContent, title: button.title }));
  }
  const parts = [
    `<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>${title}</title><style>${styles.join("\n")}</style>`,
    `<main><pre class="text">${escaped(state.text)}</pre><p class="lines">${escaped(element("status").textContent)}</p>`,
    `${shown.outerHTML}</main></html>\n`,
  ];
  save("view.html", parts.join("\n"), "text/html");
}

function once(id, act) {
  element(id).addEventListener("change", async () => {
    const { value } = element(id);
    element(id).value = "";
    try { if (value !== "") await act(value); } catch (error) { say(error.message, true); }
  });
}

startEditor(typed);
startResults();
startTabs(refresh);
choice("store", "store", Number);
choice("view", "view");
element("sort").addEventListener("change", () => {
  const isOther = element("sort").value === OTHER;
  element("sort-form").hidden = !isOther;
  if (isOther) element("sort-key").focus();
  else sortBy(element("sort").value);
});
element("sort-form").addEventListener("submit", (event) => { event.preventDefault(); sortBy(element("sort-key").value.trim()); });
element("name").addEventListener("change", () => { state.name = element("name").value; typed({ now: true, isStep: true }); });
element("previous").addEventListener("click", () => turn(-1));
element("next").addEventListener("click", () => turn(1));
element("share").addEventListener("click", async () => {
  const fits = writeState();
  if (!(await copy(location.href))) return say("The browser does not let the page copy. Its address is the link.", true);
  say(fits ? "The link is copied." : "The link is copied without the query, which is too long for a URL.");
});
element("save-form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const title = element("title").value.trim();
  try {
    say(`Saved as ${await result("save", { title })}. An opened sentence can now be kept as its example.`);
    saved.title = title;
    state.title ||= title; // of a condition
    element("condition-title").value = state.title;
    writeState();
    offerKeeping();
  } catch (error) {
    say(error.message, true);
  }
});
startExamples(element("example"));
once("example", (body) => setText(body));
once("library", async (number) => setText(await result("library", { base: Number(number) }), { base: Number(number) }));
once("export", async (format) => {
  if (format === "view") return saveView();
  if (format === "marks") return say(`The sheet of ${await saveSheet()} marks is saved.`);
  say("exporting …");
  save(`matches.${format}`, await result("export", { format }), "text/plain");
  say("The matches are saved.");
});
window.addEventListener("popstate", restore);
restore();
if (!state.text && state.tab !== "runs") element("text").focus();
