// Parts of some pages renew themselves. This lets them wait while nobody looks, while the keyboard is in them, or on request.

const toggle = document.getElementById("live");
let paused = false;

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, target } = event.detail;
  if (!elt.getAttribute("hx-trigger")) return;
  const also = elt.getAttribute("hx-select-oob");
  const parts = [target, ...(also ? document.querySelectorAll(also) : [])];
  const busy = parts.some((part) => part.contains(document.activeElement));
  if (paused || document.hidden || busy) event.preventDefault();
});

if (toggle && document.querySelector("[hx-trigger]")) {
  toggle.hidden = false;
  toggle.addEventListener("click", () => {
    paused = !paused;
    toggle.textContent = paused ? "Go on updating this page" : "Stop updating this page";
  });
}
