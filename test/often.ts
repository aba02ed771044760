/** Number of iterations of a randomized or repeated test: `daily` by default, `all` in `npm run test:soak`. */
export function often(daily: number, all: number): number {
  return TRIES_ALL ? all : daily;
}

export const TRIES_ALL = process.env["SIGNALBOX_TESTS"] === "all";
