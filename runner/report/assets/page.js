"use strict";
(() => {
  // Sortable tables: a click on a heading sorts by data-v, numerically if possible, with missing values last.
  const value = (row, index) => row.children[index].dataset.v;
  const compare = (a, b, sign) => {
    if (a === "" || b === "") return (a === "") - (b === "");
    const x = Number(a), y = Number(b);
    return sign * (Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y);
  };
  for (const button of document.querySelectorAll("button.sort")) {
    button.addEventListener("click", () => {
      const head = button.parentElement, body = head.closest("table").tBodies[0];
      const index = Array.from(head.parentElement.children).indexOf(head);
      const first = head.classList.contains("number") ? "descending" : "ascending";
      const other = first === "descending" ? "ascending" : "descending";
      const order = head.getAttribute("aria-sort") === first ? other : first;
      for (const cell of head.parentElement.children) cell.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      for (const open of body.querySelectorAll('.open[aria-expanded="true"]')) open.click();
      const rows = Array.from(body.rows);
      rows.sort((a, b) => compare(value(a, index), value(b, index), order === "ascending" ? 1 : -1));
      body.append(...rows);
    });
  }

  // Pairs of a paradigm. Text is set through textContent only, so that no markup is interpreted.
  const stored = document.getElementById("items"), data = stored && JSON.parse(stored.textContent);
  const make = (name, look, text) => {
    const element = document.createElement(name);
    if (look) element.className = look;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const number = (x) => (x < 0 ? "−" : x > 0 ? "+" : "") + Math.abs(x).toFixed(2);
  const pairs = (index) => {
    const { how, term, unit, pairs } = data.paradigms[index], table = make("table"), head = table.createTHead().insertRow();
    head.append(make("th", "", "pair"));
    for (const [condition, model] of data.columns) {
      const cell = make("th", "", condition);
      cell.append(make("small", "", model));
      head.append(cell);
    }
    const body = table.createTBody();
    for (const [item, notes, good, bad, ...scores] of pairs) {
      const row = body.insertRow(), cell = row.insertCell();
      cell.className = "pair";
      cell.append(make("span", "good", good), make("span", "bad", bad));
      if (notes) cell.append(make("small", "note", notes));
      cell.title = "pair " + item;
      for (let i = 0; i < scores.length; i += 2) {
        const known = scores[i] !== null && scores[i + 1] !== null, delta = known ? scores[i] - scores[i + 1] : 0;
        const shown = make("td", delta === 0 ? "even" : delta > 0 ? "right" : "wrong", known ? number(delta) : "–");
        shown.dataset.label = data.columns[i / 2].join(", ");
        if (known) shown.append(make("small", "", number(scores[i]) + " / " + number(scores[i + 1])));
        row.append(shown);
      }
    }
    const holder = make("td");
    holder.append(make("p", "quiet", "PΔ in " + unit + ", mean over seeds, positive if the good sentence is preferred. The second line is " + term + " of the good and of the bad sentence. Shown: " + how + ". A run has all pairs in results/items.parquet."), table);
    return holder;
  };
  for (const button of document.querySelectorAll("button.open")) {
    button.addEventListener("click", () => {
      const row = button.closest("tr"), open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      if (open) { row.nextElementSibling.remove(); return; }
      const holder = pairs(Number(button.dataset.items)), below = make("tr", "pairs");
      holder.colSpan = row.children.length;
      below.append(holder);
      row.after(below);
    });
  }

  // On narrow screens, tables of more than three columns become cards: a row's name above its values with their titles.
  // A card shows its first values and a table its first rows; buttons show the rest. The style sheet does the layout.
  const narrow = matchMedia("(max-width: 640px)"), VALUES = 10, ROWS = 6, SPARE = 2; // ROWS as in the style sheet
  const titles = (table) => {
    const rows = table.tHead.rows, heads = Array.from(rows[rows.length - 1].cells, (cell) => cell.textContent), above = [];
    if (rows.length > 1) for (const cell of rows[0].cells) above.push(...Array(cell.colSpan).fill(cell.textContent));
    const below = new Set(heads.filter((head, index) => above[index]));
    return heads.map((head, index) => above[index] ? above[index] + (below.size > 1 ? ", " + head : "") : head);
  };
  const disclosure = (text, act) => {
    const button = make("button", "disclosure", text);
    button.type = "button";
    button.addEventListener("click", () => { act(); button.parentElement.remove(); });
    return button;
  };
  const compact = (table) => {
    const names = titles(table), rows = Array.from(table.tBodies[0].rows).filter((row) => !row.matches(".pairs"));
    if (names.length <= 3 || table.matches(".compact")) return;
    table.classList.add("compact", "few");
    for (const row of rows) {
      const cells = Array.from(row.cells);
      cells.forEach((cell, index) => { if (index) cell.dataset.label = names[index]; });
      const rest = cells.length - 1 > VALUES + SPARE ? cells.slice(VALUES + 1) : [];
      for (const cell of rest) cell.classList.add("rest");
      if (!rest.length) continue;
      const more = make("td", "more");
      more.append(disclosure("▸ " + rest.length + " more values", () => row.classList.add("whole")));
      row.append(more);
    }
    if (rows.length <= ROWS + SPARE) { table.classList.remove("few"); return; }
    const all = make("p", "more");
    all.append(disclosure("▸ all " + rows.length + " rows", () => table.classList.remove("few")));
    table.closest(".scroll").after(all);
  };
  const adapt = () => { if (narrow.matches) for (const table of document.querySelectorAll("table.grid")) compact(table); };
  narrow.addEventListener("change", adapt);
  adapt();

  // Names of rows stay in place while a figure is scrolled sideways.
  for (const names of document.querySelectorAll(".scroll.plain .frozen")) {
    const svg = names.ownerSVGElement, frame = svg.parentElement;
    frame.addEventListener("scroll", () => {
      const scale = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
      names.setAttribute("transform", "translate(" + Math.max(0, frame.scrollLeft * scale) + " 0)");
    });
  }

  // Cells of a grid: one of them is in the order of the tab key, and the arrow keys go to the others.
  for (const grid of document.querySelectorAll("svg.figure:has(.cells)")) {
    const rows = Array.from(grid.querySelectorAll(".cells"), (row) => Array.from(row.querySelectorAll("[tabindex]")));
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    rows[0][0].setAttribute("tabindex", "0");
    grid.addEventListener("focusin", (event) => {
      grid.querySelector('[tabindex="0"]').setAttribute("tabindex", "-1");
      event.target.setAttribute("tabindex", "0");
    });
    grid.addEventListener("keydown", (event) => {
      if (!(event.key in steps)) return;
      const y = rows.findIndex((row) => row.includes(event.target)), x = rows[y].indexOf(event.target);
      const [down, right] = steps[event.key], next = rows[y + down] && rows[y + down][x + right];
      event.preventDefault();
      if (next) next.focus();
    });
  }

  // Tooltips without delay. Without this script, the <title> elements of the figures still work.
  const tip = document.getElementById("tip");
  for (const title of document.querySelectorAll("svg.figure title")) {
    if (title.parentElement.matches("[tabindex]")) {
      title.parentElement.setAttribute("role", "img");
      title.parentElement.setAttribute("aria-label", title.textContent);
    }
    title.parentElement.dataset.tip = title.textContent;
    title.remove();
  }
  const place = (x, y) => {
    tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = (y + 18 + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 10 : y + 18) + "px";
  };
  document.addEventListener("mousemove", (event) => {
    const target = event.target.closest ? event.target.closest("[data-tip]") : null;
    tip.hidden = !target;
    if (target) { tip.textContent = target.dataset.tip; place(event.clientX, event.clientY); }
  });
  document.addEventListener("focusin", (event) => {
    const target = event.target.closest("[data-tip]");
    tip.hidden = !target;
    if (target) {
      const at = event.target.getBoundingClientRect();
      tip.textContent = target.dataset.tip;
      place(at.left, at.bottom - 12);
    }
  });
  document.addEventListener("focusout", () => { tip.hidden = true; });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });
  document.addEventListener("mouseleave", () => { tip.hidden = true; });
})();
