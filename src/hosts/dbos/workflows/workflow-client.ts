import type { DBOSClient } from "@dbos-inc/dbos-sdk";
import { importPeer } from "../optional-dependency.ts";
import type { Database } from "../tables/database.ts";
import { stateOf, type WorkflowState } from "./workflow-state.ts";
import { dbosSchema } from "./workflows.ts";

export type WorkflowClient = {
  see(id: string): Promise<WorkflowState | undefined>;
  close(): Promise<void>;
};

const CONNECTIONS = 1;

/** Looks workflows up without executing any. Connects on first use. */
export function askWorkflows({ url, schema }: Database): WorkflowClient {
  let opened: Promise<DBOSClient> | undefined;
  const open = async () => {
    const { DBOSClient } = await importPeer("@dbos-inc/dbos-sdk", () => import("@dbos-inc/dbos-sdk"));
    return DBOSClient.create({
      systemDatabaseUrl: url,
      systemDatabaseSchemaName: dbosSchema(schema),
      systemDatabasePoolSize: CONNECTIONS,
      systemDatabaseIdleTransactionTimeoutMs: 0,
    });
  };
  return {
    async see(id) {
      opened ??= open();
      return stateOf(await (await opened).getWorkflow(id));
    },
    close: async () => (await opened)?.destroy(),
  };
}
