import { expect, test } from "vitest";
import { suggestSandboxFix } from "./sandbox-fix.ts";

const cure = (installed: readonly string[], settings: Readonly<Record<string, string>> = {}, isRoot = false) =>
  suggestSandboxFix({
    isRoot,
    isInstalled: (program) => installed.includes(program),
    setting: (name) => settings[name],
  });

test("a missing program is installed first, and no kernel setting is blamed", () => {
  const closed = { "kernel.apparmor_restrict_unprivileged_userns": "1" };
  expect(cure(["apt", "sudo", "bwrap"], closed)).toBe("sudo apt install util-linux");
  expect(cure(["apt", "sudo", "setsid"], closed)).toBe("sudo apt install bubblewrap");
});

test("the fix works on this machine: root needs no sudo, and without apt only the package is named", () => {
  expect(cure(["apt", "setsid"], {}, true)).toBe("apt install bubblewrap");
  expect(cure(["apt", "setsid"])).toBe("su -c 'apt install bubblewrap'");
  expect(cure(["setsid"])).toBe("install bubblewrap");
  expect(cure(["bwrap", "setsid"], { "kernel.unprivileged_userns_clone": "0" }, true)).toMatch(/^sysctl /);
});

test("a kernel setting is proposed only if it is the one that blocks the sandbox", () => {
  const both = ["bwrap", "setsid"];
  expect(cure(both, { "kernel.apparmor_restrict_unprivileged_userns": "1" })).toContain("userns=0");
  expect(cure(both, { "kernel.unprivileged_userns_clone": "0" })).toContain("userns_clone=1");
  expect(cure(both, { "kernel.apparmor_restrict_unprivileged_userns": "0" })).not.toContain("sysctl");
});
