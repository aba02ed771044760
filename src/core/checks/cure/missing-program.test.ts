import { expect, test } from "vitest";
import { formatInstallHint, formatMissingProgram } from "./missing-program.ts";

const machine = (installed: readonly string[], isRoot = false) => ({
  isRoot,
  isInstalled: (program: string) => installed.includes(program),
});

test("the install command of a program can run on this machine", () => {
  expect(formatInstallHint("bundle", machine(["apt", "sudo"]))).toBe("sudo apt install ruby-bundler");
  expect(formatInstallHint("bundle", machine(["apt"], true))).toBe("apt install ruby-bundler");
  expect(formatInstallHint("bundle", machine(["apt"]))).toBe("su -c 'apt install ruby-bundler'");
  expect(formatInstallHint("bundle", machine([]))).toMatch(/^install bundle as https:\S+ says, or put the folder/);
  expect(formatInstallHint("pnpm", machine(["npm"]))).toBe("npm install -g pnpm");
  expect(formatInstallHint("uv", machine(["npm"]))).toMatch(/^install uv as https:\S+ says/);
});

test("a program without a known or usable install command is still explained", () => {
  expect(formatInstallHint("zig", machine(["apt"]))).toMatch(/^install zig, put the folder/);
  expect(formatInstallHint("make", machine([]))).toMatch(/^install make, put the folder/);
});

test("the sentence contains the install hint once", () => {
  expect(formatMissingProgram("mvn", machine(["apt"], true))).toBe("mvn is not on the PATH; get it: apt install maven");
  expect(formatMissingProgram("go", machine(["apt"]))).toMatch(/^go is not on the PATH; install go as https:/);
});
