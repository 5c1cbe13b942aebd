// Talks to the worker: one request after the other, which a new worker can take over after a stop.
// @ts-check
import { find } from "./dom.js";

/** @typedef {{status: number, output: string, messages: string, isCut: boolean, page: string,
 *   scenarios?: Record<string, string>}} Answer */
/** @typedef {{name: string, data: Blob}} InputFile */
/** `wants`: a page, or lines that are there early.
 * @typedef {{words: string[], files?: InputFile[], paste?: string | null, wants?: "page" | "scenarios" | "early"}} Question */

export class Stopped extends Error {}

const FILES = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "snapshot.pack", "modules.pack", "cramjam.pack"];

export class WorkerClient {
  /** @param {(stage: string) => void} onStage @param {(part: number) => void} onProgress */
  constructor(onStage, onProgress) {
    this.onStage = onStage;
    this.onProgress = onProgress;
    /** @type {Map<number, {resolve: (answer: any) => void, reject: (error: Error) => void, onEarly?: (lines: string) => void}>} */
    this.waiting = new Map();
    this.count = 0;
    this.isLoaded = false;
    this.start();
  }

  start() {
    this.isLoaded = false;
    const source = new Blob([find("#worker").textContent], { type: "text/javascript" });
    this.worker = new Worker(URL.createObjectURL(source));
    this.worker.onmessage = ({ data }) => this.receive(data);
    this.worker.onerror = (event) => this.onStage(`The worker failed: ${event.message}`);
    this.worker.postMessage({ sources: addresses() });
  }

  /** @param {any} data */
  receive(data) {
    if ("stage" in data) {
      this.isLoaded = data.stage === "";
      this.onStage(data.stage);
    }
    else if ("progress" in data) this.onProgress(data.progress);
    else if ("early" in data) this.waiting.get(data.id)?.onEarly?.(data.early);
    else if (!this.waiting.has(data.id)) this.onStage(`It could not be started: ${data.failure}`);
    else {
      const { resolve, reject } = /** @type {any} */ (this.waiting.get(data.id));
      this.waiting.delete(data.id);
      if ("failure" in data) reject(new Error(data.failure));
      else resolve(data);
    }
  }

  /** Runs a command line on files that exist only in the worker. @param {Question} question
   * @param {(lines: string) => void} [onEarly] is called with first lines of the answer
   * @returns {Promise<Answer>} */
  ask({ words, files = [], paste = null, wants }, onEarly) {
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, onEarly });
      this.worker?.postMessage({ id, words, files, paste, wants });
    });
  }

  get isBusy() {
    return this.waiting.size > 0;
  }

  /** Ends whatever runs, and starts anew. */
  stop() {
    this.worker?.terminate();
    for (const { reject } of this.waiting.values()) reject(new Stopped("stopped"));
    this.waiting.clear();
    this.start();
  }
}

/** Where each file is: inside of the page, or beside it. @returns {Record<string, string | Blob>} */
function addresses() {
  return Object.fromEntries(FILES.map((name) => {
    const inside = find(`script[data-file="${name}"]`);
    if (inside === null) return [name, new URL(name, location.href).href];
    const bytes = Uint8Array.from(atob(inside.textContent), (char) => char.charCodeAt(0));
    return [name, new Blob([bytes])];
  }));
}
