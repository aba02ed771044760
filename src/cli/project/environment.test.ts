import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parseConfig } from "./config.ts";
import { addConfiguredValues, formatEnvironment, mergeEnvironmentRules, resolveEnvironment } from "./environment.ts";

const read = (text: string) => parseConfig(text, "config.yaml").environment;

describe("the environment of set-up and checks", () => {
  test("contains what the configuration names, for both or for one of them", () => {
    const rules = mergeEnvironmentRules([
      read(
        "environment:\n  pass: [HTTPS_PROXY, NOT_HERE]\n  setup: { pass: [NPM_TOKEN] }\n  checks: { set: { DATABASE_URL: x } }\n",
      ),
    ]);
    const here = { HOME: "/nowhere", HTTPS_PROXY: "http://p", NPM_TOKEN: "t", OTHER: "never" };
    expect(resolveEnvironment(rules, here)).toEqual({
      setup: { NPM_TOKEN: "t", HTTPS_PROXY: "http://p" },
      checks: { HTTPS_PROXY: "http://p", DATABASE_URL: "x" },
      shown: ["DATABASE_URL=x"],
    });
  });

  test("shows configured values of checks, but no secrets", () => {
    const said = read(
      "environment: { pass: [MINE], set: { TZ: UTC }, checks: { set: { API_TOKEN: abcdefgh12345678 } } }",
    );
    const { shown } = resolveEnvironment(mergeEnvironmentRules([said]), { HOME: "/nowhere", MINE: "mine" });
    expect(shown?.toSorted()).toEqual(["API_TOKEN=…", "TZ=UTC"]);
  });

  test("takes the nearest value of a name and combines the names to pass", () => {
    const rules = mergeEnvironmentRules([
      read("environment: { set: { A: near } }"),
      undefined,
      read("environment: { set: { A: far, B: far }, pass: [C] }"),
    ]);
    expect(resolveEnvironment(rules, { HOME: "/nowhere", C: "c" }).checks).toEqual({ A: "near", B: "far", C: "c" });
  });

  test("contains the toolchain folders of programs on the PATH", () => {
    const home = mkdtempSync(join(tmpdir(), "signalbox-home-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    mkdirSync(join(home, ".rustup"));
    const none = mergeEnvironmentRules([]);
    expect(resolveEnvironment(none, { HOME: home })).toEqual({
      setup: { RUSTUP_HOME: join(home, ".rustup") },
      checks: { RUSTUP_HOME: join(home, ".rustup") },
      shown: [],
    });
    expect(resolveEnvironment(none, { HOME: "/nowhere", RUSTUP_HOME: home }).checks).toEqual({ RUSTUP_HOME: home });
  });

  test.each(["PATH", "HOME", "SIGNALBOX_TRUST", "a-b"])("may not name %s", (name) => {
    expect(() => read(`environment: { pass: ["${name}"] }`)).toThrow("config.yaml is invalid");
    expect(() => read(`environment: { set: { "${name}": x } }`)).toThrow("config.yaml is invalid");
  });

  test("is displayed without secrets, which are redacted everywhere", () => {
    const rules = mergeEnvironmentRules([
      read(
        "environment: { pass: [A], set: { API_KEY: abcdefghij, URL: 'postgres://me:hunter2hunter2@db/x', B: plain } }",
      ),
    ]);
    expect(formatEnvironment(rules)).toEqual([
      "A from your environment for set-up and checks",
      "API_KEY=… for set-up and checks",
      "URL=postgres://me:…@db/x for set-up and checks",
      "B=plain for set-up and checks",
    ]);
    expect(Object.values(addConfiguredValues(rules, { API_KEY: "another" }))).toEqual(
      expect.arrayContaining(["another", "abcdefghij"]),
    );
  });
});
