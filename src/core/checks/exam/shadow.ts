import { isHeader } from "./source-path.ts";
import { listPythonModules, type MentionLine } from "./uses/mention.ts";

/**
 * Returns whether Python would load the file instead of a module of the test programs. Only for a new file, because a
 * project may already have had a module of this name. A package of the whole checkout is loaded before its tests.
 */
export function isShadow(path: string): boolean {
  return path === "__init__.py" || SHADOW.test(path);
}

const STANDARD = [
  "abc argparse ast asyncio atexit base64 bdb bisect builtins calendar cmd code codecs collections configparser",
  "contextlib contextvars copy copyreg csv ctypes dataclasses datetime decimal difflib dis doctest email encodings enum",
  "errno faulthandler fnmatch fractions functools gc genericpath getopt getpass gettext glob gzip hashlib heapq hmac",
  "html http importlib inspect io ipaddress itertools json keyword linecache locale logging marshal math mimetypes",
  "multiprocessing ntpath numbers opcode operator os pathlib pdb pickle pkgutil platform posixpath pprint py_compile",
  "queue random re reprlib runpy sched secrets select selectors shelve shlex shutil signal site socket sqlite3 ssl stat",
  "statistics string stringprep struct subprocess symtable sys sysconfig tempfile textwrap threading time timeit token",
  "tokenize trace traceback tracemalloc types typing unicodedata unittest urllib uuid warnings weakref xml zipfile",
  "zipimport zlib zoneinfo",
];
/** Packages that pytest and its plugins include. */
const PACKAGES = [
  "_pytest pytest iniconfig pluggy packaging pygments exceptiongroup tomli tomllib attr attrs colorama py coverage",
  "pytest_cov pytest_asyncio xdist execnet hypothesis mock nose nose2 setuptools pkg_resources typing_extensions",
];
const NAMES = [...STANDARD, ...PACKAGES].flatMap((line) => line.split(" "));
const SHADOW = new RegExp(`^(?:src/)?(?:${NAMES.join("|")})(?:/__init__)?(?:\\.[\\w-]+)*\\.(?:py|pyc|pyd|so)$`);

/**
 * Returns the word of a line that could have meant something else before the file existed: an installed module of
 * Python, Ruby or Java, or a system header. Undefined if names are not resolved by location.
 */
export function getShadowWord(path: string): string | undefined {
  if (isHeader(path)) return path.split("/").at(-1);
  const [, python] = /^(?:src\/)?(\w+)(?:\/__init__)?\.py$/.exec(path) ?? [];
  const [, ruby] = /^(?:lib\/)?([\w/-]+)\.rb$/.exec(path) ?? [];
  return python ?? ruby ?? toJavaClass(path)?.at(-1);
}

type ShadowInput = {
  readonly path: string;
  /** Line of the old tree. */
  readonly line: MentionLine;
  /** All files of the old tree. */
  readonly files: ReadonlySet<string>;
};

/** Returns whether the line referred to something outside the repository and now refers to the file. */
export function isTakingPlace({ path, line, files }: ShadowInput): boolean {
  if (isHeader(path)) return isTakingHeader({ path, line, files });
  const word = getShadowWord(path) ?? "";
  if (path.endsWith(".py")) return isTakingModule({ word, line, files });
  if (path.endsWith(".rb")) return /\brequire\b/.test(line.text) && new RegExp(`["']${word}["']`).test(line.text);
  const parts = toJavaClass(path);
  const [, said] = /^\s*import\s+(?:static\s+)?([\w.]+)/.exec(line.text) ?? [];
  if (!parts || said === undefined) return false;
  const isNew = ![...files].some((each) => toJavaClass(each)?.join(".") === parts.join("."));
  return isNew && (said === parts.join(".") || said.startsWith(`${parts.join(".")}.`));
}

function isTakingModule({ word, line, files }: Omit<ShadowInput, "path"> & { readonly word: string }): boolean {
  if (!line.path.endsWith(".py") || /^\s*from\s+\./.test(line.text)) return false;
  const folder = line.path.replace(/[^/]*$/, "");
  const isOwn = (at: string) => [`${at}${word}.py`, `${at}${word}/`].some((each) => hasAny(files, each));
  const means = listPythonModules(line.text, "x.py").some((said) => said.split("/")[0] === word);
  return means && !["", "src/", folder].some(isOwn);
}

function isTakingHeader({ path, line, files }: ShadowInput): boolean {
  const [, what] = /^\s*#\s*(?:include|import|embed)\s*["<]([^">]+)[">]/.exec(line.text) ?? [];
  if (what === undefined || what.startsWith(".") || !(path === what || path.endsWith(`/${what}`))) return false;
  const beside = `${line.path.replace(/[^/]*$/, "")}${what}`;
  return !files.has(beside) && ![...files].some((each) => each === what || each.endsWith(`/${what}`));
}

/** `src/main/java/org/junit/Assert.java` is org.junit.Assert. */
function toJavaClass(path: string): readonly string[] | undefined {
  const [, name] = /(?:^|\/)(?:java|kotlin|scala|groovy)\/(.+)\.(?:java|kt|scala|groovy)$/.exec(path) ?? [];
  return name?.split("/");
}

function hasAny(files: ReadonlySet<string>, place: string): boolean {
  return place.endsWith("/") ? [...files].some((each) => each.startsWith(place)) : files.has(place);
}
