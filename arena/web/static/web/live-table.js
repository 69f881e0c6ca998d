// Draws a running match: the bouts come whole, a little after they were played, and are shown move by move.

import { drawTable, describe } from "./table.js";

const STEP_MS = 600;
// Quick bots play faster than anybody can watch: of the deals that wait, all but the newest are left out.
const BOUTS_BEHIND = 4;

const by = (id) => document.getElementById(id);
const place = by("live-table");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let bouts = [];
let playing = false;

place.addEventListener("htmx:sseBeforeMessage", (event) => {
  event.preventDefault();
  bouts.push(JSON.parse(event.detail.data));
  if (bouts.length > BOUTS_BEHIND) bouts = bouts.filter((bout) => bout.deal === bouts.at(-1).deal).slice(-BOUTS_BEHIND);
  if (!playing) play();
});

async function play() {
  playing = true;
  place.hidden = false;
  while (bouts.length) {
    const { deal, meta, frames } = bouts.shift();
    by("live-deal").textContent = `Deal ${deal + 1}`;
    let state = { hands: {} };
    let previous = null;
    for (const { seat, ...frame } of frames) {
      state = { ...state, ...frame, hands: { ...state.hands, ...frame.hands }, seat };
      drawTable(by("table"), meta, state, calm.matches ? null : previous);
      by("table").setAttribute("aria-label", describe(meta, state));
      by("now").textContent = state.text;
      by("now").className = `now ${state.kind}`;
      previous = state;
      await new Promise((resolve) => { setTimeout(resolve, STEP_MS); });
    }
  }
  playing = false;
}
