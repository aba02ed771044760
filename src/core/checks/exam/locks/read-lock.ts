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

type Fields = Readonly<Record<string, unknown>>;

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
  const lock = fieldsOf(JSON.parse(text));
  if (lock["packages"] === undefined) return readNested(lock);
  return Object.entries(fieldsOf(lock["packages"])).flatMap(([key, value]) => {
    const at = key.lastIndexOf("node_modules/");
    return at < 0 ? [] : [npmPackage(key.slice(at + "node_modules/".length), fieldsOf(value))];
  });
}

/** Version 1 of the lock: nested packages. */
function readNested(lock: Fields): readonly LockedPackage[] {
  return Object.entries(fieldsOf(lock["dependencies"])).flatMap(([name, value]) => [
    npmPackage(name, fieldsOf(value)),
    ...readNested(fieldsOf(value)),
  ]);
}

function npmPackage(name: string, fields: Fields): LockedPackage {
  const version = textOf(fields["version"]);
  const place = textOf(fields["resolved"]);
  const said = /^[\d*]/.test(version) || version === "" ? place : version;
  const isRelease = fields["link"] !== true && (said === "" || /^https?:/.test(said));
  return {
    name,
    version,
    content: wordsOf(fields["integrity"]),
    ...(isRelease ? { ...(said === "" ? {} : { address: said }), named: true } : { elsewhere: said }),
  };
}

function readBun(text: string): readonly LockedPackage[] {
  const lock = fieldsOf(JSON.parse(text.replaceAll(/,(\s*[}\]])/g, "$1")));
  return Object.entries(fieldsOf(lock["packages"])).map(([key, value]) => {
    const [said = "", address = "", , content = ""] = Array.isArray(value) ? value.map(textOf) : [];
    const version = said.slice(said.lastIndexOf("@") + 1);
    const name = key.split("/").at(key.includes("@") ? -2 : -1) ?? key;
    const whole = key.includes("@") ? `${name}/${key.split("/").at(-1)}` : name;
    if (!/^\d/.test(version)) return { name: whole, version, content: [], elsewhere: version };
    // An alias is the release of another package.
    const isOwn = said.startsWith(`${whole}@`);
    const place = address === "" ? `npm/${said.slice(0, said.lastIndexOf("@"))}/` : address;
    return { name: whole, version, content: wordsOf(content), address: isOwn ? `npm/${whole}/` : place, named: true };
  });
}

function readPipfile(text: string): readonly LockedPackage[] {
  const lock = fieldsOf(JSON.parse(text));
  return ["default", "develop"].flatMap((part) =>
    Object.entries(fieldsOf(lock[part])).map(([name, value]) => {
      const fields = fieldsOf(value);
      const elsewhere = ["path", "file", "git"].map((key) => textOf(fields[key])).find((each) => each !== "");
      const hashes = Array.isArray(fields["hashes"]) ? fields["hashes"].map(textOf) : [];
      const version = textOf(fields["version"]);
      return { name, version, content: hashes, ...(elsewhere === undefined ? {} : { elsewhere }) };
    }),
  );
}

function readComposer(text: string): readonly LockedPackage[] {
  const lock = fieldsOf(JSON.parse(text));
  const listed = ["packages", "packages-dev"].flatMap((key) => (Array.isArray(lock[key]) ? lock[key] : []));
  return listed.map(fieldsOf).map((fields) => {
    const dist = fieldsOf(fields["dist"]);
    const url = textOf(dist["url"]);
    const isRelease = /^https?:/.test(url) || url === "";
    return {
      name: textOf(fields["name"]),
      version: textOf(fields["version"]),
      content: wordsOf(dist["reference"]),
      ...(isRelease ? {} : { elsewhere: url }),
    };
  });
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function wordsOf(value: unknown): readonly string[] {
  return textOf(value)
    .split(/\s+/)
    .filter((word) => word !== "");
}
