import { SignalboxError } from "../../core/failure/errors.ts";
import type { DriverDescriptor } from "../../drivers/descriptor.ts";
import { type BrokenFile, loadModules } from "../trust/own-modules.ts";
import type { TrustedFolder } from "../trust/pipeline-modules.ts";

/** Drivers that the repository brings. */
export type OwnDrivers = {
  readonly all: readonly DriverDescriptor[];
  /** Files that were not read, because nobody has said yes to them. */
  readonly unread: readonly string[];
  readonly broken: readonly BrokenFile[];
};

/** Runs the files: call it only when a person trusts them. */
export async function ownDrivers(trusted: TrustedFolder, files: readonly string[]): Promise<OwnDrivers> {
  const read = await loadModules(trusted, files, ({ file, exports }) => {
    const drivers = exports.filter(isDescriptor);
    const path = `${trusted.name}/${file}`;
    if (drivers.length > 0) return drivers.map((driver) => blamed(driver, path));
    const hint = "Export what defineDriver of signalbox/driver returns.";
    throw new SignalboxError("DRIVER_INVALID", `${path} exports no driver.`, hint);
  });
  return { ...read, unread: [] };
}

/** What goes wrong in it while it is made is a mistake in the file, and none of ours. */
function blamed(driver: DriverDescriptor, path: string): DriverDescriptor {
  const create: DriverDescriptor["create"] = async (parts) => {
    try {
      return await driver.create(parts);
    } catch (cause) {
      if (cause instanceof SignalboxError) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      const hint = "Correct the file and try again.";
      throw new SignalboxError("DRIVER_INVALID", `The driver ${driver.name} of ${path} failed: ${why}`, hint, {
        cause,
      });
    }
  };
  return { ...driver, create };
}

/** Undefined where every driver was read. */
export function unreadDriver(name: string, { unread }: OwnDrivers): SignalboxError | undefined {
  if (unread.length === 0) return undefined;
  return new SignalboxError(
    "UNTRUSTED",
    `"${name}" is not built in, and the repository's own drivers were not read: ${unread.join(", ")}.`,
    "If you trust them, say so once with `signalbox init`, or for this call with --trust.",
  );
}

function isDescriptor(value: unknown): value is DriverDescriptor {
  if (typeof value !== "object" || value === null || !("name" in value) || !("create" in value)) return false;
  return typeof value.name === "string" && typeof value.create === "function";
}
