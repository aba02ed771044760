import { startPostgres } from "../../test/support/postgres.ts";
import { verdictOf } from "../report.ts";
import { teamFigures } from "./figures.ts";
import { travelFigures } from "./travel.ts";

// Prints the figures of a team only. Postgres waits for the disk, as a team's does.
const postgres = await startPostgres({ durable: true });
try {
  for (const figure of [...(await travelFigures()), ...(await teamFigures(postgres))]) {
    console.log(`${figure.name}\n    ${figure.reached}   ${verdictOf(figure)}`);
  }
} finally {
  await postgres.stop();
}
