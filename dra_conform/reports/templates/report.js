"use strict";
(() => {
  const form = document.querySelector(".search");
  const [words, state, count] = ["q", "state", "count"].map((name) => form.elements[name]);
  const all = [...document.querySelectorAll(".req")].map((element) => ({
    element,
    state: element.dataset.state,
    own: [...element.children].filter((child) => child.tagName !== "DETAILS").map((child) => child.textContent).join(" ").toLowerCase(),
    details: element.querySelector(":scope > details"),
    open: element.querySelector(":scope > details")?.open ?? false,
    rows: null,
  }));
  const groups = [...document.querySelectorAll(".section, .document, .without")];
  const every = (text, wanted) => wanted.every((word) => text.includes(word));
  let hidden = new Set();

  function show() {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const row of hidden) row.hidden = false;
    hidden = new Set();
    for (const one of all) {
      let hit = !state.value || one.state === state.value;
      let open = one.open;
      if (hit && wanted.length && !every(one.own, wanted)) {
        one.rows ??= [...(one.details?.querySelectorAll(":scope > ul > li") ?? [])].map((row) => [row, row.textContent.toLowerCase()]);
        const kept = one.rows.filter(([, text]) => every(one.own + " " + text, wanted));
        hit = open = kept.length > 0;
        if (hit && kept.length < one.rows.length) {
          const keep = new Set(kept.map(([row]) => row));
          for (const [row] of one.rows) if (!keep.has(row)) { row.hidden = true; hidden.add(row); }
        }
      }
      one.element.hidden = !hit;
      if (one.details) one.details.open = open;
      found += hit;
    }
    for (const group of groups) group.hidden = !group.querySelector(".req:not([hidden])");
    const narrowed = wanted.length > 0 || state.value !== "";
    for (const part of document.querySelectorAll(".without")) part.open = narrowed && !part.hidden;
    count.value = narrowed ? `${found} of ${all.length} requirements` : `${all.length} requirements`;
  }

  function fromAddress() {
    const query = new URLSearchParams(location.hash.startsWith("#?") ? location.hash.slice(2) : "");
    words.value = query.get("q") ?? "";
    state.value = query.get("state") ?? "";
    if (state.selectedIndex < 0) state.value = "";
    show();
    if (location.hash.length > 1 && !location.hash.startsWith("#?")) {
      let target = null;
      try { target = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { return; }
      for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
      const inside = target?.querySelector("details");
      if (inside) inside.open = true;
      target?.scrollIntoView();
    }
  }

  function toAddress() {
    const query = new URLSearchParams();
    if (words.value) query.set("q", words.value);
    if (state.value) query.set("state", state.value);
    try { history.replaceState(null, "", query.size ? `#?${query}` : location.pathname + location.search); } catch { /* some viewers forbid it */ }
    show();
  }

  let waiting;
  form.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(toAddress, 120); });
  form.addEventListener("submit", (event) => { event.preventDefault(); toAddress(); });
  addEventListener("hashchange", fromAddress);
  addEventListener("beforeprint", () => { for (const one of document.querySelectorAll(".req[data-state=failed] details")) one.open = true; });
  form.hidden = false;
  fromAddress();
})();
