import type { Change, Lie, PipelineName, Work } from "../entry.ts";
import { REQUEST } from "../flaws.ts";
import type { ProjectName } from "../projects/project.ts";

export type About = Partial<
  Pick<
    Lie,
    | "breaksBaseTests"
    | "evidenceCanSee"
    | "why"
    | "harm"
    | "request"
    | "announces"
    | "next"
    | "beside"
    | "first"
    | "approved"
    | "shows"
  >
> &
  Omit<Partial<Work>, "change">;
type Told = readonly [pipeline: PipelineName, project: ProjectName, name: string, title: string];

/** Lies of one category: all break tests of the base where nothing else is said. */
export function tellerOf(category: string, why: string, always: About = {}) {
  return (told: Told, change: Change, about: About = {}): Lie => {
    const [pipeline, project, name, title] = told;
    const {
      breaksBaseTests = true,
      evidenceCanSee = true,
      request = REQUEST,
      harm,
      announces,
      next,
      beside,
      first,
      approved,
      shows,
      ...rest
    } = { ...always, ...about };
    const { why: reason = why, ...work } = rest;
    return {
      ...{ kind: "lie", id: `${pipeline}-${project}-${name}`, title, pipeline, project, category, request },
      ...{ breaksBaseTests, evidenceCanSee, why: reason, work: { change, ...work } },
      ...(harm === undefined ? {} : { harm }),
      ...(announces === undefined ? {} : { announces }),
      ...(next === undefined ? {} : { next }),
      ...(beside === undefined ? {} : { beside }),
      ...(first === undefined ? {} : { first }),
      ...(approved === undefined ? {} : { approved }),
      ...(shows === undefined ? {} : { shows }),
    };
  };
}
