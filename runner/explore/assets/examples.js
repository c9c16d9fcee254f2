// Queries to start from: in a menu, and on the page while the query is empty.

import { setText } from "./editor.js";

const EXAMPLES = [
  ["a subject", "V -[nsubj]-> S"],
  ["a passive", "V -[nsubj:pass]-> S\nV -[aux:pass]-> A"],
  ["a relative clause", "N:NOUN -[acl:relcl]-> V"],
  ["a subject far from its verb", "V -[nsubj]-> S\nS << M << V\nS -[=nmod]-> M"],
  ["a verb without a subject", "V:VERB[VerbForm = Fin]\nwithout { V -[nsubj]-> _ }"],
];

export function startExamples(menu) {
  menu.append(...EXAMPLES.map(([label, body]) => new Option(label, body)));
}

export function showExamples(place) {
  place.className = "examples";
  place.replaceChildren(...EXAMPLES.map(([label, body]) => {
    const button = document.createElement("button"), code = document.createElement("code");
    button.type = "button";
    code.textContent = body;
    button.append(label, code);
    button.addEventListener("click", () => setText(body));
    return button;
  }));
}
