"use strict";
(() => {
  const form = document.querySelector(".search");
  const requirements = document.querySelector("details.requirements");
  const [words, state, count] = ["q", "state", "count"].map((name) => form.elements[name]);
  const differences = document.getElementById("differences");
  const asked = differences?.checked ?? false;
  const all = [...document.querySelectorAll(".hit")].map((element) => ({
    element,
    states: element.dataset.state.split(" "),
    same: element.classList.contains("same"),
    list: element.querySelector(":scope > .cases, :scope > details > .rows, :scope > .all > .cases"),
    details: element.querySelector(":scope > details"),
    own: null,
    rows: null,
  }));
  const groups = [...document.querySelectorAll(".section, .document, .without, .others, .failing, .requirements, .matrix tbody, .matrix")];
  const every = (text, wanted) => wanted.every((word) => text.includes(word));

  function ownText(one) {
    const summary = one.details?.querySelector(":scope > summary");
    return one.own ??= [...one.element.children].filter((child) => child !== one.list && child !== one.details)
      .concat(summary ?? []).map((child) => child.textContent).join(" ").toLowerCase();
  }

  function show() {
    const wanted = words.value.toLowerCase().replace(/(\S)\[/g, "$1 [").split(/\s+/).filter(Boolean);
    const found = { req: 0, cause: 0 };
    for (const one of all) {
      let hit = !state.value || one.states.includes(state.value);
      if (one.same && differences.checked) hit = false;
      const narrow = hit && wanted.length > 0 && !every(ownText(one), wanted);
      if (narrow || one.narrowed) {
        one.rows ??= [...(one.list?.children ?? [])].map((row) => [row, row.textContent.toLowerCase()]);
        const kept = narrow ? one.rows.filter(([, text]) => every(one.own + " " + text, wanted)) : one.rows;
        if (narrow) hit = kept.length > 0;
        const keep = new Set(kept.map(([row]) => row));
        for (const [row] of one.rows) row.hidden = !keep.has(row);
        if (one.details) one.details.open = narrow && hit;
        one.narrowed = narrow && hit;
      }
      one.element.hidden = !hit;
      for (const name of Object.keys(found)) found[name] += hit && one.element.classList.contains(name);
    }
    for (const group of groups) group.hidden = !group.querySelector(".hit:not([hidden])");
    const narrowed = wanted.length > 0 || state.value !== "";
    for (const part of document.querySelectorAll(".without, .others")) part.open = narrowed && !part.hidden;
    if (requirements && narrowed) requirements.open = !requirements.hidden;
    const totals = Object.keys(found).map((name) => all.filter((one) => one.element.classList.contains(name)).length);
    const causes = document.querySelector(".req, .failing") ? ["cause of failures", "causes of failures"] : ["failure", "failures"];
    const nouns = [["requirement", "requirements"], causes];
    count.value = nouns.map(([one, many], at) => [totals[at], `${narrowed ? `${Object.values(found)[at]} of ` : ""}${totals[at]} ${totals[at] === 1 ? one : many}`])
      .filter(([total]) => total).map(([, text]) => text).join(", ");
  }

  // Details of failures are compressed in the page, and unpacked when first opened.
  const parts = new Map();
  async function part(number) {
    const packed = document.getElementById(`details-${number}`).textContent;
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.codePointAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  async function unpack(failure) {
    const [number, at] = failure.dataset.at.split(".");
    delete failure.dataset.at;
    if (!parts.has(number)) parts.set(number, part(number));
    const template = document.createElement("template");
    template.innerHTML = (await parts.get(number))[at];
    failure.querySelector("details").append(template.content);
  }

  document.addEventListener("toggle", (event) => {
    const failure = event.target.parentElement;
    if (event.target.open && failure.dataset.at) unpack(failure);
  }, true);

  // A failure without details has no anchor, which keeps the page small.
  function bare(anchor) {
    const [, name, run = "1"] = /^case-(.*?)(?:@(\d+))?$/.exec(anchor) ?? [];
    const cases = document.querySelectorAll(`#run-${run} .cases > li > code`);
    return name ? [...cases].find((one) => one.textContent === name)?.parentElement : null;
  }

  function fromAddress() {
    const query = new URLSearchParams(location.hash.startsWith("#?") ? location.hash.slice(2) : "");
    words.value = query.get("q") ?? "";
    state.value = query.get("state") ?? "";
    if (differences) differences.checked = query.has("all") ? false : asked;
    if (state.selectedIndex < 0) state.value = "";
    show();
    if (location.hash.length > 1 && !location.hash.startsWith("#?")) {
      let name = "";
      try { name = decodeURIComponent(location.hash.slice(1)).replace(/^case:/, "case-"); } catch { return; }
      const target = document.getElementById(name) ?? bare(name);
      const elsewhere = target?.querySelector(":scope > a[href^='failures-']");
      if (elsewhere) { location.replace(elsewhere.href); return; }
      for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
      const inside = target?.querySelector(":scope > details");
      if (inside) inside.open = true;
      target?.scrollIntoView();
    }
  }

  function toAddress() {
    const query = new URLSearchParams();
    if (words.value) query.set("q", words.value);
    if (state.value) query.set("state", state.value);
    if (differences && asked && !differences.checked) query.set("all", "");
    try { history.replaceState(null, "", query.size ? `#?${query}` : location.pathname + location.search); } catch { /* some viewers forbid it */ }
    show();
  }

  let waiting;
  form.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(toAddress, 120); });
  form.addEventListener("submit", (event) => { event.preventDefault(); toAddress(); });
  differences?.addEventListener("change", toAddress);
  addEventListener("hashchange", fromAddress);
  form.hidden = false;
  fromAddress();
})();
