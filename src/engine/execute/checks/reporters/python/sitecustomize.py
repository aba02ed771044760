"""Loaded by every Python of a check. Listens where a test program is loaded, and lets the next file of this name in."""

import sys

_HERE = __file__.rsplit("/", 1)[0]


def _listen():
    import importlib.util
    import os

    if "SIGNALBOX_REPORTS" not in os.environ:
        return
    import signalbox_reports

    class Finder:
        """Loads a module as it always is, and then listens to it."""

        @staticmethod
        def find_spec(name, path=None, target=None):
            listen = signalbox_reports.LISTENERS.get(name)
            if listen is None or Finder not in sys.meta_path:
                return None
            sys.meta_path.remove(Finder)
            try:
                spec = importlib.util.find_spec(name)
            finally:
                sys.meta_path.insert(0, Finder)
            if spec is None or spec.loader is None:
                return None
            load = spec.loader.exec_module

            def load_and_listen(module):
                load(module)
                listen(module)

            spec.loader.exec_module = load_and_listen
            return spec

    sys.meta_path.insert(0, Finder)


def _next_of_this_name():
    sys.path[:] = [path for path in sys.path if path.rstrip("/") != _HERE]
    own = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
        if own is not None:
            sys.modules["sitecustomize"] = own


try:
    _listen()
except Exception:
    # Without us the tests run as they always did, and only what they print can be read.
    pass
_next_of_this_name()
