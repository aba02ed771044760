import { SignalboxError } from "../../core/failure/errors.ts";
import type { DriverDescriptor } from "../../drivers/descriptor.ts";
import type { TrustedFolder } from "../trust/guard-modules.ts";
import { type BrokenFile, loadModules } from "../trust/own-modules.ts";

/** Drivers defined by the repository. */
export type OwnDrivers = {
  readonly all: readonly DriverDescriptor[];
  /** Files that were not loaded because the repository is not trusted. */
  readonly unread: readonly string[];
  readonly broken: readonly BrokenFile[];
};

/** Executes the files. Call it only for a trusted repository. */
export async function loadOwnDrivers(trusted: TrustedFolder, files: readonly string[]): Promise<OwnDrivers> {
  const read = await loadModules(trusted, files, ({ file, exports }) => {
    const drivers = exports.filter(isDescriptor);
    const path = `${trusted.name}/${file}`;
    if (drivers.length > 0) return drivers.map((driver) => attributeErrors(driver, path));
    const hint = "Export the result of defineDriver from signalbox/driver.";
    throw new SignalboxError("DRIVER_INVALID", `${path} exports no driver.`, hint);
  });
  return { ...read, unread: [] };
}

/** Reports an exception from `create` as a mistake in the driver's file, not as an internal error. */
function attributeErrors(driver: DriverDescriptor, path: string): DriverDescriptor {
  const create: DriverDescriptor["create"] = async (parts) => {
    try {
      return await driver.create(parts);
    } catch (cause) {
      if (cause instanceof SignalboxError) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      const hint = "Fix the file and try again.";
      throw new SignalboxError("DRIVER_INVALID", `The driver ${driver.name} of ${path} failed: ${why}`, hint, {
        cause,
      });
    }
  };
  return { ...driver, create };
}

/** Returns undefined if every driver was loaded. */
export function createUnloadedDriverError(name: string, { unread }: OwnDrivers): SignalboxError | undefined {
  if (unread.length === 0) return undefined;
  return new SignalboxError(
    "UNTRUSTED",
    `"${name}" is not built in, and the repository's own drivers were not loaded: ${unread.join(", ")}.`,
    "To trust them, run `signalbox init`, or pass --trust for this call.",
  );
}

function isDescriptor(value: unknown): value is DriverDescriptor {
  if (typeof value !== "object" || value === null || !("name" in value) || !("create" in value)) return false;
  return typeof value.name === "string" && typeof value.create === "function";
}
