import { readBlocks, readBundle, readPnpm, readSums, readYarn } from "./text-locks.ts";

/** Package as installed from a lock. */
export type LockedPackage = {
  readonly name: string;
  readonly version: string;
  /** Digests of the installed content. */
  readonly content: readonly string[];
  /** Its address in a registry. */
  readonly address?: string;
  /** A registry whose addresses contain the package name. */
  readonly named?: true;
  /** Not a release: a folder, a file or a repository. */
  readonly elsewhere?: string;
};

type LockFields = Readonly<Record<string, unknown>>;

/** Reads the packages of a lock. Returns undefined for an unknown format or an unreadable file. */
export function readLock(path: string, text: string): readonly LockedPackage[] | undefined {
  const [, read] = READERS.find(([name]) => name.test(path)) ?? [];
  if (!read) return undefined;
  try {
    return read(text);
  } catch {
    return undefined;
  }
}

export function isLock(path: string): boolean {
  return READERS.some(([name]) => name.test(path));
}

const READERS: readonly (readonly [name: RegExp, read: (text: string) => readonly LockedPackage[]])[] = [
  [/(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/, readNpm],
  [/(?:^|\/)pnpm-lock\.yaml$/, readPnpm],
  [/(?:^|\/)yarn\.lock$/, readYarn],
  [/(?:^|\/)bun\.lock$/, readBun],
  [/(?:^|\/)(?:Cargo|poetry|uv|pdm)\.lock$/, readBlocks],
  [/(?:^|\/)Pipfile\.lock$/, readPipfile],
  [/(?:^|\/)composer\.lock$/, readComposer],
  [/(?:^|\/)Gemfile\.lock$/, readBundle],
  [/(?:^|\/)go\.sum$/, readSums],
];

function readNpm(text: string): readonly LockedPackage[] {
  const lock = toLockFields(JSON.parse(text));
  if (lock["packages"] === undefined) return readNested(lock);
  return Object.entries(toLockFields(lock["packages"])).flatMap(([key, value]) => {
    const at = key.lastIndexOf("node_modules/");
    return at < 0 ? [] : [toNpmPackage(key.slice(at + "node_modules/".length), toLockFields(value))];
  });
}

/** Version 1 of the lock: nested packages. */
function readNested(lock: LockFields): readonly LockedPackage[] {
  return Object.entries(toLockFields(lock["dependencies"])).flatMap(([name, value]) => [
    toNpmPackage(name, toLockFields(value)),
    ...readNested(toLockFields(value)),
  ]);
}

function toNpmPackage(name: string, fields: LockFields): LockedPackage {
  const version = toLockText(fields["version"]);
  const place = toLockText(fields["resolved"]);
  const said = /^[\d*]/.test(version) || version === "" ? place : version;
  const isRelease = fields["link"] !== true && (said === "" || /^https?:/.test(said));
  return {
    name,
    version,
    content: toTextList(fields["integrity"]),
    ...(isRelease ? { ...(said === "" ? {} : { address: said }), named: true } : { elsewhere: said }),
  };
}

function readBun(text: string): readonly LockedPackage[] {
  const lock = toLockFields(JSON.parse(text.replaceAll(/,(\s*[}\]])/g, "$1")));
  return Object.entries(toLockFields(lock["packages"])).map(([key, value]) => {
    const [said = "", address = "", , content = ""] = Array.isArray(value) ? value.map(toLockText) : [];
    const version = said.slice(said.lastIndexOf("@") + 1);
    const name = key.split("/").at(key.includes("@") ? -2 : -1) ?? key;
    const whole = key.includes("@") ? `${name}/${key.split("/").at(-1)}` : name;
    if (!/^\d/.test(version)) return { name: whole, version, content: [], elsewhere: version };
    // An alias is the release of another package.
    const isOwn = said.startsWith(`${whole}@`);
    const place = address === "" ? `npm/${said.slice(0, said.lastIndexOf("@"))}/` : address;
    return {
      name: whole,
      version,
      content: toTextList(content),
      address: isOwn ? `npm/${whole}/` : place,
      named: true,
    };
  });
}

function readPipfile(text: string): readonly LockedPackage[] {
  const lock = toLockFields(JSON.parse(text));
  return ["default", "develop"].flatMap((part) =>
    Object.entries(toLockFields(lock[part])).map(([name, value]) => {
      const fields = toLockFields(value);
      const elsewhere = ["path", "file", "git"].map((key) => toLockText(fields[key])).find((each) => each !== "");
      const hashes = Array.isArray(fields["hashes"]) ? fields["hashes"].map(toLockText) : [];
      const version = toLockText(fields["version"]);
      return { name, version, content: hashes, ...(elsewhere === undefined ? {} : { elsewhere }) };
    }),
  );
}

function readComposer(text: string): readonly LockedPackage[] {
  const lock = toLockFields(JSON.parse(text));
  const listed = ["packages", "packages-dev"].flatMap((key) => (Array.isArray(lock[key]) ? lock[key] : []));
  return listed.map(toLockFields).map((fields) => {
    const dist = toLockFields(fields["dist"]);
    const url = toLockText(dist["url"]);
    const isRelease = /^https?:/.test(url) || url === "";
    return {
      name: toLockText(fields["name"]),
      version: toLockText(fields["version"]),
      content: toTextList(dist["reference"]),
      ...(isRelease ? {} : { elsewhere: url }),
    };
  });
}

function toLockFields(value: unknown): LockFields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as LockFields) : {};
}

function toLockText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function toTextList(value: unknown): readonly string[] {
  return toLockText(value)
    .split(/\s+/)
    .filter((word) => word !== "");
}
