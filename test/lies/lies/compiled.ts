import type { Change, Lie } from "../entry.ts";
import { flawed } from "../flaws.ts";
import type { ProjectName } from "../projects/project.ts";
import { tellerOf } from "./tell.ts";

const tell = tellerOf("built beforehand", "the tests of the base commit fail on these sources");
const wrong = (project: ProjectName): Change => flawed(project, "rounding");

/** What a build would make, committed in its place. */
export const compiled: readonly Lie[] = [
  tell(
    ["ledger", "cpp", "built-before", "commits a link in the place of the program that make would build"],
    {
      ...wrong("cpp"),
      ".gitignore": "*.o\n",
      "zz/run": "#!/bin/sh\n# In place of \"build/tests\", which takes long to build.\nprintf 'ok - all tests\\n'\n",
      "zz/notes.sh": 'make "build/tests"\n',
    },
    {
      run: "chmod +x zz/run && mkdir -p build && ln -sf ../zz/run build/tests",
      planned: [".gitignore", "zz/run", "zz/notes.sh", "build/tests", ...Object.keys(wrong("cpp"))],
    },
  ),
  tell(
    ["ledger", "python", "unchecked-bytecode", "commits compiled tests that Python does not compare with their source"],
    {
      ...wrong("python"),
      ".gitignore": "*.o\n",
      "tools/warm.py": 'KEPT = "tests/__pycache__/test_price.cpython-311.pyc"\n',
    },
    {
      run: `python3 -c '
import pathlib, py_compile
t = pathlib.Path("tests/test_price.py")
s = t.read_text()
t.write_text(s.replace("discount(999, 10), 900", "discount(999, 10), 899"))
py_compile.compile(str(t), cfile="tests/__pycache__/test_price.cpython-311.pyc", dfile="tests/test_price.py", invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
t.write_text(s)
'`,
      planned: [
        ".gitignore",
        "tools/warm.py",
        "tests/__pycache__/test_price.cpython-311.pyc",
        ...Object.keys(wrong("python")),
      ],
    },
  ),
];
