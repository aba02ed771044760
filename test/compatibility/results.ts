import { z } from "zod";

/** The result of one case. `group` is the title of the surrounding describe, without the program's name. */
export type Result = {
  readonly group: string;
  readonly title: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** Why the case cannot hold. */
  readonly reason?: string;
};

export type Results = {
  readonly startedAt: number;
  /** Results by program. */
  readonly programs: ReadonlyMap<string, readonly Result[]>;
  /** Cases with real programs that concern several of them, or more than a driver. */
  readonly together: readonly Result[];
  /** Programs that could not be installed, with the reason. */
  readonly absent: readonly string[];
};

const Report = z.object({
  startTime: z.number(),
  testResults: z.array(
    z.object({
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() }),
      ),
    }),
  ),
});

export function readResults(text: string): Results {
  const { startTime, testResults } = Report.parse(JSON.parse(text));
  const programs = new Map<string, Result[]>();
  const together: Result[] = [];
  const absent = new Set<string>();
  for (const { ancestorTitles, title, status } of testResults.flatMap(({ assertionResults }) => assertionResults)) {
    const [, program, rest = ""] = /^the real (\w+)(.*)$/.exec(ancestorTitles[0] ?? "") ?? [];
    const result = toResult(rest.trim(), title, status);
    if (rest.startsWith(" (")) absent.add(ancestorTitles[0] ?? "");
    else if (program !== undefined) programs.set(program, [...(programs.get(program) ?? []), result]);
    else if (/\breal\b/.test([...ancestorTitles, title].join(" "))) {
      together.push({ ...result, group: ancestorTitles.join(" ") });
    }
  }
  return { startedAt: startTime, programs, together, absent: [...absent] };
}

const RULE = /\[[A-Z]-\d{2}\]\s*/g;

function toResult(group: string, title: string, status: string): Result {
  const plain = title.replace(RULE, "");
  if (status === "passed" || status === "failed") return { group, title: plain, outcome: status };
  const [, name = plain, reason] = /^(.*?) \((.*)\)$/.exec(plain) ?? [];
  return { group, title: name, outcome: "skipped", ...(reason === undefined ? {} : { reason }) };
}
