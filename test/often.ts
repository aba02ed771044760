/** How often something random or repeated is tried: the first number in `npm test`, the second in `npm run test:all`. */
export function often(daily: number, all: number): number {
  return TRIES_ALL ? all : daily;
}

export const TRIES_ALL = process.env["SIGNALBOX_TESTS"] === "all";
