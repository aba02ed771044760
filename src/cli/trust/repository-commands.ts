import {
  findStartedScripts,
  isMakeCall,
  isManagerCall,
  mayLeavePackage,
} from "../../core/checks/detect/started-scripts.ts";
import { askGit } from "../project/ask-git.ts";
import { loadConfigLayers } from "../project/config-sources.ts";
import type { RepositoryPlaces } from "../project/repository.ts";
import { resolveSettings } from "../project/settings.ts";
import { hashBytes } from "./guard-modules.ts";

/** Set-up and checks as they would run, with the scripts behind them. */
export type RepositoryCommands = {
  readonly count: number;
  readonly shown: readonly string[];
  /** The part of `shown` that the command lines do not contain. */
  readonly behind: readonly string[];
  /** Hash of everything in `shown`, and of files that are only named there. */
  readonly print: string;
};

/** Reads committed content, because a clean checkout contains only that. */
export async function readRepositoryCommands(places: RepositoryPlaces): Promise<RepositoryCommands> {
  const { commands, setup } = resolveSettings(await loadConfigLayers(places));
  const all = [...(setup ? [{ name: "setup", run: setup.run }] : []), ...commands];
  const lines = all.map(({ run }) => run);
  const files =
    lines.length === 0 ? [] : await listCommittedFiles(places.top, { everywhere: lines.some(mayLeavePackage) });
  const whole = files.filter(
    ({ path }) =>
      (MAKEFILE.test(path) && lines.some(isMakeCall)) || (MANAGER_SETTINGS.test(path) && lines.some(isManagerCall)),
  );
  const manifests = files.filter(({ path }) => MANIFEST.test(path)).slice(0, MOST_SHOWN);
  const texts = await Promise.all(
    manifests.map(async (file) => [file.path, await readCommittedText(places.top, file)] as const),
  );
  const behind = [
    ...findStartedScripts(lines, new Map(texts)).map(({ path, name, text }) => `${path} ${name}: ${text}`),
    ...whole.map(({ path }) => `${path}: all of it`),
  ];
  const shown = [...all.map(({ name, run }) => `command ${name}: ${run}`), ...behind];
  return { count: all.length, shown, behind, print: hashBytes(JSON.stringify([shown, whole])) };
}

type CommittedFile = { readonly id: string; readonly path: string };

const MANIFEST = /(?:^|\/)package\.json$/;
const MAKEFILE = /(?:^|\/)(?:GNUmakefile|[Mm]akefile|[^/]+\.mk)$/;
/** A line in these files can put another shell or program behind every script. */
const MANAGER_SETTINGS = /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.c?js|pnpm-workspace\.yaml|bunfig\.toml)$/;
const MOST_SHOWN = 200;

async function listCommittedFiles(
  top: string,
  { everywhere }: { readonly everywhere: boolean },
): Promise<readonly CommittedFile[]> {
  const reply = await askGit(top, ["ls-tree", "-z", ...(everywhere ? ["-r"] : []), "HEAD"]);
  // Nothing can run if there is no commit.
  const entries = "out" in reply ? reply.out.split("\0") : [];
  return entries.flatMap((entry) => {
    const [, id, path] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
    return id !== undefined && path !== undefined ? [{ id, path }] : [];
  });
}

async function readCommittedText(top: string, { id }: CommittedFile): Promise<string> {
  const reply = await askGit(top, ["cat-file", "blob", id]);
  return "out" in reply ? reply.out : "";
}
