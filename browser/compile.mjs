// Compiles Python modules to byte code with the Python that will run them: Pyodide's.
//
//     node compile.mjs PYODIDE STDLIB FOLDER...
//
// Each module of STDLIB and of the FOLDERs is replaced by its `.pyc`; those of STDLIB lose their
// docstrings. Tracebacks name the module's path in its folder.
import { pathToFileURL } from "node:url";
import path from "node:path";

const [pyodideFolder, ...folders] = process.argv.slice(2).map((place) => path.resolve(place));
const { loadPyodide } = await import(pathToFileURL(path.join(pyodideFolder, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: pyodideFolder });
pyodide.runPython(`
import os
from importlib._bootstrap_external import _code_to_hash_pyc

def compile_modules(root, level):
    for folder, _, names in os.walk(root):
        for name in names:
            if not name.endswith(".py"):
                continue
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                source = file.read()
            place = os.path.relpath(path, root)
            code = compile(source, place, "exec", dont_inherit=True, optimize=level)
            with open(path + "c", "wb") as file:
                file.write(_code_to_hash_pyc(code, bytes(8), checked=False))
            os.remove(path)
`);
const compileModules = pyodide.globals.get("compile_modules");
for (const [index, folder] of folders.entries()) {
  pyodide.FS.mkdirTree(`/folder${index}`);
  pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: folder }, `/folder${index}`);
  compileModules(`/folder${index}`, index === 0 ? 2 : 0);
}
