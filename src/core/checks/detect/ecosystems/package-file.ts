import { z } from "zod";

const Table = z.record(z.string(), z.unknown()).optional().catch(undefined);

const Manager = z.object({ name: z.string(), version: z.string().default("") });

/** A package.json, composer.json or deno.json. All fields are optional. */
const PackageFile = z.object({
  name: z.string().optional().catch(undefined),
  scripts: Table,
  tasks: Table,
  packageManager: z.string().optional().catch(undefined),
  devEngines: z
    .object({ packageManager: z.union([Manager, z.array(Manager).transform(([first]) => first)]) })
    .optional()
    .catch(undefined),
  dependencies: Table,
  devDependencies: Table,
  peerDependencies: Table,
  workspaces: z.unknown().optional(),
});
export type PackageFile = z.infer<typeof PackageFile>;

export function parsePackageFile(text: string | undefined): PackageFile | undefined {
  if (text === undefined) return undefined;
  try {
    return PackageFile.safeParse(JSON.parse(removeCommentLines(text))).data;
  } catch {
    return undefined;
  }
}

/** Removes whole comment lines only, because addresses contain `//` too. */
function removeCommentLines(text: string): string {
  return text.replaceAll(/^\s*\/\/.*$/gm, "");
}
