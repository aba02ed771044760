import type { Route } from "../route.ts";
import { actions } from "./actions.ts";
import { home } from "./home.ts";
import { questions } from "./questions.ts";
import { runs } from "./runs.ts";
import { session } from "./session.ts";

/** The complete API. Routes are registered, described and security-tested from this table. */
export const ROUTES: readonly Route[] = [...session, ...home, ...runs, ...questions, ...actions];
