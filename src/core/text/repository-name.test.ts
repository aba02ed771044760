import { expect, test } from "vitest";
import { isPath, normalizeRemote, removeCredentials, toFolderPath } from "./repository-name.ts";

const ONE = [
  "git@host.example:team/project.git",
  "git@host.example:team/project",
  "host.example:team/project.git",
  "host.example:/team/project.git",
  "git@HOST.example:team/project.git/",
  "ssh://git@host.example/team/project.git",
  "ssh://git@host.example:22/team/project",
  "ssh://git@host.example:2222/team/project.git",
  "git+ssh://git@host.example/team/project.git",
  "SSH://host.example/team/project",
  "https://host.example/team/project.git",
  "https://host.example/team/project",
  "https://host.example/team/project/",
  "https://host.example//team//project.git",
  "https://host.example:443/team/project.git",
  "http://host.example:80/team/project.git",
  "https://ada@host.example/team/project.git",
  "https://ada:pass%40word@host.example/team/project.git",
  "https://ada:p@ss@host.example/team/project",
  "https://x-access-token:ghs_123@host.example/team/project",
  "git://host.example/team/project.git",
  "git://host.example:9418/team/project",
  "  https://host.example/team/project.git\n",
];

test.each(ONE)("%s is one repository, whatever the way there", (address) => {
  expect(normalizeRemote(address)).toBe("host.example/team/project");
});

test.each([
  ["https://host.example:8443/team/project", "host.example:8443/team/project"],
  ["http://127.0.0.1:3000/a/b.git", "127.0.0.1:3000/a/b"],
  ["https://host.example/Team/Project", "host.example/Team/Project"],
  ["https://host.example/a/b%20c.git", "host.example/a/b c"],
  ["https://host.example/a/b%zz", "host.example/a/b%zz"],
  ["git@[::1]:a/b.git", "[::1]/a/b"],
  ["ssh://git@[::1]:2222/a/b.git", "[::1]/a/b"],
  ["https://[2001:db8::1]:8080/a.git", "[2001:db8::1]:8080/a"],
  ["host.example:~ada/project.git", "host.example/~ada/project"],
  ["https://host.example/a/project.git.git", "host.example/a/project.git"],
  ["https://host.example", "host.example"],
])("%s is called %s", (address, name) => {
  expect(normalizeRemote(address)).toBe(name);
});

test.each([
  ["/srv/git/project.git", "/srv/git/project.git"],
  ["/srv/git/project.git/", "/srv/git/project.git"],
  ["../project.git", "../project.git"],
  ["./a:b", "./a:b"],
  ["file:///srv/git/project.git", "/srv/git/project.git"],
  ["file://localhost/srv/git/a%20b", "/srv/git/a b"],
  ["/", "/"],
])("%s is a folder of this machine", (address, name) => {
  expect(isPath(address)).toBe(true);
  expect(normalizeRemote(address)).toBe(name);
});

test("an address of another machine is no path", () => {
  for (const address of ONE) expect(isPath(address.trim()), address).toBe(false);
  expect(toFolderPath("relative/folder")).toBe("relative/folder");
});

test("no name and no password of anybody is printed", () => {
  expect(removeCredentials("https://ada:secret@host.example/a/b")).toBe("https://host.example/a/b");
  expect(removeCredentials("https://ada:p@ss@host.example/a@b")).toBe("https://host.example/a@b");
  expect(removeCredentials("git@host.example:a/b")).toBe("git@host.example:a/b");
  for (const address of ONE) expect(normalizeRemote(address)).not.toMatch(/ada|pass|ghs_/);
});
