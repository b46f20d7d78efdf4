// The page: Python does the work, this shows it. All files come from the page's own folder.
import { loadPyodide } from "./pyodide.mjs";

const at = (id) => document.getElementById(id);
let python;

function ask(name, ...values) {
  const call = python.globals.get(name);
  try {
    return JSON.parse(call(...values));
  } finally {
    call.destroy();
  }
}

let current = null;

function list(text) {  // errors are wrapped, so that they can be read in a narrow window
  at("listing").replaceChildren(
    ...text.split("\n").flatMap((line) => {
      const part = document.createElement("span");
      part.textContent = line;
      if (/^(error|stopped):/.test(line)) part.className = "error";
      return [part, "\n"];
    }),
  );
}

function show(index) {
  current = ask("packet", index);
  list(current.listing);
  at("violations").replaceChildren(
    ...(current.violations.length ? current.violations : ["None."]).map((text) => {
      const item = document.createElement("li");
      item.textContent = text;
      return item;
    }),
  );
  at("field").replaceChildren(...current.fields.map(([path]) => new Option(path, path)));
  at("changing").hidden = current.fields.length === 0;
  at("bytes").textContent = current.bytes;
  at("problem").textContent = "";
  choose();
}

const chosen = () => current.fields.find(([path]) => path === at("field").value);

function choose() {
  const field = chosen();
  at("value").value = field ? field[1] : "";
  at("change").disabled = !field;
}

function edited() {  // a text area has its own line breaks
  const [, text] = chosen(), value = at("value").value;
  if (value === text.replace(/\r\n?/g, "\n")) return text;
  return text.includes("\r\n") ? value.replaceAll("\n", "\r\n") : value;
}

function take(answer) {
  at("status").textContent = answer.status;
  at("found").hidden = answer.packets.length === 0;
  at("packets").replaceChildren(...answer.packets.map((text, index) => new Option(text, index)));
  if (answer.packets.length) show(0);
}

function change() {
  const answer = ask("change", Number(at("packets").value), at("field").value, edited(), at("compute").checked);
  at("problem").textContent = answer.problem;
  if (answer.problem) return;
  const pairs = answer.bytes.split(" ");
  const before = current.bytes.split(" ");
  at("bytes").replaceChildren(
    ...pairs.flatMap((pair, index) => {
      const part = document.createElement(pair === before[index] ? "span" : "mark");
      part.textContent = pair;
      return [part, " "];
    }),
  );
  list(answer.listing);
}

const say = (text) => { at("status").textContent = text; };

function fail(event) {  // a fault of the page itself; the packet before it would look like the answer
  say(`This page has a fault: ${event.reason ?? event.message}`);
  at("found").hidden = true;
}

async function begin() {
  say("Loading Python, 1 of 2 (about 12 MB) ...");
  python = await loadPyodide({ indexURL: new URL(".", import.meta.url).pathname });
  const wheels = await (await fetch("wheels.json")).json();
  for (const [index, name] of wheels.entries()) {
    say(`Loading the library, 2 of 2: package ${index + 1} of ${wheels.length} ...`);
    python.unpackArchive(await (await fetch(name)).arrayBuffer(), "wheel");
  }
  python.runPython(await (await fetch("page.py")).text());
  at("explain").disabled = at("file").disabled = false;
  for (const kind of ["error", "unhandledrejection"]) addEventListener(kind, fail);
  say("Ready.");
  at("explain").addEventListener("click", () => take(ask("from_text", at("hex").value)));
  at("file").addEventListener("change", async () => {
    const file = at("file").files[0];
    if (!file) return;
    say(`Reading ${file.name} (${file.size.toLocaleString("en-US")} bytes) ...`);
    await new Promise((resolve) => setTimeout(resolve));  // the line is shown before Python begins
    take(ask("from_file", new Uint8Array(await file.arrayBuffer())));
  });
  at("packets").addEventListener("change", () => show(Number(at("packets").value)));
  at("field").addEventListener("change", choose);
  at("change").addEventListener("click", change);
}

begin().catch((error) => {
  say(`Python could not be loaded: ${error}`);
});
