import { expect, test } from "vitest";
import { gettingText, missingText } from "./missing-program.ts";

const machine = (installed: readonly string[], isRoot = false) => ({
  isRoot,
  isInstalled: (program: string) => installed.includes(program),
});

test("the line that gets a program is one that this machine can run", () => {
  expect(gettingText("bundle", machine(["apt", "sudo"]))).toBe("sudo apt install ruby-bundler");
  expect(gettingText("bundle", machine(["apt"], true))).toBe("apt install ruby-bundler");
  expect(gettingText("bundle", machine(["apt"]))).toBe("su -c 'apt install ruby-bundler'");
  expect(gettingText("bundle", machine([]))).toMatch(/^install bundle as https:\S+ says, or put the folder/);
  expect(gettingText("pnpm", machine(["npm"]))).toBe("npm install -g pnpm");
  expect(gettingText("uv", machine(["npm"]))).toMatch(/^install uv as https:\S+ says/);
});

test("a program of which nothing is known, or no way is open, is still told about", () => {
  expect(gettingText("zig", machine(["apt"]))).toMatch(/^install zig, put the folder/);
  expect(gettingText("make", machine([]))).toMatch(/^install make, put the folder/);
});

test("as a sentence it says once how it is got", () => {
  expect(missingText("mvn", machine(["apt"], true))).toBe("mvn is not on the PATH; get it: apt install maven");
  expect(missingText("go", machine(["apt"]))).toMatch(/^go is not on the PATH; install go as https:/);
});
