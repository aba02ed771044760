/**
 * Would Python load the file in the place of a module that test programs load? Only for a file that is new: a project
 * may have had a module of such a name all along. A package of the whole checkout is loaded before its tests.
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
/** What pytest and those beside it bring along. */
const PACKAGES = [
  "_pytest pytest iniconfig pluggy packaging pygments exceptiongroup tomli tomllib attr attrs colorama py coverage",
  "pytest_cov pytest_asyncio xdist execnet hypothesis mock nose nose2 setuptools pkg_resources typing_extensions",
];
const NAMES = [...STANDARD, ...PACKAGES].flatMap((line) => line.split(" "));
const SHADOW = new RegExp(`^(?:src/)?(?:${NAMES.join("|")})(?:/__init__)?(?:\\.[\\w-]+)*\\.(?:py|pyc|pyd|so)$`);
