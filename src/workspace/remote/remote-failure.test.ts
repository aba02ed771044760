import { expect, test } from "vitest";
import { toRemoteError } from "./remote-failure.ts";

test.each([
  ["fatal: unable to access 'https://host/a/b/': Could not resolve host: host", "REMOTE_UNREACHABLE"],
  [
    "ssh: connect to host h port 22: Connection refused\nfatal: Could not read from remote repository.",
    "REMOTE_UNREACHABLE",
  ],
  ["error: RPC failed; HTTP 502 curl 22 The requested URL returned error: 502", "REMOTE_UNREACHABLE"],
  ["fetch-pack: unexpected disconnect while reading sideband packet\nfatal: early EOF", "REMOTE_UNREACHABLE"],
  ["git@host: Permission denied (publickey).\nfatal: Could not read from remote repository.", "REMOTE_REFUSED"],
  ["Host key verification failed.\nfatal: Could not read from remote repository.", "REMOTE_REFUSED"],
  ["fatal: could not read Username for 'https://host': terminal prompts disabled", "REMOTE_REFUSED"],
  ["fatal: unable to access 'https://host/': The requested URL returned error: 403", "REMOTE_REFUSED"],
  ["fatal: detected dubious ownership in repository at '/srv/git/a.git'", "REMOTE_REFUSED"],
  ["remote: Repository not found.\nfatal: repository 'https://host/a/b/' not found", "REMOTE_NOT_A_REPOSITORY"],
  ["fatal: '/srv/a.git' does not appear to be a git repository", "REMOTE_NOT_A_REPOSITORY"],
  [
    "remote: Counting objects: 100% (3/3), done.\nUnpacking objects:  33% (1/3)\rUnpacking objects:  66% (2/3)\nfatal: write error: No space left on device",
    "DISK_FAILED",
  ],
  ["fatal: write error: No space left on device", "DISK_FAILED"],
  ["error: cannot lock ref 'refs/signalbox/r/t/1': Unable to create '/c/.git/refs/x.lock': File exists.", "GIT_FAILED"],
])("%s is %s", (output, code) => {
  const failure = toRemoteError({ deed: "fetch", shown: "host/a/b", output, here: "/clone" });
  expect(failure.code).toBe(code);
});

test("git's progress output is not reported as the reason", () => {
  const output = [
    "remote: Enumerating objects: 5, done.\u001b[K",
    "Receiving objects:  50% (1/2)\rReceiving objects:  50% (1/2), 2.00 MiB | 1.00 MiB/s",
    "fetch-pack: unexpected disconnect while reading sideband packet",
    "fatal: early EOF",
  ].join("\n");
  const { message } = toRemoteError({ deed: "fetch", shown: "host/a/b", output, here: "/clone" });
  expect(message).toMatch(/: fetch-pack: unexpected disconnect while reading sideband packet; fatal: early EOF$/);
});

test("git's message is reported without the password of an address", () => {
  const output = "fatal: unable to access 'https://ada:geheim@host/a/b/': Could not resolve host: host";
  const { message } = toRemoteError({ deed: "fetch", shown: "https://host/a/b", output, here: "/clone" });
  expect(message).toContain("https://host/a/b/");
  expect(message).not.toMatch(/ada|geheim/);
});
