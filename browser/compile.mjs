// Compiles Python modules to byte code with the Python that will run them: Pyodide's.
//
//     node compile.mjs PYODIDE FOLDER
//
// Each module of FOLDER is replaced by its `.pyc`. Tracebacks name the module's path in FOLDER.
import { pathToFileURL } from "node:url";
import path from "node:path";

const [pyodideFolder, folder] = process.argv.slice(2).map((place) => path.resolve(place));
const { loadPyodide } = await import(pathToFileURL(path.join(pyodideFolder, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: pyodideFolder });
pyodide.FS.mkdirTree("/modules");
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: folder }, "/modules");
pyodide.runPython(`
import os
from importlib._bootstrap_external import _code_to_hash_pyc

for folder, _, names in os.walk("/modules"):
    for name in names:
        if not name.endswith(".py"):
            continue
        path = os.path.join(folder, name)
        with open(path, "rb") as file:
            source = file.read()
        code = compile(source, os.path.relpath(path, "/modules"), "exec", dont_inherit=True)
        with open(path + "c", "wb") as file:
            file.write(_code_to_hash_pyc(code, bytes(8), checked=False))
        os.remove(path)
`);
