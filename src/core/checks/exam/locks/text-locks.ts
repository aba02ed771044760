import type { LockedPackage } from "./read-lock.ts";

/** Lines of an indented format: a key and its body. */
type LockBlock = { readonly key: string; readonly text: string };

export function readPnpm(text: string): readonly LockedPackage[] {
  const packages = splitBlocks(extractSection(text, "packages"), "  ").map(({ key, text: body }): LockedPackage => {
    const [, name = key, said = ""] = /^\/?(@[^/]+\/[^/@]+|[^/@]+)[@/](.+)$/.exec(key) ?? [];
    const version = said.replace(/[(_].*$/, "");
    const resolution = /resolution:\s*(\{[^}]*\}|(?:\n {6}.*)+)/.exec(body)?.[1] ?? "";
    const content = /integrity:\s*([^\s,}]+)/.exec(resolution)?.slice(1) ?? [];
    const isRelease = /^\d/.test(version) && !/\b(?:directory|tarball|commit|repo|path):/.test(resolution);
    return { name, version, content, ...(isRelease ? {} : { elsewhere: `${said} ${resolution.trim()}` }) };
  });
  const linked = [...text.matchAll(/^( *)(\S+):\n(?:\1 {2}specifier:.*\n)?\1 {2}version: ((?:link|file):.*)$/gm)];
  return [
    ...packages,
    ...linked.map(([, , key = "", place = ""]) => ({
      name: unquoteKey(key),
      version: "",
      content: [],
      elsewhere: place,
    })),
  ];
}

/** Reads version 1 and later ones. */
export function readYarn(text: string): readonly LockedPackage[] {
  return splitBlocks(text, "").flatMap(({ key, text: body }): readonly LockedPackage[] => {
    const [, name] = /^"?(@?[^@"]+)@/.exec(key) ?? [];
    if (name === undefined) return [];
    const field = (label: string) => new RegExp(`^  ${label}:? "?([^"\\n]+)`, "m").exec(body)?.[1]?.trim();
    const [version = "", place, resolution] = [field("version"), field("resolved"), field("resolution")];
    const content = [field("integrity"), field("checksum"), place?.split("#")[1]].filter((each) => each !== undefined);
    if (resolution !== undefined) {
      const [, real = "", protocol = ""] = /^(@?[^@]+)@(\w+):/.exec(resolution) ?? [];
      if (protocol !== "npm") return [{ name, version, content: [], elsewhere: resolution }];
      return [{ name, version, content, address: `npm/${real}/`, named: true }];
    }
    if (place === undefined || !/^https?:/.test(place))
      return [{ name, version, content: [], elsewhere: place ?? key }];
    return [{ name, version, content, address: place, named: true }];
  });
}

/** Reads TOML with one `[[package]]` each: Cargo, Poetry, uv and PDM. */
export function readBlocks(text: string): readonly LockedPackage[] {
  return text
    .split(/^\[\[package\]\]\s*$/m)
    .slice(1)
    .map((block) => {
      const body = block.replace(/^\[(?:metadata|\[).*$[\s\S]*/m, "");
      const field = (label: string) => new RegExp(`^${label} = "([^"]*)"`, "m").exec(body)?.[1] ?? "";
      const content = [...body.matchAll(/sha256:[0-9a-f]{64}|^checksum = "([0-9a-f]{64})"/gm)].map(
        ([whole, sum]) => sum ?? whole,
      );
      const source = /^source = (?!"registry\+|\{ registry = "https?:)(.+)$/m.exec(body)?.[1] ?? parseSourceTable(body);
      const elsewhere = source ?? /^(?:path|git|url) = "([^"]*)"/m.exec(body)?.[1];
      return {
        name: field("name"),
        version: field("version"),
        content,
        ...(elsewhere ? { elsewhere } : {}),
        ...parseAddress(body),
      };
    });
}

function parseAddress(body: string): { readonly address?: string } {
  const address = /^source = (?:"registry\+|\{ registry = ")(https?:[^"]+)"/m.exec(body)?.[1];
  return address === undefined ? {} : { address };
}

/** Poetry marks packages that are not releases in a separate table. */
function parseSourceTable(body: string): string | undefined {
  const table = /^\[package\.source\]\n((?:.+\n?)*)/m.exec(body)?.[1];
  return table === undefined || /type = "legacy"/.test(table) ? undefined : table.trim();
}

/** Reads Bundler's lock: releases are in the section GEM, other packages in sections with their source. */
export function readBundle(text: string): readonly LockedPackage[] {
  const sums = new Map(
    [...text.matchAll(/^ {2}(\S+ \([^)]+\)) (sha256=\w+)$/gm)].map(([, key = "", sum = ""]) => [key, sum]),
  );
  return text.split(/\n(?=[A-Z])/).flatMap((section) => {
    const place = /^(?:GIT|PATH)\n((?: {2}\w+:.*\n)*)/.exec(section)?.[1];
    return [...section.matchAll(/^ {4}(\S+) \(([^)]+)\)$/gm)].map(([, name = "", version = ""]) => ({
      name,
      version,
      content: [sums.get(`${name} (${version})`)].filter((sum) => sum !== undefined),
      ...(place === undefined ? {} : { elsewhere: place.trim() }),
    }));
  });
}

/** Reads Go's checksums: one per version of a module. */
export function readSums(text: string): readonly LockedPackage[] {
  return text.split("\n").flatMap((line) => {
    const [name, version, sum] = line.trim().split(/\s+/);
    return name && version && sum ? [{ name, version, content: [sum] }] : [];
  });
}

function extractSection(text: string, key: string): string {
  const [, body = ""] = text.split(new RegExp(`^${key}:\\s*$`, "m"));
  return body.split(/^(?=\S)/m)[0] ?? "";
}

function splitBlocks(text: string, indent: string): readonly LockBlock[] {
  const key = new RegExp(`^${indent}(?![\\s#])(.+?):(?:\\s*\\{\\})?\\s*$`);
  const blocks: { key: string; text: string }[] = [];
  for (const line of text.split("\n")) {
    const [, found] = key.exec(line) ?? [];
    if (found !== undefined) blocks.push({ key: unquoteKey(found), text: "" });
    else if (blocks.length > 0) (blocks.at(-1) as { text: string }).text += `${line}\n`;
  }
  return blocks;
}

function unquoteKey(key: string): string {
  return /^(['"])(.*)\1$/.exec(key)?.[2] ?? key;
}
