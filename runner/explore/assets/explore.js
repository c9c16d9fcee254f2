// Start the page: state from the URL, the editor, the tabs and the controls.

import { setText, startEditor } from "./editor.js";
import { OTHER, say, startResults } from "./results.js";
import { readUrl, result, save, saved, state, writeUrl } from "./state.js";
import { showTab, startTabs } from "./tabs.js";

const EXAMPLES = [
  ["a subject", "V -[nsubj]-> S"],
  ["a passive", "V -[nsubj:pass]-> S\nV -[aux:pass]-> A"],
  ["a relative clause", "N:NOUN -[acl:relcl]-> V"],
  ["a subject far from its verb", "V -[nsubj]-> S\nS << M << V\nS -[=nmod]-> M"],
  ["a verb without a subject", "V:VERB[VerbForm = Fin]\nwithout { V -[nsubj]-> S }"],
];
const PAUSE = 250; // ms after a key before the search starts
let waiting = 0;

const element = (id) => document.getElementById(id);

function refresh() {
  if (!writeUrl()) say("The query is too long for the URL, so a link does not include it.");
  return showTab();
}

function typed(now = false) {
  clearTimeout(waiting);
  state.offset = 0;
  writeUrl();
  waiting = setTimeout(refresh, now ? 0 : PAUSE);
}

function choice(id, key, read = String) {
  element(id).value = state[key];
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

readUrl();
if (document.body.classList.contains("only-runs")) state.tab = "runs";
const initial = { base: state.base, name: state.name }, { offset } = state;
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
element("sort").append(new Option(state.sort, state.sort, false, true));
element("name").addEventListener("change", () => { state.name = element("name").value; typed(true); });
element("previous").addEventListener("click", () => turn(-1));
element("next").addEventListener("click", () => turn(1));
element("share").addEventListener("click", async () => {
  const fits = writeUrl();
  await navigator.clipboard.writeText(location.href);
  say(fits ? "The link is copied." : "The link is copied without the query, which is too long for a URL.");
});
element("save-form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const title = element("title").value.trim();
  try {
    say(`Saved as ${await result("save", { title })}. An opened sentence can now be kept as its example.`);
    saved.title = title;
  } catch (error) {
    say(error.message, true);
  }
});
for (const [label, body] of EXAMPLES) element("example").append(new Option(label, body));
once("example", (body) => setText(body));
once("library", async (number) => setText(await result("library", { base: Number(number) }), { base: Number(number) }));
once("export", async (format) => {
  if (format === "view") return saveView();
  say("exporting …");
  save(`matches.${format}`, await result("export", { format }), "text/plain");
  say("The matches are saved.");
});
setText(state.text, initial);
state.offset = offset;
if (!state.text) element("text").focus();
