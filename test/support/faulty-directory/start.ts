import {
  type ExampleDirectory,
  type ExampleDirectoryOptions,
  startExampleDirectory,
} from "@/example-directory/directory";
import { createLargeCatalog } from "@/bench/example-directory/generator";
import type { Call } from "@/example-directory/answer";
import { send } from "@/example-directory/server";
import { deliverFault } from "@/test/support/faulty-directory/delivery";
import { ExampleFaults } from "@/test/support/faulty-directory/faults";
import type { IncomingMessage } from "node:http";
import { approvalBody } from "@/example-directory/application-routes";
import type { ExampleApps } from "@/example-directory/apps";

interface Approval {
  readonly uuid: string;
  readonly version: number;
  readonly status: "LIMITED" | "ACCEPTED";
  readonly notes: string | null;
  readonly blacklist: boolean | null;
  /** How often it was reported; the members above are those of the last report. */
  readonly times: number;
}

class ExampleApprovals {
  readonly #byVersion = new Map<number, Approval>();

  /** Every decision, in the order in which versions were first decided. */
  all(): Approval[] {
    return [...this.#byVersion.values()];
  }

  find(version: number): Approval | null {
    return this.#byVersion.get(version) ?? null;
  }

  note(body: string, apps: ExampleApps): void {
    for (const element of approvalBody.parse(JSON.parse(body)).applications) {
      const { version_id: version, approval_status: status, notes = null, blacklist = null } = element;
      const uuid = apps.ownerOf(version) ?? "";
      const times = (this.find(version)?.times ?? 0) + 1;
      this.#byVersion.set(version, { uuid, version, status, notes, blacklist, times });
    }
  }
}

/** A request as received, without its headers, which hold keys. */
interface ReceivedCall {
  readonly path: string;
  readonly query: string;
  readonly body: string | null;
}

const mostCalls = 1_000;

class ReceivedCalls {
  #calls: ReceivedCall[] = [];

  all(path: string): readonly ReceivedCall[] {
    return this.#calls.filter((call) => call.path === path);
  }

  add({ path, body }: Call, { url = "" }: IncomingMessage): void {
    this.#calls.push({ path, query: url.includes("?") ? url.slice(url.indexOf("?") + 1) : "", body });
    // Dropping half at a time moves each element once on average.
    if (this.#calls.length > mostCalls * 2) this.#calls = this.#calls.slice(-mostCalls);
  }
}

export interface FaultyDirectory extends ExampleDirectory {
  readonly faults: ExampleFaults;
  readonly received: ReceivedCalls;
  readonly approvals: ExampleApprovals;
}

export async function startFaultyDirectory({
  apps,
  ...options
}: Omit<ExampleDirectoryOptions, "deliver" | "catalog"> & { readonly apps?: number } = {}): Promise<FaultyDirectory> {
  const faults = new ExampleFaults();
  const received = new ReceivedCalls();
  const approvals = new ExampleApprovals();
  const directory: ExampleDirectory = await startExampleDirectory({
    ...options,
    ...(apps !== undefined && { catalog: createLargeCatalog(apps) }),
    deliver: async (delivery) => {
      received.add(delivery.call, delivery.request);
      const answer = async (call: Call) => {
        const made = await delivery.answer(call);
        const isTaken = call.path === "application/approval/vendor" && made.status === 200;
        if (isTaken) approvals.note(call.body ?? "", directory.apps);
        return made;
      };
      const fault = faults.take(delivery.call);
      if (fault === null) send(delivery.response, await answer(delivery.call));
      else await deliverFault(fault, { ...delivery, answer }, faults);
    },
  });
  return {
    ...directory,
    faults,
    received,
    approvals,
    close: async () => {
      const closed = directory.close();
      faults.release("drop");
      await closed;
    },
  };
}
