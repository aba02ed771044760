import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toMachineError } from "../../core/failure/machine-failure.ts";

export type GitDirOptions = {
  readonly objectFormat: string;
  /** Another object store that is read but never written. */
  readonly borrowed: string;
  readonly bare: boolean;
  readonly branch: string;
};

/**
 * Disables line-ending conversion, encodings, keywords and filters, so that files and blobs are byte-identical. This
 * file overrides the tree's .gitattributes.
 */
const RAW_ATTRIBUTES = "* -text !eol -ident -filter -working-tree-encoding\n";

/** Writes what `git init` without templates creates, which saves a process per attempt. */
export async function createGitDir(dir: string, own: GitDirOptions): Promise<void> {
  await mkdir(join(dir, "objects", "info"), { recursive: true });
  await Promise.all([
    mkdir(join(dir, "refs", "heads"), { recursive: true }),
    mkdir(join(dir, "info"), { recursive: true }),
  ]);
  await Promise.all([
    writeFileAtomically(join(dir, "HEAD"), `ref: refs/heads/${own.branch}\n`),
    writeFileAtomically(join(dir, "config"), formatSettings(own)),
    writeFileAtomically(join(dir, "info", "attributes"), RAW_ATTRIBUTES),
    writeFileAtomically(join(dir, "objects", "info", "alternates"), `${own.borrowed}\n`),
  ]);
}

function formatSettings({ objectFormat, bare }: GitDirOptions): string {
  const sha1 = objectFormat === "sha1";
  return [
    "[core]",
    `\trepositoryformatversion = ${sha1 ? 0 : 1}`,
    "\tfilemode = true",
    `\tbare = ${bare}`,
    ...(sha1 ? [] : ["[extensions]", `\tobjectformat = ${objectFormat}`]),
    // The agent commits under a neutral name, unsigned and without background maintenance.
    "[user]\n\tname = Signalbox agent\n\temail = agent@localhost",
    "[commit]\n\tgpgsign = false",
    "[gc]\n\tauto = 0",
    "[maintenance]\n\tauto = false",
    "",
  ].join("\n");
}

// Several engines may create the directory at once, so each file is written atomically.
async function writeFileAtomically(path: string, text: string): Promise<void> {
  const fresh = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    await writeFile(fresh, text);
    await rename(fresh, path);
  } catch (error) {
    throw toMachineError(error, path) ?? error;
  }
}
