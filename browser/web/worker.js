// Runs kproto in Pyodide, away from the page, so that the page stays alive.
//
// The first message is `{files}`: where each file of the page is, a URL to fetch or a Blob. Every
// later one is a request, `{id, words, files, paste, wants}`; the answer is `{id, status, output,
// messages, isCut, page}`. `{stage}` says what is being loaded, `{id, progress}` how much was read,
// and `{id, early}` has the first lines of a long answer before it is there.
// @ts-check
/// <reference lib="webworker" />

/** @typedef {{name: string, data: Blob}} InputFile */
/** @typedef {{id: number, words: string[], files: InputFile[], paste: string | null, wants?: string}} Question */

const FOLDER = "/input";
const PASTE = "/paste";
const PAGE = "/page.html";
const EVERY_MS = 100;
const LATE_PACKS = ["cramjam"];

// The worker is a classic one, since a page that was opened as a file may have no other. Pyodide takes
// workers with importScripts for unable to import modules; this one imports them by import().
self.importScripts = () => {
  throw new Error("import() is used instead");
};

/** @type {Record<string, string | Blob>} */
let sources = {};
/** @type {any} */
let pyodide;
/** @type {any} */
let answers;

/** @param {string} name @returns {Promise<Response>} */
async function open(name) {
  const source = sources[name];
  if (!(source instanceof Blob)) return realFetch(source);
  const body = source.stream().pipeThrough(new DecompressionStream("gzip"));
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(name.endsWith(".pack") ? source : body, { headers: { "Content-Type": type } });
}

// Pyodide fetches its files by their address; here they may be inside of the page.
const realFetch = self.fetch.bind(self);
self.fetch = (input, options) => {
  const name = String(input).split("/").pop() ?? "";
  return name in sources ? open(name) : realFetch(input, options);
};

/** @param {string} name */
async function moduleAddress(name) {
  const source = sources[name];
  if (!(source instanceof Blob)) return source;
  const text = await (await open(name)).text();
  return URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
}

/** Unpacks a `.pack`: gzip of a line of JSON, `[[name, size], ...]`, and of the files.
 * @param {Response} response */
async function unpack(response) {
  const plain = /** @type {ReadableStream} */ (response.body).pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

/** @param {Uint8Array} bytes */
function install(bytes) {
  const end = bytes.indexOf(10);
  let start = end + 1;
  const folders = new Set();
  for (const [name, size] of JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)))) {
    const path = `/modules/${name}`;
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(folder)) pyodide.FS.mkdirTree(folder);
    folders.add(folder);
    pyodide.FS.writeFile(path, bytes.subarray(start, start + size), { canOwn: true });
    start += size;
  }
}

/** @param {Record<string, string | Blob>} files */
async function start(files) {
  sources = files;
  const say = (/** @type {string} */ stage) => postMessage({ stage });
  say("loading Python");
  const modules = open("modules.pack").then(unpack);
  const snapshot = open("snapshot.pack").then(unpack);
  const late = LATE_PACKS.map((name) => open(`${name}.pack`).then(unpack));
  const [loader, engine] = await Promise.all([
    moduleAddress("pyodide.mjs").then((address) => import(address)),
    moduleAddress("pyodide.asm.mjs").then((address) => import(address)),
  ]);
  pyodide = await loader.loadPyodide({
    indexURL: "kproto:/",
    stdLibURL: "kproto:/python_stdlib.zip",
    createPyodideModule: engine.default,
    _loadSnapshot: snapshot,
    lockFileContents: JSON.stringify({
      info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2", version: "314.0.7" },
      packages: {},
    }),
    packageBaseUrl: "kproto:/",
  });
  say("loading kproto");
  install(await modules);
  pyodide.FS.mkdirTree(FOLDER);
  pyodide.runPython("import importlib; importlib.invalidate_caches()");
  answers = pyodide.pyimport("kproto.browser.answers");
  postMessage({ stage: "" });
  for (const pack of late) install(await pack);
}

/** Puts a file into the worker's memory and reports how far it is read.
 * @param {string} path @param {Blob} data @param {number} id */
async function put(path, data, id) {
  const bytes = new Uint8Array(await data.arrayBuffer());
  pyodide.FS.writeFile(path, bytes, { canOwn: true });
  if (bytes.length < 1 << 18) return;
  const { node } = pyodide.FS.lookupPath(path);
  const plain = node.stream_ops;
  let last = performance.now();
  node.stream_ops = {
    ...plain,
    read(/** @type {any} */ stream, /** @type {any} */ buffer, /** @type {number} */ offset, /** @type {number} */ length, /** @type {number} */ position) {
      if (performance.now() - last > EVERY_MS) {
        last = performance.now();
        postMessage({ id, progress: position / bytes.length });
      }
      return plain.read(stream, buffer, offset, length, position);
    },
  };
}

/** @param {Question} question */
async function handle({ id, words, files, paste, wants }) {
  if (wants === "scenarios") return { id, scenarios: answers.scenarios().toJs({ dict_converter: Object.fromEntries }) };
  for (const { name, data } of files) await put(`${FOLDER}/${name}`, data, id);
  if (paste !== null) await put(PASTE, new Blob([paste]), id);
  const list = pyodide.toPy(words);
  try {
    const [status, output, messages, isCut] = answers.answer(list, FOLDER, paste === null ? undefined : PASTE,
      wants === "early" ? (/** @type {string} */ early) => postMessage({ id, early }) : undefined).toJs();
    const page = wants === "page" && pyodide.FS.analyzePath(PAGE).exists
      ? pyodide.FS.readFile(PAGE, { encoding: "utf8" })
      : "";
    return { id, status, output, messages, isCut, page };
  } finally {
    list.destroy();
    for (const path of [...files.map(({ name }) => `${FOLDER}/${name}`), PASTE, PAGE]) {
      if (pyodide.FS.analyzePath(path).exists) pyodide.FS.unlink(path);
    }
  }
}

/** @type {Promise<any>} */
let previous = Promise.resolve();
self.onmessage = ({ data }) => {
  previous = previous
    .then(async () => {
      if ("sources" in data) await start(data.sources);
      else postMessage(await handle(data));
    })
    .catch((error) => postMessage({ id: data.id ?? 0, failure: String(error?.stack ?? error) }));
};
