"""Writes what became of each test where the engine asked for it. Runs inside the user's own Python, 3.8 or newer."""

import json
import os
import sys
import time

_FOLDER = os.environ.get("SIGNALBOX_REPORTS")
_HERE = os.path.dirname(os.path.abspath(__file__))


class Report:
    """The first line says that a report was begun: one that is never finished shows that the tests broke off."""

    _opened = 0

    def __init__(self, runner):
        Report._opened += 1
        name = "%d-%d-%d.jsonl" % (time.time() * 1000, os.getpid(), Report._opened)
        self._file = os.path.join(_FOLDER, name)
        self._process = os.getpid()
        self._lines = []
        forget_asking()
        with open(self._file, "x", encoding="utf-8") as file:
            file.write(json.dumps({"report": 1, "runner": runner, "cwd": os.getcwd()}) + "\n")

    def test(self, file, path, end):
        self._lines.append({"file": file, "path": path, "end": end})

    def uncollected(self, file):
        self._lines.append({"file": file, "end": "uncollected"})

    def finish(self):
        # A test may have forked: only the process that began a report ends it.
        if os.getpid() != self._process:
            return
        with open(self._file, "a", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in [*self._lines, {"finished": True}])
        self._lines = []


def forget_asking():
    """Tests and what they start are not asked: a test of a test program would be counted as one of ours."""
    own = os.environ.pop("SIGNALBOX_NODE_OPTIONS", None)
    os.environ.pop("SIGNALBOX_REPORTS", None)
    if own:
        _without("NODE_OPTIONS", lambda value: value.replace(own, "").strip())
    _without("PYTHONPATH", lambda value: _leave_out(value, _HERE))
    _without("PATH", lambda value: _leave_out(value, os.path.join(_FOLDER, "bin")))


def _without(name, change):
    if name not in os.environ:
        return
    rest = change(os.environ[name])
    if rest:
        os.environ[name] = rest
    else:
        del os.environ[name]


def _leave_out(paths, path):
    return os.pathsep.join(each for each in paths.split(os.pathsep) if each != path)


class PytestPlugin:
    """Worst of set-up, call and tear-down; what pytest-xdist runs elsewhere is reported here all the same."""

    def __init__(self):
        self.report = None
        self.root = os.getcwd()
        self.ends = {}
        self.stopped = False
        self.uncollected = False

    def pytest_sessionstart(self, session):
        config = session.config
        self.root = str(config.rootdir)
        if hasattr(config, "workerinput") or config.option.collectonly:
            return
        self.report = Report("pytest")

    def pytest_collectreport(self, report):
        if self.report and report.failed:
            self.uncollected = True
            self.report.uncollected(self._file(report.nodeid))

    def pytest_runtest_logreport(self, report):
        if report.outcome == "rerun":
            self.ends.pop(report.nodeid, None)
            return
        ends = self.ends.setdefault(report.nodeid, set())
        ends.add("passed" if report.outcome == "passed" else report.outcome)

    def pytest_keyboard_interrupt(self):
        self.stopped = True

    def pytest_sessionfinish(self):
        if not self.report:
            return
        nothing_ran = not self.ends
        for nodeid, ends in self.ends.items():
            end = next(end for end in ("failed", "skipped", "passed") if end in ends)
            self.report.test(self._file(nodeid), self._path(nodeid), end)
        # pytest also stops itself where something could not be collected; otherwise what is missing was not tested.
        if not self.stopped or (nothing_ran and self.uncollected):
            self.report.finish()
        self.report = None

    def _file(self, nodeid):
        return os.path.join(self.root, nodeid.split("::", 1)[0])

    def _path(self, nodeid):
        # A value between brackets may hold anything.
        name, bracket, values = nodeid.partition("[")
        groups = name.split("::")[1:]
        return [*groups[:-1], groups[-1] + bracket + values] if groups else [nodeid]


def listen_to_pytest(config):
    prepare = config._prepareconfig
    # Before pytest's own: where its cache cannot be written it breaks off, and what became of the tests is known by then.
    PytestPlugin.pytest_sessionfinish = config.hookimpl(tryfirst=True)(PytestPlugin.pytest_sessionfinish)

    # Newer ones hand in more, as 9.1 does with `prog`.
    def prepare_and_listen(args=None, plugins=None, **more):
        return prepare(args, [*(plugins or []), PytestPlugin()] if Report._opened == 0 else plugins, **more)

    config._prepareconfig = prepare_and_listen


class UnittestListener:
    """Stands before the methods of one result; the result itself goes on as it was made."""

    WORDS = {
        "addSuccess": "passed",
        "addExpectedFailure": "skipped",
        "addSkip": "skipped",
        "addFailure": "failed",
        "addError": "failed",
        "addUnexpectedSuccess": "failed",
    }
    ORDER = ("failed", "skipped", "passed")

    def __init__(self):
        self.report = Report("unittest")
        self.ends = {}
        self.broken = []

    def follow(self, result):
        for method, end in self.WORDS.items():
            self._wrap(result, method, lambda test, *_rest, end=end: self.note(test, end))
        self._wrap(result, "addSubTest", self._note_part)

    def _wrap(self, result, method, note):
        original = getattr(result, method, None)
        if original is None:
            return

        def noted(*args, **kwargs):
            note(*args)
            return original(*args, **kwargs)

        setattr(result, method, noted)

    def _note_part(self, test, _part, error):
        if error is not None:
            self.note(test, "failed")

    def note(self, test, end):
        if type(test).__name__ == "_FailedTest":
            self.broken.append(test._testMethodName)
            return
        found = self.ends.setdefault(test.id(), (test, set()))
        found[1].add(end)

    def finish(self):
        for name, (test, ends) in self.ends.items():
            end = next(end for end in self.ORDER if end in ends)
            self.report.test(_file_of(test), _path_of(test, name), end)
        for name in self.broken:
            path = os.path.join(*name.split(".")) + ".py"
            self.report.uncollected(os.path.abspath(path) if os.path.exists(path) else name)
        self.report.finish()


def _file_of(test):
    module = sys.modules.get(type(test).__module__)
    file = getattr(module, "__file__", None)
    return os.path.abspath(file) if file and hasattr(test, "_testMethodName") else None


def _path_of(test, name):
    method = getattr(test, "_testMethodName", None)
    return [type(test).__qualname__, method] if method else [name]


def listen_to_unittest(runner):
    current = []
    run, make_result = runner.TextTestRunner.run, runner.TextTestRunner._makeResult

    def run_and_listen(self, test):
        if current:
            return run(self, test)
        current.append(UnittestListener())
        try:
            result = run(self, test)
            current[0].finish()
            return result
        finally:
            current.clear()

    def make_and_follow(self):
        result = make_result(self)
        if current and not current[0].ends:
            current[0].follow(result)
        return result

    runner.TextTestRunner.run = run_and_listen
    runner.TextTestRunner._makeResult = make_and_follow


LISTENERS = {"_pytest.config": listen_to_pytest, "unittest.runner": listen_to_unittest}
