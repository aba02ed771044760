import type { World } from "../../core/ports/world.ts";
import { canonical } from "../../core/text/json.ts";
import { removeRunId } from "./step.ts";

type CheckoutWrite = {
  readonly run: string;
  readonly path: string;
  readonly text: string;
  /** The fingerprint of the step that wrote it. */
  readonly print: string;
  /** Hashes that the pipeline may have named as what it replaces. */
  readonly known: Iterable<string>;
};

/** Tells whether a step wrote exactly this text into the checkout: its fingerprint covers path, text and target. */
export function isCheckoutWrite(world: Pick<World, "hash">, write: CheckoutWrite): boolean {
  const { run, path, text, print, known } = write;
  const own = { id: run };
  const texts = [...new Set([world.hash(removeRunId(own, text)), world.hash(text)])];
  for (const ifHash of [undefined, ...known]) {
    for (const hash of texts) {
      const said = canonical({ verb: "write", name: path, input: { text: hash, to: "checkout", ifHash } });
      if (world.hash(removeRunId(own, said)) === print || world.hash(said) === print) return true;
    }
  }
  return false;
}
