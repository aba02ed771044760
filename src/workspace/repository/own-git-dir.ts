import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { machineFailure } from "../../core/failure/machine-failure.ts";

export type OwnGitDir = {
  readonly objectFormat: string;
  /** The object store that is read besides the own one, and never written through it. */
  readonly borrowed: string;
  readonly bare: boolean;
  readonly branch: string;
};

/**
 * Bytes in a tree are bytes on disk, both ways: no line-end conversion, no encoding, no keyword, and no filter,
 * whatever the tree's own .gitattributes ask for. This file outranks them.
 */
const RAW_ATTRIBUTES = "* -text !eol -ident -filter -working-tree-encoding\n";

/** What `git init` without templates leaves behind, written directly: it saves a process per attempt. */
export async function layGitDir(dir: string, own: OwnGitDir): Promise<void> {
  await mkdir(join(dir, "objects", "info"), { recursive: true });
  await Promise.all([
    mkdir(join(dir, "refs", "heads"), { recursive: true }),
    mkdir(join(dir, "info"), { recursive: true }),
  ]);
  await Promise.all([
    put(join(dir, "HEAD"), `ref: refs/heads/${own.branch}\n`),
    put(join(dir, "config"), settings(own)),
    put(join(dir, "info", "attributes"), RAW_ATTRIBUTES),
    put(join(dir, "objects", "info", "alternates"), `${own.borrowed}\n`),
  ]);
}

function settings({ objectFormat, bare }: OwnGitDir): string {
  const sha1 = objectFormat === "sha1";
  return [
    "[core]",
    `\trepositoryformatversion = ${sha1 ? 0 : 1}`,
    "\tfilemode = true",
    `\tbare = ${bare}`,
    ...(sha1 ? [] : ["[extensions]", `\tobjectformat = ${objectFormat}`]),
    // An agent commits like anybody else, without a person's name on it and without housekeeping behind its back.
    "[user]\n\tname = Signalbox agent\n\temail = agent@localhost",
    "[commit]\n\tgpgsign = false",
    "[gc]\n\tauto = 0",
    "[maintenance]\n\tauto = false",
    "",
  ].join("\n");
}

// Several engines may lay the same directory at once: each file appears whole or not at all.
async function put(path: string, text: string): Promise<void> {
  const fresh = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    await writeFile(fresh, text);
    await rename(fresh, path);
  } catch (error) {
    throw machineFailure(error, path) ?? error;
  }
}
