import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { collectPackageSettings } from "./package-settings.ts";

const home = mkdtempSync(join(tmpdir(), "signalbox-settings-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs with a PATH whose programs shadow those of this machine; only one of them prints anything. */
async function pipOf(
  program: string,
  lines: readonly string[],
  env: Readonly<Record<string, string>> = {},
  wanted: readonly string[] = [],
) {
  const bin = mkdtempSync(join(home, "bin-"));
  for (const name of ["python3", "pip", "pip3", "npm"]) {
    const said = name === program ? lines.join("\n") : "";
    writeFileSync(join(bin, name), `#!/bin/sh\ncat <<'END'\n${said}\nEND\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return collectPackageSettings({ PATH: `${bin}:/bin`, ...env }, wanted);
}

test("[A-21] every setting that determines where pip downloads from is collected, whatever its source", async () => {
  const { pip } = await pipOf(
    "pip",
    [
      ":env:.find-links='/tmp'",
      "download.index-url='https://elsewhere.example/simple'",
      "global.extra-index-url='\\nhttps://a.example/simple\\nhttps://b.example/simple'",
      "global.index-url='https://index.example/simple'",
      "global.no-index='true'",
      "global.proxy='http://proxy.example:3128'",
      "global.timeout='60'",
      "global.trusted-host='index.example'",
      "install.index-url='https://install.example/simple'",
    ],
    { PIP_FIND_LINKS: "/tmp", PIP_CERT: "/bin/sh" },
  );
  expect(pip).toEqual({
    PIP_CERT: "/bin/sh",
    PIP_INDEX_URL: "https://install.example/simple",
    PIP_EXTRA_INDEX_URL: "https://a.example/simple https://b.example/simple",
    PIP_FIND_LINKS: "/tmp",
    PIP_NO_INDEX: "true",
    PIP_TRUSTED_HOST: "index.example",
    PIP_PROXY: "http://proxy.example:3128",
  });
});

test("[A-21] only existing paths of a list are kept", async () => {
  const { pip } = await pipOf("pip", ["global.find-links='/no/such/folder /tmp'"]);
  expect(pip["PIP_FIND_LINKS"]).toBe("/tmp");
});

test("[A-21] a value with a password or below the home is named but not displayed", async () => {
  const { pip, withheld } = await pipOf("pip3", [
    "global.extra-index-url='https://a.example/simple https://me:secret@b.example/simple'",
    `global.find-links='file://${homedir()}/wheels'`,
    "global.proxy='me:secret@proxy.example:3128'",
  ]);
  expect(pip).toEqual({});
  expect(withheld.map(({ name }) => name)).toEqual([
    ...["PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_PROXY"],
    ...["UV_INDEX", "UV_FIND_LINKS"],
  ]);
  expect(JSON.stringify(withheld)).not.toContain("secret");
});

test("[A-21] a package that the user's own pip does not find is reported as unfound", async () => {
  const none = "ERROR: No matching distribution found for flit_core";
  const wanted = ["flit_core<4"];
  expect(await pipOf("pip", [none], {}, wanted)).toMatchObject({
    unfound: [{ wanted: "flit_core<4", versions: [] }],
  });
  const found = await pipOf("pip", ["flit_core (3.9.0)", "Available versions: 3.9.0"], {}, wanted);
  expect(found.unfound).toBeUndefined();
  expect((await pipOf("pip", [], {}, wanted)).unfound).toBeUndefined();
});
