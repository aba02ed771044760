import { writeSync } from "node:fs";

/** All of it, before anything else happens: what is in no buffer cannot be lost. */
export function print(bytes) {
  const whole = Buffer.from(bytes);
  for (let done = 0; done < whole.length; ) done += writeSync(1, whole, done);
}

export const printEvents = (...events) => {
  for (const event of events) print(`${JSON.stringify(event)}\n`);
};

export const halfOf = (text) => text.slice(0, Math.floor(text.length / 2));
