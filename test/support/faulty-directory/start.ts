import {
  type ExampleDirectory,
  type ExampleDirectoryOptions,
  startExampleDirectory,
} from "@/example-directory/directory";
import { createLargeCatalog } from "@/bench/example-directory/generator";
import type { Call } from "@/example-directory/answer";
import { send } from "@/example-directory/server";
import { ExampleApprovals } from "@/test/support/faulty-directory/approvals";
import { deliverFault } from "@/test/support/faulty-directory/delivery";
import { ExampleFaults } from "@/test/support/faulty-directory/faults";
import { ReceivedCalls } from "@/test/support/faulty-directory/received";

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
