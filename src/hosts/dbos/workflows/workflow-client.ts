import type { DBOSClient } from "@dbos-inc/dbos-sdk";
import { importPeer } from "../optional-dependency.ts";
import type { Database } from "../tables/database.ts";
import { toWorkflowState, type WorkflowState } from "./workflow-state.ts";
import { getDbosSchema } from "./workflows.ts";

export type WorkflowClient = {
  see(id: string): Promise<WorkflowState | undefined>;
  close(): Promise<void>;
};

const CONNECTIONS = 1;

/** Looks workflows up without executing any. Connects on first use. */
export function openWorkflowClient({ url, schema }: Database): WorkflowClient {
  let opened: Promise<DBOSClient> | undefined;
  const open = async () => {
    const { DBOSClient } = await importPeer("@dbos-inc/dbos-sdk", () => import("@dbos-inc/dbos-sdk"));
    return DBOSClient.create({
      systemDatabaseUrl: url,
      systemDatabaseSchemaName: getDbosSchema(schema),
      systemDatabasePoolSize: CONNECTIONS,
      systemDatabaseIdleTransactionTimeoutMs: 0,
    });
  };
  return {
    async see(id) {
      opened ??= open();
      return toWorkflowState(await (await opened).getWorkflow(id));
    },
    close: async () => (await opened)?.destroy(),
  };
}
